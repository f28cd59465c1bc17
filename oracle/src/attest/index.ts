export { certificateOf, createAttestHandler, createCollectHandler } from "./attest.ts";
export { createPeers, type PeerAttestation, type Peers } from "./peers.ts";
export { verdictRow } from "./verdict.ts";
