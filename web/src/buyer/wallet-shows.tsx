import { timeInWords } from "@assay/protocol";
import { writeAmount } from "../acts/amount.ts";
import type { Venue } from "../acts/venue.ts";
import { Fact, Facts } from "../components/facts.tsx";
import { Hash } from "../components/hash.tsx";
import type { Composed } from "./compose.ts";
import type { FundingWay } from "./funding-plan.ts";

/** The fields of the signature, to compare with what the wallet shows. */
export function WalletShows({
  way,
  venue,
  composed,
}: {
  readonly way: FundingWay;
  readonly venue: Venue;
  readonly composed: Composed;
}) {
  const { terms, agreementId } = composed;
  if (way === "approval") return null;
  const isPayment = way === "authorization";
  return (
    <details>
      <summary>What your wallet shows when you sign</summary>
      <Facts>
        <Fact term="Type">{isPayment ? "ReceiveWithAuthorization" : "Permit"}</Fact>
        <Fact term="Contract">
          {venue.token.name} <Hash value={venue.token.address} what="token" whole />
        </Fact>
        <Fact term={isPayment ? "from" : "owner"}>
          <Hash value={terms.buyer} what="your account" whole />
        </Fact>
        <Fact term={isPayment ? "to" : "spender"}>
          the escrow, <Hash value={venue.escrow} what="escrow" whole />
        </Fact>
        <Fact term="value">
          {terms.reward.toString()}, which is {writeAmount(terms.reward, venue.token)}
        </Fact>
        <Fact term={isPayment ? "validBefore" : "deadline"}>
          {terms.deliverBy}, which is {timeInWords(terms.deliverBy)}
        </Fact>
        {isPayment && (
          <Fact term="nonce">
            the agreement’s id, <Hash value={agreementId} what="agreement id" whole />
          </Fact>
        )}
      </Facts>
    </details>
  );
}
