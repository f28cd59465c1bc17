import type { Execution, ExecutionProof } from "@assay/protocol";
import { Badge } from "../components/badge.tsx";
import { Card } from "../components/card.tsx";
import { Address } from "../components/address.tsx";
import { Fact, Facts } from "../components/facts.tsx";
import { Hash } from "../components/hash.tsx";
import { Notice } from "../components/notice.tsx";
import { Text } from "../components/untrusted.tsx";
import { replay, type Replay, type ReplayPlace } from "./replay.ts";

/** Proof of execution: the committed calls, and the walk along them replayed link by link. */
export function ExecutionCard({
  execution,
  proof,
  place,
}: {
  readonly execution: Execution;
  /** Null while nothing is submitted. */
  readonly proof: ExecutionProof | null;
  readonly place: ReplayPlace;
}) {
  return (
    <Card title="Proof of execution" id="execution">
      <p className="prose">
        The agreement commits to a sequence of HTTP calls before anybody makes them. The recorder stamps each
        call; the stamps form a chain of hashes whose end it signs. Whoever has the submission can replay it,
        as is done here. It proves order and bytes, not that the answers were right.
      </p>
      {proof === null ? (
        <>
          <p>Nothing has been submitted yet. These are the calls that are committed to:</p>
          <ol>
            {execution.steps.map(({ index, method, pathTemplate, auth }) => (
              <li key={index}>
                <code>
                  {method} <Text>{pathTemplate}</Text>
                </code>{" "}
                {auth && <Badge>with credentials</Badge>}
              </li>
            ))}
          </ol>
        </>
      ) : (
        <Walk walk={replay(execution, proof, place)} />
      )}
    </Card>
  );
}

function Walk({ walk }: { readonly walk: Replay }) {
  const { root, steps, terminal, computedTerminal, fault, signer, recorder, isSignedByRecorder } = walk;
  const holds = fault === null && isSignedByRecorder;
  return (
    <div className="stack" data-execution={holds ? "PASS" : "FAIL"}>
      {holds ? (
        <Notice
          tone="pass"
          title={`The walk holds: ${steps.length} steps replay, and the recorder signed their end`}
        />
      ) : (
        <Notice tone="fail" title="The walk does not hold" isUrgent>
          {fault !== null && <p>{fault}.</p>}
          {!isSignedByRecorder && (
            <p>
              The end is not signed by the recorder’s key. If the recorder is a contract, only the chain can
              say whether it signed.
            </p>
          )}
        </Notice>
      )}
      <div className="table" role="region" aria-label="The chain, step by step" tabIndex={0}>
        <table>
          <caption>The chain begins with the committed root and takes in one call at a time.</caption>
          <thead>
            <tr>
              <th scope="col">Step</th>
              <th scope="col">Call</th>
              <th scope="col">Request</th>
              <th scope="col">Response</th>
              <th scope="col">Attestation</th>
              <th scope="col">Chain after it</th>
            </tr>
          </thead>
          <tbody>
            <tr>
              <td>root</td>
              <td colSpan={4}>nonce and sequence</td>
              <td>
                <Hash value={root} what="committed root" />
              </td>
            </tr>
            {steps.map(({ index, method, pathTemplate, requestHash, responseHash, attestation, chain }) => (
              <tr key={index}>
                <td>{index + 1}</td>
                <td>
                  <code>
                    {method} <Text most={60}>{pathTemplate}</Text>
                  </code>
                </td>
                {[requestHash, responseHash, attestation, chain].map((value, column) => (
                  <td key={column}>{value === null ? "missing" : <Hash value={value} />}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <dl className={computedTerminal === terminal ? "compare" : "compare differs"}>
        <div>
          <dt>end of the chain, computed here</dt>
          <dd>{computedTerminal ?? "cannot be computed"}</dd>
        </div>
        <div>
          <dt>end that was submitted and signed</dt>
          <dd>{terminal}</dd>
        </div>
      </dl>
      <Facts>
        <Fact term="Recorder agreed on">
          <Address value={recorder} what="recorder" isParty={false} />
        </Fact>
        <Fact term="Signature recovers to">
          {signer === null ? (
            "nobody: it is no signature"
          ) : (
            <>
              <Address value={signer} what="signer" isParty={false} />{" "}
              <Badge tone={isSignedByRecorder ? "pass" : "fail"}>
                {isSignedByRecorder ? "PASS" : "FAIL"}
              </Badge>
            </>
          )}
        </Fact>
      </Facts>
    </div>
  );
}
