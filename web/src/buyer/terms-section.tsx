import { durationInWords, timeInWords } from "@assay/protocol";
import { readAmount, writeAmount, type Token } from "../acts/amount.ts";
import { noVerdictShares } from "../acts/shares.ts";
import { Button } from "../components/button.tsx";
import { Card } from "../components/card.tsx";
import { useNow } from "../components/use-now.ts";
import { TextField, useForm } from "./form.tsx";
import { inLocalZone, readLocalTime, writeLocalTime } from "./local-time.ts";

const HOUR = 3_600;
const DAY = 24 * HOUR;
const DELIVERY_CHOICES = [
  [DAY, "1 day"],
  [3 * DAY, "3 days"],
  [7 * DAY, "1 week"],
  [30 * DAY, "30 days"],
] as const;
const VERDICT_CHOICES = [
  [2 * HOUR, "2 hours later"],
  [DAY, "1 day later"],
  [3 * DAY, "3 days later"],
] as const;

/** Who delivers, for how much. */
export function PartiesSection({
  token,
  balance,
}: {
  readonly token: Token;
  readonly balance: bigint | null;
}) {
  const { draft, change } = useForm();
  return (
    <Card title="Seller and reward">
      <TextField
        field="seller"
        label="Seller’s address"
        hint="Who delivers and is paid. Ask the seller for it; a wrong address can only be undone until it accepts."
        value={draft.seller}
        spellCheck={false}
        className="code"
        onChange={(seller) => change({ seller })}
      />
      <TextField
        field="reward"
        label={`Reward in ${token.symbol}`}
        hint={
          balance === null
            ? "Locked in the escrow when you fund, and paid out by the verdict."
            : `You hold ${writeAmount(balance, token)}. The reward is locked in the escrow when you fund.`
        }
        value={draft.reward}
        inputMode="decimal"
        onChange={(reward) => change({ reward })}
      />
    </Card>
  );
}

/** Until when. */
export function DeadlinesSection() {
  const { draft, change, touch } = useForm();
  const now = useNow();
  const delivery = readLocalTime(draft.deliverBy);
  const setDelivery = (seconds: number): void => {
    const verdict = readLocalTime(draft.adjudicateBy);
    // The time for the verdict moves along, as long as it was a while after the delivery.
    const gap = delivery !== null && verdict !== null && verdict > delivery ? verdict - delivery : DAY;
    change({ deliverBy: writeLocalTime(seconds), adjudicateBy: writeLocalTime(seconds + gap) });
    touch("deliverBy");
  };
  return (
    <Card title="Deadlines">
      <TextField
        field="deliverBy"
        label="Deliver by"
        hint="The last moment in which a delivery is taken. Without one, anybody can have you refunded after it."
        type="datetime-local"
        value={draft.deliverBy}
        onChange={(deliverBy) => change({ deliverBy })}
      >
        <Shortcuts
          label="Deliver within"
          choices={DELIVERY_CHOICES}
          onChoose={(seconds) => setDelivery(nextMinute(now) + seconds)}
        />
        <Both at={delivery} now={now} />
      </TextField>
      <TextField
        field="adjudicateBy"
        label="Verdict by"
        hint="The last moment in which a verdict is taken. Judging takes minutes; appeals and operators’ outages take longer."
        type="datetime-local"
        value={draft.adjudicateBy}
        onChange={(adjudicateBy) => change({ adjudicateBy })}
      >
        <Shortcuts
          label="Verdict"
          choices={VERDICT_CHOICES}
          isDisabled={delivery === null}
          onChoose={(seconds) => {
            change({ adjudicateBy: writeLocalTime((delivery ?? now) + seconds) });
            touch("adjudicateBy");
          }}
        />
        <Both at={readLocalTime(draft.adjudicateBy)} now={now} />
      </TextField>
    </Card>
  );
}

const nextMinute = (seconds: number): number => Math.ceil((seconds + 60) / 60) * 60;

function Shortcuts({
  label,
  choices,
  isDisabled = false,
  onChoose,
}: {
  readonly label: string;
  readonly choices: readonly (readonly [seconds: number, words: string])[];
  readonly isDisabled?: boolean;
  readonly onChoose: (seconds: number) => void;
}) {
  return (
    <div className="row shortcuts" role="group" aria-label={label}>
      {choices.map(([seconds, words]) => (
        <Button key={seconds} kind="quiet" disabled={isDisabled} onClick={() => onChoose(seconds)}>
          {words}
        </Button>
      ))}
    </div>
  );
}

/** One moment where the reader is, and in UTC, which the other side can compare. */
export function Both({ at, now }: { readonly at: number | null; readonly now: number }) {
  if (at === null) return null;
  return (
    <p className="muted small both-times">
      <span>{inLocalZone(at)}</span>
      <span>{timeInWords(at)}</span>
      <span>{at >= now ? `in ${durationInWords(at - now)}` : `${durationInWords(now - at)} ago`}</span>
    </p>
  );
}

/** Who gets what when nobody decides. */
export function NoVerdictSection({ token }: { readonly token: Token }) {
  const { draft, change, errorOf } = useForm();
  const reward = readAmount(draft.reward, token);
  const isShare = errorOf("sellerShare") === null && /^\d{1,3}(\.\d{1,2})?$/.test(draft.sellerShare.trim());
  const shares =
    "value" in reward && isShare
      ? noVerdictShares({
          reward: reward.value,
          noVerdictSellerBps: Math.round(Number(draft.sellerShare) * 100),
        })
      : null;
  return (
    <Card title="If no verdict comes">
      <p className="prose">
        When the work was delivered and the judge finds no answer (UNDETERMINED), or none comes in time, the
        reward is divided as you both agree now. Without a delivery you get everything back.
      </p>
      <TextField
        field="sellerShare"
        label="Seller’s share, in per cent"
        value={draft.sellerShare}
        inputMode="decimal"
        onChange={(sellerShare) => change({ sellerShare })}
      />
      <p className="meaning" role="status">
        {shares === null
          ? "Fill in the reward and the share to see who gets what."
          : `The seller gets ${writeAmount(shares.seller, token)}, you get back ${writeAmount(shares.buyer, token)}.`}
      </p>
    </Card>
  );
}
