import type { AgreementView } from "../agreement/view.ts";
import type { Act, Role } from "./acts.ts";
import type { Token } from "./amount.ts";

/** What every act is given. */
export interface ActProps {
  readonly act: Act;
  readonly agreement: AgreementView;
  readonly role: Role;
  readonly token: Token;
}
