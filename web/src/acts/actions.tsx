import type { ReactNode } from "react";
import { isJoint } from "@assay/protocol";
import type { AgreementView } from "../agreement/view.ts";
import { Badge } from "../components/badge.tsx";
import { Card } from "../components/card.tsx";
import { useToken } from "../network/token.tsx";
import { AcceptAct, SendConsent } from "../seller/accept-act.tsx";
import { DeliverAct } from "../seller/deliver-act.tsx";
import { DeliverOutputAct } from "../seller/deliver-output-act.tsx";
import { FollowedTransaction } from "../wallet/followed-transaction.tsx";
import { useWallet } from "../wallet/wallet.tsx";
import { ACT_NAMES, DONE, keyOf } from "./act-keys.ts";
import type { ActProps } from "./act-props.ts";
import { actsFor, isLive, roleOf, type Act, type Role } from "./acts.ts";
import { writeAmount } from "./amount.ts";
import { ClaimAct } from "./claim-act.tsx";
import { Credit } from "./credit.tsx";
import { SettleAct } from "./settle-act.tsx";
import { SimpleAct } from "./simple-act.tsx";
import "../buyer/buyer.css";
import "./acts.css";

const ROLES: Readonly<Record<Role, string>> = {
  buyer: "You are the buyer",
  seller: "You are the seller",
  other: "Neither side’s wallet",
};

/** What buyer, seller and anybody can do about an agreement now. */
export default function Actions({
  agreement,
  onChanged,
}: {
  readonly agreement: AgreementView;
  readonly onChanged: () => void;
}) {
  const { account } = useWallet();
  const token = useToken();
  if (token === undefined) return null;
  const { agreementId, terms, status, now } = agreement;
  const role = roleOf(terms, account);
  const acts = actsFor({ terms, status, account, now, amount: (units) => writeAmount(units, token) });
  const first = acts.find(({ notYet }) => notYet === null);
  return (
    <Card
      id="acts"
      title="What you can do"
      aside={
        account === null ? null : <Badge tone={role === "other" ? "neutral" : "info"}>{ROLES[role]}</Badge>
      }
    >
      {ACT_NAMES.map((name) => (
        <FollowedTransaction key={name} of={keyOf(name, agreementId)} done={DONE[name]} onMoved={onChanged} />
      ))}
      <Credit token={token} onChanged={onChanged} />
      {!isLive(status) && <p>The agreement has ended; nothing is left to do about it.</p>}
      {acts.map((act) => (
        <ActItem key={act.name} act={act} isOpen={act === first && role !== "other"}>
          <ActBody act={act} agreement={agreement} role={role} token={token} />
        </ActItem>
      ))}
      {status === "Funded" && role !== "seller" && <SendConsent agreement={agreement} />}
    </Card>
  );
}

function ActItem({
  act,
  isOpen,
  children,
}: {
  readonly act: Act;
  readonly isOpen: boolean;
  readonly children: ReactNode;
}) {
  return (
    <details className="act" open={isOpen}>
      <summary>
        <span>{act.title}</span>
        {act.notYet !== null && <span className="muted small">not yet</span>}
      </summary>
      <div className="stack">
        <p className="prose">{act.effect}</p>
        {act.notYet === null ? children : <p className="muted">{act.notYet}</p>}
      </div>
    </details>
  );
}

/** What a side of a joint agreement delivers is an output; what any other seller does, files. */
function Deliver(props: ActProps) {
  const { agreement, joint } = props.agreement.file;
  const document = agreement?.document ?? null;
  if (document === null || joint === null || !isJoint(document)) return <DeliverAct {...props} />;
  return <DeliverOutputAct agreement={props.agreement} document={document} plan={joint.plan} />;
}

function ActBody(props: ActProps) {
  switch (props.act.name) {
    case "accept":
      return <AcceptAct {...props} />;
    case "submit":
      return <Deliver {...props} />;
    case "settle":
      return <SettleAct {...props} />;
    case "claim":
      return <ClaimAct {...props} />;
    case "cancel":
    case "concede":
    case "expire":
      return <SimpleAct {...props} name={props.act.name} />;
  }
}
