export { createKeystore } from "./keystore.ts";
export { createAttester, createSubmitter, type Attester, type Submitter } from "./signer.ts";
