import { useEffect, useState } from "react";
import type { Agreement } from "@assay/protocol";
import { Meaning } from "../buyer/meaning.tsx";
import { Badge } from "../components/badge.tsx";
import { Notice } from "../components/notice.tsx";
import { Text } from "../components/untrusted.tsx";
import { useNetwork } from "../network/context.tsx";
import { forecast, type DeliveryDraft, type Forecast } from "./delivery.ts";

/** What the judge's code will find, computed here by the same rules. */
export function Forecasts({
  agreement,
  delivery: { agreementId, files, reports, execution },
}: {
  readonly agreement: Agreement;
  readonly delivery: DeliveryDraft;
}) {
  const { evm } = useNetwork().profile;
  const [forecasts, setForecasts] = useState<readonly Forecast[] | null>(null);
  // Of files and proofs alone: writing the summary examines nothing anew.
  useEffect(() => {
    let isWanted = true;
    const pause = (): Promise<void> =>
      new Promise((resolve, reject) => {
        setTimeout(() => {
          if (isWanted) resolve();
          else reject(new Error("not wanted any more"));
        });
      });
    forecast(
      agreement,
      {
        files,
        ...(reports === undefined ? {} : { reports }),
        ...(execution === undefined ? {} : { execution }),
      },
      { chainId: evm.chainId, escrow: evm.escrow, agreementId },
      pause,
    ).then(setForecasts, () => undefined);
    return () => {
      isWanted = false;
    };
  }, [agreement, files, reports, execution, agreementId, evm]);
  if (forecasts === null) return <p role="status">Examining the files …</p>;
  const failing = forecasts.filter(({ result }) => result?.passed === false).length;
  return (
    <div className="stack">
      <Notice
        tone={failing === 0 ? "pass" : "fail"}
        title={
          failing === 0
            ? "Everything that code decides passes"
            : `${failing} ${failing === 1 ? "requirement fails" : "requirements fail"}: this delivery can only lose`
        }
      >
        {failing > 0 && (
          <p>Code decides these alone, and the judge’s code finds the same. Correct them first.</p>
        )}
      </Notice>
      <ul className="forecasts">
        {forecasts.map(({ requirement: { id, text, check }, result }) => (
          <li key={id}>
            <Verdict result={result} />
            <div>
              <p>
                <strong>
                  <Text>{id}</Text>
                </strong>{" "}
                <Text most={300}>{text}</Text>
              </p>
              {result === undefined ? (
                <Meaning check={check} />
              ) : (
                <p className="muted small">{result.detail}</p>
              )}
            </div>
          </li>
        ))}
      </ul>
    </div>
  );
}

function Verdict({ result }: Pick<Forecast, "result">) {
  if (result === undefined) return <Badge tone="hold">Validators</Badge>;
  return result.passed ? <Badge tone="pass">Passes</Badge> : <Badge tone="fail">Fails</Badge>;
}
