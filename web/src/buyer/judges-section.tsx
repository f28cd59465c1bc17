import { findGenLayerNetwork } from "@assay/protocol";
import type { Venue } from "../acts/venue.ts";
import { Badge } from "../components/badge.tsx";
import { Button } from "../components/button.tsx";
import { Card } from "../components/card.tsx";
import { Fact, Facts } from "../components/facts.tsx";
import { Hash } from "../components/hash.tsx";
import { TextField, useForm } from "./form.tsx";

/** Who judges, by which code, and who carries the verdict. */
export function JudgesSection({ venue }: { readonly venue: Venue }) {
  const { draft, change } = useForm();
  return (
    <Card title="Who judges" aside={<JudgeBadge network={venue.adjudication.network} />}>
      <JudgeFacts venue={venue} />
      <details>
        <summary>How hard the judge tries</summary>
        <div className="fields">
          <TextField
            field="rounds"
            label="Rounds"
            hint={`After so many without a decision the outcome is UNDETERMINED. Empty: ${venue.adjudication.rounds}.`}
            value={draft.rounds}
            inputMode="numeric"
            onChange={(rounds) => change({ rounds })}
          />
          <TextField
            field="minValidators"
            label="Fewest validators"
            hint={`Judgements of fewer do not count. Empty: ${venue.adjudication.minValidators}.`}
            value={draft.minValidators}
            inputMode="numeric"
            onChange={(minValidators) => change({ minValidators })}
          />
        </div>
      </details>
      <Reporters />
      <details>
        <summary>The seller has signed already</summary>
        <TextField
          field="sellerSignature"
          label="The seller’s signature (optional)"
          hint="Consent to exactly these terms, from the seller’s wallet or `assay agreement accept`. The agreement is then accepted as soon as it is funded, and can’t be cancelled."
          value={draft.sellerSignature}
          spellCheck={false}
          className="code"
          lines={3}
          onChange={(sellerSignature) => change({ sellerSignature })}
        />
      </details>
    </Card>
  );
}

export function JudgeBadge({ network }: { readonly network: string }) {
  const isSimulated = findGenLayerNetwork(network)?.simulated !== false;
  return isSimulated ? <Badge tone="warn">Simulated judge network</Badge> : null;
}

/** The judge and the operators of a venue, in full. */
export function JudgeFacts({ venue: { adjudication, quorum } }: { readonly venue: Venue }) {
  return (
    <Facts>
      <Fact term="Judge">
        <Hash value={adjudication.contract} what="judge contract" whole /> on {adjudication.network}, chain{" "}
        {adjudication.chainId}
      </Fact>
      <Fact term="Judge’s code">
        SHA-256 <Hash value={adjudication.codeHash} what="code hash" whole />
      </Fact>
      <Fact term="Judging">
        At least {adjudication.minValidators} validators each time; after {adjudication.rounds}{" "}
        {adjudication.rounds === 1 ? "round" : "rounds"} without a decision it is UNDETERMINED.
      </Fact>
      <Fact term="Operators">
        <p>
          {quorum.threshold} of these {quorum.members.length} have to sign a verdict. They carry it; they
          can’t change where the money may go: to you or to the seller.
        </p>
        <ul className="plain-list">
          {quorum.members.map((member) => (
            <li key={member}>
              <Hash value={member} what="operator" whole />
            </li>
          ))}
        </ul>
      </Fact>
      <Fact term="Quorum contract">
        <Hash value={quorum.address} what="quorum contract" whole />
      </Fact>
    </Facts>
  );
}

/** Third parties whose signed reports decide a requirement. */
function Reporters() {
  const { draft, change } = useForm();
  const { reporters } = draft;
  const put = (index: number, over: { id?: string; address?: string }): void =>
    change({ reporters: reporters.map((one, at) => (at === index ? { ...one, ...over } : one)) });
  return (
    <details open={reporters.length > 0}>
      <summary>Reporters</summary>
      <div className="stack">
        <p className="muted prose">
          Third parties that you both believe, such as a test service. A requirement can depend on what one of
          them signs about the delivered files.
        </p>
        {reporters.map(({ id, address }, index) => (
          <div className="with-remove" key={index}>
            <div className="fields">
              <TextField
                field={`reporters[${index}].id`}
                label="Name"
                value={id}
                spellCheck={false}
                onChange={(value) => put(index, { id: value })}
              />
              <TextField
                field={`reporters[${index}].address`}
                label="Address"
                value={address}
                spellCheck={false}
                className="code"
                onChange={(value) => put(index, { address: value })}
              />
            </div>
            <Button
              kind="quiet"
              aria-label={`Remove reporter ${id === "" ? index + 1 : id}`}
              onClick={() => change({ reporters: reporters.filter((_one, at) => at !== index) })}
            >
              Remove
            </Button>
          </div>
        ))}
        <div>
          <Button
            onClick={() => change({ reporters: [...reporters, { id: "", address: "" }] })}
            disabled={reporters.length >= 10}
          >
            Add a reporter
          </Button>
        </div>
      </div>
    </details>
  );
}
