import { Link } from "wouter";
import type { AgreementSummary } from "@assay/subgraph";
import { Address } from "../components/address.tsx";
import { Amount } from "../components/amount.tsx";
import { Hash } from "../components/hash.tsx";
import { Time } from "../components/time.tsx";
import { StatusBadge, statusNameOf } from "./status-badge.tsx";

/** Agreements, a line each. */
export function AgreementTable({
  caption,
  agreements,
}: {
  readonly caption: string;
  readonly agreements: readonly AgreementSummary[];
}) {
  return (
    <div className="table" role="region" aria-label={caption} tabIndex={0}>
      <table>
        <caption className="sr-only">{caption}</caption>
        <thead>
          <tr>
            <th scope="col">Agreement</th>
            <th scope="col">Status</th>
            <th scope="col" className="number">
              Reward
            </th>
            <th scope="col">Buyer</th>
            <th scope="col">Seller</th>
            <th scope="col">Funded</th>
          </tr>
        </thead>
        <tbody>
          {agreements.map(({ agreementId, status, reward, buyer, seller, fundedAt }) => (
            <tr key={agreementId}>
              <td>
                <Hash
                  value={agreementId}
                  what="agreement id"
                  wrap={(shown) => <Link href={`/agreement/${agreementId}`}>{shown}</Link>}
                />
              </td>
              <td>
                <StatusBadge status={statusNameOf(status)} />
              </td>
              <td className="number">
                <Amount value={reward} />
              </td>
              <td>
                <Address value={buyer} what="buyer" />
              </td>
              <td>
                <Address value={seller} what="seller" />
              </td>
              <td>
                <Time at={fundedAt} relative={false} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
