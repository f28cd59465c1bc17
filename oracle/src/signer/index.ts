export { createKeystore } from "./keystore.ts";
export { useNativeKeccak256 } from "./native-keccak256.ts";
export { recoverSigner, signDigest } from "./secp256k1.ts";
export { createAttester, createSubmitter, signTransaction, type Attester, type Submitter } from "./signer.ts";
