export { certificateOf, createAttestHandler, createCollectHandler } from "./attest.ts";
export { heldForPartner } from "./joint.ts";
export {
  OPERATORS_SCHEMA,
  OperatorListError,
  OperatorListUnavailableError,
  bareOperatorList,
  loadOperatorList,
  parseOperatorList,
  peersOf,
  type AnnouncedOperator,
  type OperatorList,
  type Peer,
} from "./operators.ts";
export { createPeers, type PeerAttestation, type PeerState, type Peers } from "./peers.ts";
export { verdictRow } from "./verdict.ts";
