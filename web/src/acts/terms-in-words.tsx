import { durationInWords, timeInWords, type Agreement, type Terms } from "@assay/protocol";
import { Text, LongText } from "../components/untrusted.tsx";
import { useNow } from "../components/use-now.ts";
import { Fact, Facts } from "../components/facts.tsx";
import { Hash } from "../components/hash.tsx";
import { inLocalZone } from "../buyer/local-time.ts";
import { Meaning } from "../buyer/meaning.tsx";
import { writeAmount, type Token } from "./amount.ts";
import type { Role } from "./acts.ts";
import { noVerdictShares } from "./shares.ts";

/** An agreement's terms as one would tell them to somebody, from where the reader stands. */
export function TermsInWords({
  terms,
  agreement,
  token,
  role,
}: {
  readonly terms: Terms;
  /** Null when the document could not be had. */
  readonly agreement: Agreement | null;
  readonly token: Token;
  readonly role: Role;
}) {
  const buyer = role === "buyer" ? "you" : "the buyer";
  const seller = role === "seller" ? "you" : "the seller";
  const reward = writeAmount(terms.reward, token);
  const shares = noVerdictShares(terms);
  return (
    <div className="stack">
      {agreement !== null && (
        <>
          <h3>
            <Text>{agreement.title}</Text>
          </h3>
          <LongText what="Task">{agreement.task}</LongText>
          <ol className="requirements-read">
            {agreement.requirements.map(({ id, text, check }) => (
              <li key={id}>
                <p>
                  <strong>
                    <Text>{id}</Text>
                  </strong>{" "}
                  <Text>{text}</Text>
                </p>
                <Meaning check={check} />
              </li>
            ))}
          </ol>
          {agreement.evidenceRequired.length > 0 && (
            <div>
              <p>To be delivered with it, as evidence:</p>
              <ul>
                {agreement.evidenceRequired.map((text, index) => (
                  <li key={index}>
                    <Text>{text}</Text>
                  </li>
                ))}
              </ul>
            </div>
          )}
        </>
      )}
      <ul className="promises">
        <li>
          {capital(buyer)} {buyer === "you" ? "lock" : "locks"} <strong>{reward}</strong> in the escrow. It
          can go to nobody but {buyer} and {seller}.
        </li>
        <li>
          {capital(seller)} {seller === "you" ? "deliver" : "delivers"} by <Moment at={terms.deliverBy} />.
          Without a delivery by then, anybody can have {buyer} refunded.
        </li>
        <li>
          A verdict comes by <Moment at={terms.adjudicateBy} />. <strong>PASS</strong> pays {reward} to{" "}
          {seller}; <strong>FAIL</strong> gives it back to {buyer}, and so does a delivery whose document
          nobody can get.
        </li>
        <li>
          If the judge finds no answer, or none comes in time, {seller} {seller === "you" ? "get" : "gets"}{" "}
          <strong>{writeAmount(shares.seller, token)}</strong> and {buyer} {buyer === "you" ? "get" : "gets"}{" "}
          back <strong>{writeAmount(shares.buyer, token)}</strong>.
        </li>
        <li>
          {capital(buyer)} can cancel until {seller} {seller === "you" ? "accept" : "accepts"} or{" "}
          {seller === "you" ? "deliver" : "delivers"}. After that either can give in to the other, and both
          together can divide the reward as they like.
        </li>
      </ul>
      <Facts>
        <Fact term="Buyer">
          <Hash value={terms.buyer} what="buyer" whole />
        </Fact>
        <Fact term="Seller">
          <Hash value={terms.seller} what="seller" whole />
        </Fact>
      </Facts>
    </div>
  );
}

/** A moment where the reader is, and in UTC. */
export function Moment({ at }: { readonly at: number }) {
  const now = useNow();
  return (
    <>
      <strong>{inLocalZone(at)}</strong>{" "}
      <span className="muted">
        ({timeInWords(at)},{" "}
        {at >= now ? `in ${durationInWords(at - now)}` : `${durationInWords(now - at)} ago`})
      </span>
    </>
  );
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
