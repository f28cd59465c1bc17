import type { GateWorld } from "./execution.ts";
import { ethers } from "./world.ts";

/** Lengths of the walks that are measured, in the order of the report. */
const LENGTHS = [5, 20, 100] as const;

/** Whole transactions that pay for a walk, and what one more step takes beside its calldata. */
export type ExecutionGasReport = Record<
  "executionProof5" | "executionProof20" | "executionProof100" | "executionPerStep",
  number
>;

/**
 * Measures deliveries to `ExecutionProofGate`: paths of 32 bytes, an ECDSA recorder, a seller who holds USDC already.
 *
 * `executionPerStep` is what the call itself takes for one of the steps between 5 and 100, on average and rounded up:
 * neither calldata nor anything that a proof of any length pays for. Whole transactions of long walks pay by calldata
 * alone: EIP-7623 asks for at least 40 gas per byte (10 per zero byte), whatever the call takes.
 */
export async function measureExecutionGas({
  gate,
  gateAddress,
  relayer,
  prove,
}: GateWorld): Promise<ExecutionGasReport> {
  const meter = await ethers.deployContract("GasMeter");
  const whole: number[] = [];
  const inner: bigint[] = [];
  for (const length of LENGTHS) {
    const { escrow, terms, recorder, nonce, steps, exchanges, signature } = await prove(length, {
      pathLength: 32,
    });
    const proof = { escrow, terms, recorder, nonce, steps, exchanges, signature };
    const data = gate.interface.encodeFunctionData("deliver", [proof]);
    inner.push(await meter.measure.staticCall(gateAddress, data));
    const receipt = await (await gate.connect(relayer).deliver(proof)).wait();
    if (receipt === null) throw new Error("a measured transaction was not mined");
    whole.push(Number(receipt.gasUsed));
  }
  const [executionProof5, executionProof20, executionProof100] = whole as [number, number, number];
  const [short, , long] = inner as [bigint, bigint, bigint];
  const [fewest, , most] = LENGTHS;
  const executionPerStep = Math.ceil(Number(long - short) / (most - fewest));
  return { executionProof5, executionProof20, executionProof100, executionPerStep };
}
