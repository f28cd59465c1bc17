import { useEffect, useRef, useState } from "react";
import { Link } from "wouter";
import type { Hex } from "@assay/protocol";
import { writeAmount } from "../acts/amount.ts";
import { publishDocument, type Publication } from "../acts/publish.ts";
import type { Venue } from "../acts/venue.ts";
import { Button } from "../components/button.tsx";
import { Card } from "../components/card.tsx";
import { Hash } from "../components/hash.tsx";
import { Notice } from "../components/notice.tsx";
import { useResource } from "../data/resources.tsx";
import { useNetwork } from "../network/context.tsx";
import { readStatus } from "../wallet/contracts.ts";
import { NeedWallet } from "../wallet/need-wallet.tsx";
import { TransactionStatus } from "../wallet/transaction-status.tsx";
import { isUnderWay } from "../wallet/transaction.ts";
import type { Writer } from "../wallet/transact.ts";
import { useTransaction } from "../wallet/wallet.tsx";
import type { Composed } from "./compose.ts";
import { approve, fund, readFundingFacts, type Funding } from "./funding.ts";
import { fundingChoices, type FundingChoice, type FundingWay } from "./funding-plan.ts";
import { WalletShows } from "./wallet-shows.tsx";

const EVERY_MILLISECONDS = 5_000;

/** Hands the document to the operators, and brings the reward into the escrow. */
export function FundStep({
  venue,
  composed,
  onBack,
  onFunded,
}: {
  readonly venue: Venue;
  readonly composed: Composed;
  readonly onBack: () => void;
  readonly onFunded: () => void;
}) {
  const { terms, agreementId } = composed;
  return (
    <Card title={`Lock ${writeAmount(terms.reward, venue.token)}`}>
      <NeedWallet purpose="to fund it" of={{ account: terms.buyer, role: "buyer" }}>
        {(writer) => (
          <Ways
            key={agreementId}
            venue={venue}
            composed={composed}
            writer={writer}
            onBack={onBack}
            onFunded={onFunded}
          />
        )}
      </NeedWallet>
    </Card>
  );
}

function Ways({
  venue,
  composed,
  writer,
  onBack,
  onFunded,
}: {
  readonly venue: Venue;
  readonly composed: Composed;
  readonly writer: Writer;
  readonly onBack: () => void;
  readonly onFunded: () => void;
}) {
  const { terms, agreementId, document } = composed;
  const { operators } = useNetwork();
  const funding = useTransaction(`fund/${agreementId}`);
  const approval = useTransaction(`approve/${agreementId}`);
  const [publications, setPublications] = useState<readonly Publication[]>([]);
  const [way, setWay] = useState<FundingWay | null>(null);
  const [signatures] = useState(() => new Map<string, Hex>());
  const facts = useFundingFacts(venue, composed, writer);
  const isFunded = useIsFunded(venue, composed, writer);
  useOnce(isFunded, onFunded);

  if (isFunded) return <Funded agreementId={agreementId} state={funding} />;
  if (facts === undefined) return <Notice title="Looking at your account …" />;
  const cannotSign = funding.state.name === "failed" && funding.state.words.message.includes("does not know");
  const choices = fundingChoices({ ...facts, cannotSign });
  const chosen = choices.find((one) => one.way === way && one.closed === null) ?? choices[0];
  if (chosen === undefined) return null;
  const isBusy = isUnderWay(funding.state) || (isUnderWay(approval.state) && approval.state.name !== "final");
  const job: Funding = { writer, venue, composed, signatures };
  const needsAllowance = chosen.way === "approval" && facts.allowance < terms.reward;

  const publish = async (): Promise<void> => {
    setPublications(await publishDocument(operators, terms.agreementHash, document));
  };
  const start = (): void =>
    funding.begin(async (telling) => {
      await publish();
      return fund(chosen.way, job, telling);
    });
  const allow = (): void =>
    approval.begin(async (telling) => {
      await publish();
      return approve(job, telling);
    });

  return (
    <div className="stack">
      <p className="prose">
        First the document goes to the operators, so that it can be judged; it becomes public by that. Then
        your wallet is asked. Agreement <Hash value={agreementId} what="agreement id" />.
      </p>
      <WayChoice choices={choices} chosen={chosen} isDisabled={isBusy} onChoose={setWay} />
      <p className="meaning">{chosen.asks}</p>
      <WalletShows way={chosen.way} venue={venue} composed={composed} />
      <div className="row">
        {needsAllowance ? (
          <Button kind="primary" disabled={isBusy} onClick={allow}>
            Allow the escrow to take {writeAmount(terms.reward, venue.token)}
          </Button>
        ) : (
          <Button kind="primary" disabled={isBusy} onClick={start}>
            {chosen.way === "approval" ? "Fund" : "Sign and fund"}
          </Button>
        )}
        <Button disabled={isBusy} onClick={onBack}>
          Back
        </Button>
      </div>
      <Publications list={publications} />
      <TransactionStatus
        state={approval.state}
        done="The escrow may take the reward now"
        onDismiss={approval.dismiss}
      />
      <TransactionStatus state={funding.state} done="Funded" onDismiss={funding.dismiss} />
    </div>
  );
}

