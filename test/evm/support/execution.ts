/** The execution chain, written down once more so that tests don't inherit a mistake, and the gate that pays for it. */
import { AbiCoder, id as hashText, keccak256, TypedDataEncoder, type TypedDataDomain } from "ethers";
import { deployWorld, ethers } from "./world.ts";
import type { Terms } from "./typed-data.ts";

export interface Step {
  index: bigint;
  method: string;
  pathTemplate: string;
  auth: boolean;
}

export interface Exchange {
  requestHash: string;
  responseHash: string;
}

/** A proof as `ExecutionProofGate` expects it. */
export interface ExecutionProof {
  escrow: string;
  terms: Terms;
  recorder: string;
  nonce: string;
  steps: Step[];
  exchanges: Exchange[];
  signature: string;
}

const EXECUTION_TERMINAL = {
  ExecutionTerminal: [
    { name: "agreementId", type: "bytes32" },
    { name: "committedRoot", type: "bytes32" },
    { name: "terminal", type: "bytes32" },
  ],
};

const EXECUTION_VERDICT = {
  ExecutionVerdict: [
    { name: "agreementId", type: "bytes32" },
    { name: "committedRoot", type: "bytes32" },
    { name: "terminal", type: "bytes32" },
    { name: "recorder", type: "address" },
  ],
};

const hashOf = (types: string[], values: unknown[]): string =>
  keccak256(AbiCoder.defaultAbiCoder().encode(types, values));

export const sequenceHashOf = (steps: readonly Step[]): string =>
  hashOf(
    ["tuple(uint256,string,string,bool)[]"],
    [steps.map(({ index, method, pathTemplate, auth }) => [index, method, pathTemplate, auth])],
  );

export const committedRootOf = (nonce: string, sequenceHash: string): string =>
  hashOf(["bytes32", "bytes32"], [nonce, sequenceHash]);

export const stepNonceOf = (nonce: string, index: bigint): string =>
  hashOf(["bytes32", "uint256"], [nonce, index]);

export const attestationOf = (step: Step, exchange: Exchange, stepNonce: string): string =>
  hashOf(
    ["uint256", "string", "string", "bytes32", "bytes32", "bytes32"],
    [step.index, step.method, step.pathTemplate, exchange.requestHash, exchange.responseHash, stepNonce],
  );

export const foldOf = (chain: string, attestation: string): string =>
  hashOf(["bytes32", "bytes32"], [chain, attestation]);

/** Root and terminal of a walk. */
export function chainOf(
  nonce: string,
  steps: readonly Step[],
  exchanges: readonly Exchange[],
): { committedRoot: string; terminal: string } {
  const committedRoot = committedRootOf(nonce, sequenceHashOf(steps));
  const terminal = steps.reduce(
    (chain, step, position) =>
      foldOf(chain, attestationOf(step, exchanges[position]!, stepNonceOf(nonce, BigInt(position)))),
    committedRoot,
  );
  return { committedRoot, terminal };
}

/** What terms carry so that the gate adjudicates them. */
export const executionConfigOf = (committedRoot: string, recorder: string): string =>
  hashOf(["bytes32", "address"], [committedRoot, recorder]);

export const executionDomain = (chainId: bigint, escrow: string): TypedDataDomain => ({
  name: "Assay Execution",
  version: "1",
  chainId,
  verifyingContract: escrow,
});

/** What the escrow reports as the verdict's hash. */
export const executionVerdictHashOf = (
  agreementId: string,
  committedRoot: string,
  terminal: string,
  recorder: string,
): string =>
  TypedDataEncoder.hashStruct("ExecutionVerdict", EXECUTION_VERDICT, {
    agreementId,
    committedRoot,
    terminal,
    recorder,
  });

/** A walk of so many steps; methods differ in length, paths are as long as asked for. */
export function makeWalk(length: number, pathLength = 24): { steps: Step[]; exchanges: Exchange[] } {
  const positions = Array.from({ length }, (_, position) => position);
  return {
    steps: positions.map((position) => ({
      index: BigInt(position),
      method: position % 2 === 0 ? "GET" : "DELETE",
      pathTemplate: `/api/v1/${position}/`.padEnd(pathLength, "x"),
      auth: position % 3 === 0,
    })),
    exchanges: positions.map((position) => ({
      requestHash: hashText(`request ${position}`),
      responseHash: hashText(`response ${position}`),
    })),
  };
}

export const NONCE = hashText("mission");

/** A world with a gate and a recorder, who is nobody else in it. */
export async function deployGate() {
  const world = await deployWorld();
  const gate = await ethers.deployContract("ExecutionProofGate", [], world.deployer);
  const gateAddress = await gate.getAddress();
  const recorder = (await ethers.getSigners()).at(-1)!;

  const signTerminal = (
    terms: Terms,
    { committedRoot, terminal }: { committedRoot: string; terminal: string },
    signer: Pick<typeof recorder, "signTypedData"> = recorder,
    domain = executionDomain(world.chainId, world.escrowAddress),
    agreementId = world.idOf(terms),
  ) => signer.signTypedData(domain, EXECUTION_TERMINAL, { agreementId, committedRoot, terminal });

  /** Funds an agreement about a walk, submits the walk's end and makes the proof that pays for it. */
  const prove = async (
    length: number,
    { recorderAddress = recorder.address, pathLength = 24, overrides = {} } = {},
  ): Promise<ExecutionProof & { committedRoot: string; terminal: string }> => {
    const { steps, exchanges } = makeWalk(length, pathLength);
    const { committedRoot, terminal } = chainOf(NONCE, steps, exchanges);
    const terms = await world.makeTerms({
      adjudicator: gateAddress,
      adjudicatorConfig: executionConfigOf(committedRoot, recorderAddress),
      ...overrides,
    });
    await world.fund(terms);
    await world.submit(terms, terminal);
    const signature = await signTerminal(terms, { committedRoot, terminal });
    const walk = { nonce: NONCE, steps, exchanges, committedRoot, terminal };
    return { ...walk, escrow: world.escrowAddress, terms, recorder: recorderAddress, signature };
  };

  return { ...world, gate, gateAddress, recorder, signTerminal, prove };
}

export type GateWorld = Awaited<ReturnType<typeof deployGate>>;
