/**
 * How a figure came about. `run`: the reference notes ran the project's code on the same token, with whole
 * transactions. `published`: by that project, for the body of a test. `derived`: by arithmetic from the others.
 */
type Basis = "run" | "published" | "derived";

interface Figure {
  gas: number;
  /** What was counted, when it isn't simply the step. */
  what?: string;
  basis: Basis;
}

/** Escrows that do a part of the same work, as their own pages call them. */
export const PEERS = [
  "ERC-8183 base-contracts",
  "qntx/market-contract",
  "refund-protocol",
  "commerce-payments v1.0",
] as const;

export type Peer = (typeof PEERS)[number];

/** A step of an agreement's life, which operations of ours do it, and what it costs elsewhere. */
export interface Step {
  name: string;
  /** Operations of the report with a word on each; none when it is part of another step. */
  ours: { operation: string; what?: string }[];
  /** Stands for ours when there is none. */
  note?: string;
  peers: Partial<Record<Peer, Figure[]>>;
}

const run = (gas: number, what?: string): Figure => ({ gas, ...(what && { what }), basis: "run" });
const derived = (gas: number, what?: string): Figure => ({ gas, ...(what && { what }), basis: "derived" });
const published = (gas: number, what?: string): Figure => ({
  gas,
  ...(what && { what }),
  basis: "published",
});

/** The only place where the figures of others stand; the page and the command show them. */
export const STEPS: readonly Step[] = [
  {
    name: "create and set the price",
    ours: [],
    note: "in `fund`",
    peers: {
      "ERC-8183 base-contracts": [derived(336_367, "in 2 tx")],
      "qntx/market-contract": [derived(275_018, "in 2 tx")],
    },
  },
  {
    name: "fund, by allowance",
    ours: [{ operation: "fundWithApproval" }],
    peers: {
      "ERC-8183 base-contracts": [run(98_410)],
      "qntx/market-contract": [run(95_040)],
      "refund-protocol": [run(165_506)],
      "commerce-payments v1.0": [run(104_266, "after a pre-approval of 55,758")],
    },
  },
  {
    name: "fund, by ERC-3009",
    ours: [{ operation: "fundWithAuthorization" }],
    peers: { "commerce-payments v1.0": [run(144_001), published(155_657)] },
  },
  {
    name: "submit",
    ours: [{ operation: "submit" }],
    peers: { "ERC-8183 base-contracts": [run(62_456)], "qntx/market-contract": [run(59_252)] },
  },
  {
    name: "release",
    ours: [
      { operation: "release1of1", what: "by 1 of 1" },
      { operation: "release3of5", what: "by 3 of 5" },
    ],
    peers: {
      "ERC-8183 base-contracts": [run(79_879, "by one caller")],
      "qntx/market-contract": [run(72_235, "by one caller")],
      "refund-protocol": [run(98_185, "withdrawal")],
      "commerce-payments v1.0": [run(68_165, "by the operator"), published(69_915)],
    },
  },
  {
    name: "refund",
    ours: [{ operation: "refund1of1", what: "by 1 of 1" }],
    peers: {
      "ERC-8183 base-contracts": [run(75_423, "rejection"), run(72_925, "expiry")],
      "qntx/market-contract": [run(70_233)],
      "refund-protocol": [run(92_490)],
      "commerce-payments v1.0": [run(65_696, "void"), published(55_079)],
    },
  },
  {
    name: "whole life",
    ours: [{ operation: "life3of5", what: "with consent, submission, 3 of 5" }],
    peers: {
      "ERC-8183 base-contracts": [run(577_112, "in 5 tx")],
      "qntx/market-contract": [run(501_545, "in 5 tx")],
      "refund-protocol": [run(263_691, "in 2 tx")],
      "commerce-payments v1.0": [run(212_166, "in 2 tx, neither submission nor quorum")],
    },
  },
];

/** One figure in words. */
export const inWords = ({ gas, what, basis }: Figure): string =>
  `${gas.toLocaleString("en-US")}${what === undefined ? "" : ` ${what}`} (${basis === "published" ? "published, test body" : basis})`;
