import { AbiCoder, Interface } from "ethers";
import { fiatTokenAbi, type Hex } from "@assay/protocol";
import type { Operator } from "../../../../oracle/src/index.ts";
import { createWorld, dealOf, deliver, until, KEYS, type Deal, type World } from "../../support/world.ts";

const token = new Interface(fiatTokenAbi);
const coder = AbiCoder.defaultAbiCoder();

/** Stands in a place of the configuration that nobody may read from outside. */
export const CANARY = "canary-7f3a91";

/** An operator with one settled agreement, on chains that also know the token's names. */
export interface ApiWorld {
  readonly world: World;
  readonly operator: Operator;
  readonly url: string;
  readonly deal: Deal;
  readonly agreementId: Hex;
  readonly submissionHash: Hex;
  readonly verdictHash: Hex;
}

/** Answers of a USDC-like token to what preparations ask of it. */
const TOKEN_ANSWERS: Readonly<Record<string, string>> = {
  [token.getFunction("name")!.selector]: coder.encode(["string"], ["USD Coin"]),
  [token.getFunction("version")!.selector]: coder.encode(["string"], ["2"]),
  [token.getFunction("allowance")!.selector]: coder.encode(["uint256"], [0n]),
  [token.getFunction("nonces")!.selector]: coder.encode(["uint256"], [3n]),
};

export async function createApiWorld(env: Record<string, string> = {}): Promise<ApiWorld> {
  const world = await createWorld({
    ASSAY_EVM_RPC_URL: `http://127.0.0.1:9/v2/${CANARY}`,
    ASSAY_HTTP_RATE: "1000000",
    ASSAY_HTTP_RATE_TOTAL: "1000000",
    ASSAY_MCP: "1",
    ...env,
  });
  world.evm.fault = (method, [call]) =>
    method === "eth_call" ? TOKEN_ANSWERS[(call as { data: string }).data.slice(0, 10)] : undefined;
  const operator = await world.start();
  const deal = dealOf(world);
  const { agreementId, submissionHash } = await deliver(world, operator, deal);
  const view = await until(world, operator, agreementId, ["SETTLED"]);
  return {
    ...{ world, operator, deal, agreementId, submissionHash },
    url: operator.url,
    verdictHash: view.verdict!.verdictHash,
  };
}

/** What no answer may hold: keys, and what stands in the path of an endpoint's URL. */
export const SECRETS: readonly string[] = [
  CANARY,
  ...Object.values(KEYS).flatMap((key) => [key, key.slice(2)]),
];
