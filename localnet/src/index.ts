export { LocalnetError, type LocalnetErrorCode } from "./errors.ts";
export {
  EVM_CHAIN_ID,
  EVM_MNEMONIC,
  deployFiatToken,
  startEvm,
  type Evm,
  type EvmAccount,
  type EvmParameters,
  type FiatToken,
} from "./evm/index.ts";
