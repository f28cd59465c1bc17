import type { Hex } from "@assay/protocol";
import { Amount } from "../components/amount.tsx";
import { Address } from "../components/address.tsx";
import { Card } from "../components/card.tsx";
import { Fact, Facts } from "../components/facts.tsx";
import { SourceLine } from "../components/source-line.tsx";
import { Time } from "../components/time.tsx";
import { useResource } from "../data/resources.tsx";
import { useNetwork } from "../network/context.tsx";
import { StatusBadge, statusNameOf } from "./status-badge.tsx";

/** What index or operators say of an agreement while the chain itself does not answer. */
export function RecordOnly({ id }: { readonly id: Hex }) {
  const { profile, witnesses } = useNetwork();
  const { value } = useResource(`${profile.name}/record/${id}`, { load: () => witnesses.agreement(id) });
  if (value?.value == null) return null;
  const { status, buyer, seller, reward, fundedAt, submittedAt, endedAt } = value.value;
  return (
    <Card title="What others say of it" aside={<StatusBadge status={statusNameOf(status)} />}>
      <p>The chain does not answer, so none of this is proven.</p>
      <Facts>
        <Fact term="Buyer">
          <Address value={buyer} what="buyer" />
        </Fact>
        <Fact term="Seller">
          <Address value={seller} what="seller" />
        </Fact>
        <Fact term="Reward">
          <Amount value={reward} />
        </Fact>
        <Fact term="Funded">
          <Time at={fundedAt} />
        </Fact>
        {submittedAt !== null && (
          <Fact term="Delivered">
            <Time at={submittedAt} />
          </Fact>
        )}
        {endedAt !== null && (
          <Fact term="Ended">
            <Time at={endedAt} />
          </Fact>
        )}
      </Facts>
      <SourceLine sourced={value} />
    </Card>
  );
}
