export {
  EVM_CHAIN_ID,
  EVM_MNEMONIC,
  startEvm,
  type Evm,
  type EvmAccount,
  type EvmParameters,
} from "./anvil.ts";
export { deployFiatToken, type FiatToken } from "./fiat-token.ts";
