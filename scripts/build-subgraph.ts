import { buildSubgraph } from "@assay/localnet";

// The bootstrap decides when; what is compiled already is found again by the hash of its sources.
await buildSubgraph();
