import { deliver } from "./deliver.ts";
import { giveFeedback, validationRequest, validationResponse } from "./erc8004.ts";
import { fund, fundWithAuthorization, fundWithPermit } from "./fund.ts";
import type { Operation } from "./operation.ts";
import {
  accept,
  acceptWithSignature,
  cancel,
  concede,
  expire,
  settle,
  submit,
  submitWithSignature,
  withdraw,
} from "./parties.ts";

/** Everything that can be prepared, in the order of an agreement's life. */
export const OPERATIONS: readonly Operation[] = [
  fund,
  fundWithPermit,
  fundWithAuthorization,
  accept,
  acceptWithSignature,
  submit,
  submitWithSignature,
  cancel,
  concede,
  settle,
  expire,
  withdraw,
  deliver,
  giveFeedback,
  validationRequest,
  validationResponse,
].map((one) => one as unknown as Operation);
