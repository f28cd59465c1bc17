import { Wallet, type Provider } from "ethers";
import type { Address } from "@assay/protocol";
import type { EvmAccount } from "@assay/localnet";

/** One operator's three keys: it signs verdicts, pays for EVM transactions, pays for GenLayer transactions. */
export interface OperatorKeys {
  attester: Wallet;
  submitter: Wallet;
  judgeRelayer: Wallet;
}

/** The people of the demonstration, each with a key that the local chain funds and everybody knows. */
export interface Cast {
  deployer: Wallet;
  buyer: Wallet;
  seller: Wallet;
  /** Pays gas for what others signed. */
  relayer: Wallet;
  /** Each independent of the others. */
  operators: OperatorKeys[];
  /** More people, with gas and without USDC, as many as were asked for. */
  guests: Wallet[];
}

/** Accounts before the operators' ones. */
const PEOPLE = 4;

/** Accounts that the chain has to fund for that many operators and guests. */
export const accountsFor = (operators: number, guests: number): number => PEOPLE + 3 * operators + guests;

/** Deals the chain's accounts out, in their order. */
export function castFrom(
  accounts: EvmAccount[],
  provider: Provider,
  { operators, guests }: { operators: number; guests: number },
): Cast {
  const at = (index: number): Wallet => {
    const account = accounts[index];
    if (!account) throw new Error(`The EVM chain has no account ${index}`);
    return new Wallet(account.privateKey, provider);
  };
  return {
    deployer: at(0),
    buyer: at(1),
    seller: at(2),
    relayer: at(3),
    operators: Array.from({ length: operators }, (_unused, index) => ({
      attester: at(PEOPLE + 3 * index),
      submitter: at(PEOPLE + 3 * index + 1),
      judgeRelayer: at(PEOPLE + 3 * index + 2),
    })),
    guests: Array.from({ length: guests }, (_unused, index) => at(PEOPLE + 3 * operators + index)),
  };
}

/** The operators' attesters in the order in which a set names them. */
export function membersOf({ operators }: Cast): Address[] {
  return operators
    .map(({ attester }) => attester.address as Address)
    .sort((one, other) => (BigInt(one) < BigInt(other) ? -1 : 1));
}
