import { readFileSync } from "node:fs";
import { Interface, type InterfaceAbi } from "ethers";

/** A contract's interface as Hardhat compiled it, not as the package under test remembers it. */
export function readInterface(name: "AgreementEscrow" | "VerdictQuorum"): Interface {
  const path = new URL(`../../../artifacts/contracts-evm/${name}.sol/${name}.json`, import.meta.url);
  return new Interface((JSON.parse(readFileSync(path, "utf8")) as { abi: InterfaceAbi }).abi);
}
