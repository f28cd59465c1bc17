import { Time } from "../components/time.tsx";
import { originOf } from "@assay/evidence";
import { useNetwork } from "../network/context.tsx";
import { useHead } from "../network/head.tsx";

/** Where the page reads, and how far the chain is. */
export default function Footing() {
  const { profile, label } = useNetwork();
  const head = useHead();
  return (
    <div className="bounds">
      <p>
        {label}, chain {profile.evm.chainId}, through {originOf(profile.evm.rpcUrl)}:{" "}
        {head.error !== null ? (
          <strong>it gives no answer; asked again by itself</strong>
        ) : head.value === undefined ? (
          "asking …"
        ) : (
          <>
            block {head.value.number}, <Time at={head.value.timestamp} />
            {head.value.finalized === null
              ? ", which block is final is not told"
              : `, final up to ${head.value.finalized}`}
          </>
        )}
      </p>
      <p>Nothing is asked of anybody but this page's server and the places of its network.</p>
    </div>
  );
}