function WayChoice({
  choices,
  chosen,
  isDisabled,
  onChoose,
}: {
  readonly choices: readonly FundingChoice[];
  readonly chosen: FundingChoice;
  readonly isDisabled: boolean;
  readonly onChoose: (way: FundingWay) => void;
}) {
  return (
    <details open={chosen.way !== "authorization"}>
      <summary>Ways to pay</summary>
      <fieldset className="bare stack" disabled={isDisabled}>
        <legend className="sr-only">Ways to pay</legend>
        {choices.map(({ way, closed }) => (
          <label key={way} className="choice">
            <input
              type="radio"
              name="way"
              checked={way === chosen.way}
              disabled={closed !== null}
              onChange={() => onChoose(way)}
            />
            <span>
              <strong>{WAY_NAMES[way].name}</strong>
              <br />
              <span className="muted">{closed ?? WAY_NAMES[way].words}</span>
            </span>
          </label>
        ))}
      </fieldset>
    </details>
  );
}

const WAY_NAMES: Readonly<Record<FundingWay, { readonly name: string; readonly words: string }>> = {
  authorization: {
    name: "One signature that pays (ERC-3009)",
    words: "It names the agreement’s id, so it can pay for nothing else. Then one transaction.",
  },
  permit: {
    name: "One signature that allows (ERC-2612)",
    words: "It lets the escrow take the reward until the delivery’s deadline. Then one transaction.",
  },
  approval: {
    name: "Approve, then fund",
    words: "Two transactions. Every account can do this, smart accounts included.",
  },
};

function Publications({ list }: { readonly list: readonly Publication[] }) {
  if (list.length === 0) return null;
  const taken = list.filter(({ fault }) => fault === null).length;
  return (
    <Notice
      tone={taken === list.length ? "pass" : "warn"}
      title={`${taken} of ${list.length} operators have the document`}
    >
      {taken < list.length && (
        <>
          <p>One is enough: operators fetch from each other.</p>
          <ul>
            {list
              .filter(({ fault }) => fault !== null)
              .map(({ origin, fault }) => (
                <li key={origin}>
                  {origin}: {fault}
                </li>
              ))}
          </ul>
        </>
      )}
    </Notice>
  );
}

function Funded({
  agreementId,
  state,
}: {
  readonly agreementId: Hex;
  readonly state: ReturnType<typeof useTransaction>;
}) {
  return (
    <div className="stack">
      <Notice tone="pass" title="The agreement is funded">
        <p>
          The reward is in the escrow. Send the seller the link to the agreement: it can read the terms there,
          accept and deliver.
        </p>
        <p>
          <Link className="button primary" href={`/agreement/${agreementId}`}>
            Open the agreement
          </Link>
        </p>
      </Notice>
      <TransactionStatus state={state.state} done="Funded" onDismiss={state.dismiss} />
    </div>
  );
}

function useFundingFacts(venue: Venue, { terms }: Composed, { node, account }: Writer) {
  return useResource(`funding/${venue.escrow}/${account}/${terms.reward}`, {
    every: EVERY_MILLISECONDS,
    load: () => readFundingFacts(node, venue, account, terms.reward),
  }).value;
}

/** Whether the escrow knows the agreement, whoever sent it there. */
function useIsFunded({ escrow }: Venue, { agreementId }: Composed, { node }: Writer): boolean {
  const status = useResource(`status/${escrow}/${agreementId}`, {
    every: 1_500,
    load: () => readStatus(node, escrow, agreementId),
  }).value;
  return status !== undefined && status !== "None";
}

function useOnce(isSo: boolean, action: () => void): void {
  const isDone = useRef(false);
  useEffect(() => {
    if (!isSo || isDone.current) return;
    isDone.current = true;
    action();
  }, [isSo, action]);
}
