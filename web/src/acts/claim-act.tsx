import { useState } from "react";
import { collectCertificate } from "@assay/evidence";
import { deliveryCalldata, type Hex } from "@assay/protocol";
import { Button } from "../components/button.tsx";
import { Notice } from "../components/notice.tsx";
import { useNetwork } from "../network/context.tsx";
import { NeedWallet } from "../wallet/need-wallet.tsx";
import { send, type Writer } from "../wallet/transact.ts";
import { isUnderWay } from "../wallet/transaction.ts";
import { useTransaction } from "../wallet/wallet.tsx";
import { keyOf } from "./act-keys.ts";
import type { ActProps } from "./act-props.ts";

/** Collects what operators signed, verifies all of it here, and brings it to the escrow. */
export function ClaimAct({ agreement }: ActProps) {
  const { chain, profile } = useNetwork();
  const { agreementId, terms, file } = agreement;
  const { state, begin } = useTransaction(keyOf("claim", agreementId));
  const [found, setFound] = useState<{ readonly outcome: string; readonly signers: number } | null>(null);
  const [remarks, setRemarks] = useState<readonly string[]>([]);
  const submissionHash = file.history.submitted?.submissionHash;

  const claim = (writer: Writer): void => {
    setRemarks([]);
    begin(async ({ tell, keep }) => {
      const said: string[] = [];
      try {
        const certified = await collectCertificate(
          chain,
          profile.operators,
          {
            chainId: profile.evm.chainId,
            escrow: profile.evm.escrow,
            agreementId,
            terms,
            // The escrow keeps 31 bytes; the event has all of them, and the record must begin alike.
            submissionHashPrefix: (submissionHash ?? "0x").slice(0, 2 + 62) as Hex,
          },
          (line) => said.push(line),
        );
        setFound({ outcome: certified.record.outcome, signers: certified.signers.length });
        return await send(
          writer,
          { to: terms.adjudicator, data: deliveryCalldata(certified.certificate) },
          tell,
          keep,
        );
      } finally {
        setRemarks(said);
      }
    });
  };

  return (
    <NeedWallet purpose="to deliver it; any account may, and pays the gas">
      {(writer) => (
        <div className="stack">
          <div>
            <Button kind="primary" disabled={isUnderWay(state)} onClick={() => claim(writer)}>
              Collect the signatures and deliver
            </Button>
          </div>
          {found !== null && (
            <p role="status">
              {found.outcome}, validly signed by {found.signers} operators. Every signature was verified here.
            </p>
          )}
          {remarks.length > 0 && (
            <Notice tone="warn" title="What operators did not give">
              <ul>
                {remarks.map((remark, index) => (
                  <li key={index}>{remark}</li>
                ))}
              </ul>
            </Notice>
          )}
        </div>
      )}
    </NeedWallet>
  );
}
