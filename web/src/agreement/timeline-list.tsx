import { Badge, type Tone } from "../components/badge.tsx";
import { Amount } from "../components/amount.tsx";
import { Address } from "../components/address.tsx";
import { Time } from "../components/time.tsx";
import { Transaction } from "../components/transaction.tsx";
import { timelineOf, type Finality, type Moment } from "./timeline.ts";
import type { AgreementView } from "./view.ts";

const FINALITY: Readonly<Record<Finality, { readonly tone: Tone; readonly words: string } | null>> = {
  final: { tone: "pass", words: "final" },
  included: { tone: "warn", words: "in a block, not final" },
  provisional: { tone: "hold", words: "provisional" },
  unknown: null,
};

/** An agreement's life on both chains. */
export function TimelineList({ view }: { readonly view: AgreementView }) {
  return (
    <ol className="timeline">
      {timelineOf(view).map((moment) => (
        <Entry key={moment.key} moment={moment} />
      ))}
    </ol>
  );
}

function Entry({ moment }: { readonly moment: Moment }) {
  const { title, detail, at, isAhead, finality, where, toldBy, transactions, event } = moment;
  const badge = finality === null ? null : FINALITY[finality];
  return (
    <li
      className={
        isAhead ? "ahead" : finality === "included" || finality === "provisional" ? "done doubtful" : "done"
      }
    >
      <p className="what">
        <strong>{title}</strong>
        {badge !== null && <Badge tone={badge.tone}>{badge.words}</Badge>}
        {at !== null && (
          <span className="detail">
            {isAhead && "by "}
            <Time at={at} />
          </span>
        )}
      </p>
      <p className="detail">
        {detail}
        {event?.account != null && (
          <>
            {" "}
            <Address value={event.account} />
          </>
        )}
        {event?.amount != null && (
          <>
            {" "}
            {event.name === "Credited" ? "waiting: " : "to the seller: "}
            <Amount value={event.amount} />
          </>
        )}
      </p>
      {(transactions.length > 0 || toldBy !== null) && (
        <p className="detail">
          {transactions.map((hash) => (
            <span key={hash}>
              {where === "evm" ? "transaction" : "GenLayer transaction"}{" "}
              <Transaction hash={hash} where={where} />{" "}
            </span>
          ))}
          {toldBy !== null && <>(as {toldBy} says)</>}
        </p>
      )}
    </li>
  );
}
