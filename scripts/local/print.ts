import { formatUnits } from "ethers";
import type { Balances, OperatorPart, Walk } from "./walk.ts";
import type { Stack } from "./stack.ts";

const USDC_DECIMALS = 6;

const usdc = (amount: bigint): string => `${formatUnits(amount, USDC_DECIMALS)} USDC`;

/** Everything about one agreement, as lines of text. */
export function describeWalk(walk: Walk, stack: Stack): string {
  const models = [...new Set(stack.genlayer.validators.map(({ model }) => model))].join(", ");
  const decider = (decidedBy: string): string => (decidedBy === "model" ? `model: ${models}` : decidedBy);
  const change = (who: keyof Balances): string =>
    `  ${who.padEnd(8)} ${usdc(walk.before[who])} -> ${usdc(walk.after[who])}`;
  return [
    `  agreement    ${walk.agreementId}`,
    `  document     ${walk.agreementHash}`,
    `  submission   ${walk.submissionHash}`,
    "Transactions",
    `  fund         ${walk.transactions.fund}`,
    `  submit       ${walk.transactions.submit}`,
    ...walk.transactions.judge.map((hash) => `  judge        ${hash} (GenLayer)`),
    `  settle       ${walk.transactions.settle}`,
    "Requirements",
    ...walk.requirements.map(
      ({ id, result, decidedBy }) =>
        `  ${id.padEnd(14)} ${result.padEnd(10)} decided by ${decider(decidedBy)}`,
    ),
    "Verdict",
    `  outcome      ${walk.outcome}`,
    `  verdict hash ${walk.verdictHash} (${walk.verdictHashRecomputed ? "recomputed here: equal" : "RECOMPUTED HERE: DIFFERS"})`,
    `Operators (${stack.venue.threshold} of ${walk.operators.length} have to sign)`,
    ...walk.operators.map((operator, index) => `  ${describePart(operator, index)}`),
    "Balances",
    change("buyer"),
    change("seller"),
    change("escrow"),
    "Index",
    ...JSON.stringify(walk.indexed, null, 2)
      .split("\n")
      .map((line) => `  ${line}`),
  ].join("\n");
}

function describePart(
  { address, signed, inCertificate, relayed, delivered }: OperatorPart,
  index: number,
): string {
  const deeds = [
    signed ? "signed" : "has not signed",
    ...(inCertificate ? ["is in the certificate"] : []),
    ...(relayed ? ["asked the judge"] : []),
    ...(delivered ? ["delivered"] : []),
  ];
  return `${index + 1}  ${address}  ${deeds.join(", ")}`;
}

/** Where everything listens, for somebody who wants to look around. */
export function describeStack(stack: Stack): string {
  const { venue, contracts, evm, genlayer, graph, operators, judge, responsibility, cast } = stack;
  return [
    "Addresses",
    `  USDC              ${venue.token}`,
    `  AgreementEscrow   ${venue.escrow}`,
    `  VerdictQuorum     ${venue.quorum}`,
    `  gate, evaluator   ${contracts.gate}, ${contracts.evaluator ?? "none"}`,
    `  judge (GenLayer)  ${judge.contract}, code SHA-256 ${judge.codeHash}`,
    `  of workflows      ${responsibility.contract}, code SHA-256 ${responsibility.codeHash}`,
    `  buyer             ${cast.buyer.address}`,
    `  seller            ${cast.seller.address}`,
    ...cast.operators.map(
      ({ attester }, index) => `  operator ${index + 1}        ${attester.address} (its attester)`,
    ),
    "Ports",
    `  EVM chain         ${evm.rpcUrl} (chain ${evm.chainId}, public development keys)`,
    `  GenLayer network  ${genlayer.rpcUrl} (chain ${genlayer.chainId}, a simulation)`,
    ...operators.map(
      ({ url }, index) => `  operator ${index + 1}        ${url} (its metrics: /metrics, its state: /readyz)`,
    ),
    `  graph-node        ${graph.queryUrl} (it listens on all interfaces and can't be told otherwise)`,
  ].join("\n");
}

/** The command that audits an agreement of this stack, ready to paste. */
export function describeAudit(
  { venue, evm, genlayer, operators, contracts }: Stack,
  agreementId: string,
): string {
  return [
    "Audit it yourself",
    `  node cli/src/bin/assay.ts audit ${agreementId} \\`,
    `    --rpc-url ${evm.rpcUrl} --escrow ${venue.escrow} --from-block ${contracts.startBlock} \\`,
    `    --genlayer-rpc-url ${genlayer.rpcUrl} --source ${operators.map(({ url }) => url).join(",")}`,
  ].join("\n");
}

/** A walk for machines: one line of JSON, amounts as decimal strings. */
export function walkToJson(walk: Walk): string {
  return JSON.stringify(walk, (_key, value: unknown) =>
    typeof value === "bigint" ? value.toString() : value,
  );
}
