import { Interface, type InterfaceAbi } from "ethers";

const known = new WeakMap<object, Interface>();

/** One of this package's ABIs as ethers' interface: made for the first who asks, since that takes milliseconds. */
export function interfaceOf(abi: Exclude<InterfaceAbi, string | Interface>): Interface {
  const made = known.get(abi) ?? new Interface(abi);
  known.set(abi, made);
  return made;
}
