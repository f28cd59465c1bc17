import { isHash, toHash, type Hex } from "@assay/protocol";
import { Address } from "../components/address.tsx";
import { Amount } from "../components/amount.tsx";
import { Card } from "../components/card.tsx";
import { Fact, Facts } from "../components/facts.tsx";
import { Failure } from "../components/failure.tsx";
import { Hash } from "../components/hash.tsx";
import { Loading } from "../components/loading.tsx";
import { Time } from "../components/time.tsx";
import { NotFound } from "../layout/not-found.tsx";
import { Page } from "../layout/page.tsx";
import { ActionsSlot } from "../slots.tsx";
import { useAgreement } from "./use-agreement.ts";

/** One agreement: its terms, its life, and whether its verdict follows from public facts. */
export default function AgreementPage({ id }: { readonly id: string }) {
  const lower = id.toLowerCase();
  return isHash(lower) ? <Known id={toHash(lower)} /> : <NotFound />;
}

function Known({ id }: { readonly id: Hex }) {
  const { value, error, reload } = useAgreement(id);
  if (value === undefined)
    return (
      <Page title="Agreement">
        {error === null ? (
          <Loading what="the agreement" lines={8} />
        ) : (
          <Failure error={error} what="The agreement" onRetry={reload} />
        )}
      </Page>
    );
  const { terms } = value;
  return (
    <Page title="Agreement" lead={<Hash value={id} what="agreement id" whole />}>
      <Card title="Terms">
        <Facts>
          <Fact term="Status">{value.status}</Fact>
          <Fact term="Buyer">
            <Address value={terms.buyer} />
          </Fact>
          <Fact term="Seller">
            <Address value={terms.seller} />
          </Fact>
          <Fact term="Reward">
            <Amount value={terms.reward} />
          </Fact>
          <Fact term="Deliver by">
            <Time at={terms.deliverBy} />
          </Fact>
        </Facts>
      </Card>
      <ActionsSlot agreement={value} onChanged={reload} />
    </Page>
  );
}
