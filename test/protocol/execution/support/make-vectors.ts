import {
  type Hex,
  type Step,
  type StepRecord,
  attestationHash,
  committedRoot,
  executionGateConfigOf,
  executionTerminalTypedData,
  fold,
  missionNonce,
  nonceCommitment,
  requestHash,
  responseHash,
  sequenceHash,
  sha256,
  stepNonce,
  toAddress,
  typedDataDigest,
  utf8Encode,
} from "@assay/protocol";
import { Wallet, keccak256, solidityPackedKeccak256 } from "ethers";
import { tampered } from "./tampered.ts";
import type { MissionVector } from "./vectors.ts";
import { TEMPLATES } from "./templates.ts";

/** Everything that `test/vectors/execution-chain.json` holds, computed by this package. */
export async function executionVectors(): Promise<Record<string, unknown>> {
  const missions = await Promise.all(MISSIONS.map(mission));
  return {
    about:
      "The chain of an execution: Keccak-256 over standard ABI encoding, content by SHA-256. `worked` are published values. " +
      "A mission's records carry what verifiers recompute. `claims` are what somebody says about the mission `tour`: true ones have no code, " +
      "the others the first fault and its step. `packed` is what must not be computed: the same for values of 32-byte words alone, another for attestations.",
    domain: { name: "Assay Execution", version: "1", chainId: CHAIN_ID, verifyingContract: ESCROW },
    recorder: { privateKey: RECORDER.privateKey, address: RECORDER.address },
    worked: worked(),
    content: content(),
    nonces: [nonces(word("11"), word("22")), nonces(word("00"), word("ff"))],
    sequences: SEQUENCES.map(({ name, steps }) => ({ name, steps, sequenceHash: sequenceHash(steps) })),
    missions,
    claims: tampered(missions),
    templates: TEMPLATES,
  };
}

const CHAIN_ID = 31_337;
const ESCROW = toAddress(`0x${"e5".repeat(20)}`);
/** A key for vectors, published with them. */
const RECORDER = new Wallet(`0x${"4e".repeat(32)}`);

function word(byte: string): Hex {
  return `0x${byte.repeat(32)}`;
}

function steps(...calls: [method: string, pathTemplate: string, auth?: boolean][]): Step[] {
  return calls.map(([method, pathTemplate, auth = false], index) => ({ index, method, pathTemplate, auth }));
}

const TOUR = steps(
  ["GET", "/api/v1/agents"],
  ["GET", "/api/v1/agents/{name}"],
  ["GET", "/api/v1/agents/me/dashboard", true],
  ["GET", "/api/v1/reputation/agents/{agent_id}", true],
  ["GET", "/api/v1/content/{slug}.md"],
);

const SEQUENCES: { name: string; steps: Step[] }[] = [
  { name: "no steps, which no verifier takes", steps: [] },
  { name: "the published tour", steps: TOUR },
  { name: "one step", steps: steps(["DELETE", "/"]) },
  {
    name: "texts around a word's length",
    steps: steps(
      ["G", `/${"a".repeat(30)}`],
      ["ABCDEFGHIJKLMNOP", `/${"a".repeat(31)}`, true],
      ["PUT", `/${"a".repeat(32)}`],
      ["POST", `/${"a".repeat(62)}`],
      ["PATCH", `/${"a".repeat(63)}`, true],
      ["HEAD", `/${"a".repeat(254)}`],
    ),
  },
  {
    name: "256 steps",
    steps: steps(...Array.from({ length: 256 }, (_, index): [string, string] => ["GET", `/${index}`])),
  },
];

function worked(): Record<string, unknown> {
  const [step] = TOUR;
  const record = { requestHash: word("33"), responseHash: word("44") };
  const root = committedRoot(word("11"), word("22"));
  const nonce = stepNonce(word("11"), 0);
  const attestation = attestationHash(step!, record, nonce);
  return {
    nonce: word("11"),
    sequenceHash: word("22"),
    ...record,
    step,
    committedRoot: root,
    stepNonce: nonce,
    attestation,
    chain: fold(root, attestation),
    gateConfig: executionGateConfigOf(root, toAddress(RECORDER.address)),
    packed: {
      committedRoot: solidityPackedKeccak256(["bytes32", "bytes32"], [word("11"), word("22")]),
      stepNonce: solidityPackedKeccak256(["bytes32", "uint256"], [word("11"), 0]),
      attestation: packedAttestation(step!, record, nonce),
      chain: solidityPackedKeccak256(["bytes32", "bytes32"], [root, attestation]),
    },
  };
}

function packedAttestation(step: Step, record: Omit<StepRecord, "index">, nonce: Hex): string {
  return solidityPackedKeccak256(
    ["uint256", "string", "string", "bytes32", "bytes32", "bytes32"],
    [step.index, step.method, step.pathTemplate, record.requestHash, record.responseHash, nonce],
  );
}

function content(): Record<string, unknown> {
  const requests = [
    ["GET", "/api/v1/agents", ""],
    ["GET", "/api/v1/agents?limit=10&after=%C3%A9", ""],
    ["POST", "/api/v1/agents", '{"name":"é"}'],
    ["PUT", "/a", "\n"],
  ] as const;
  const responses = [
    [200, ""],
    [200, '{"agents":[]}\n'],
    [404, "not found"],
    [500, "\u0000\u0001"],
  ] as const;
  return {
    requests: requests.map(([method, target, body]) => ({
      method,
      target,
      body,
      requestHash: requestHash(method, target, hashOf(body)),
    })),
    responses: responses.map(([status, body]) => ({
      status,
      body,
      responseHash: responseHash(status, hashOf(body)),
    })),
  };
}

function hashOf(text: string): Hex {
  return sha256(utf8Encode(text));
}

function nonces(recorderNonce: Hex, agentNonce: Hex): Record<string, Hex> {
  return {
    recorderNonce,
    agentNonce,
    commitment: nonceCommitment(recorderNonce),
    missionNonce: missionNonce(recorderNonce, agentNonce),
  };
}

const MISSIONS: { name: string; nonce: Hex; steps: Step[] }[] = [
  { name: "tour", nonce: word("a1"), steps: TOUR },
  { name: "the tour again", nonce: word("a2"), steps: TOUR },
  { name: "one step", nonce: word("a3"), steps: steps(["POST", "/orders/{id}", true]) },
  { name: "texts around a word's length", nonce: word("a4"), steps: SEQUENCES[3]!.steps },
];

async function mission({ name, nonce, steps }: (typeof MISSIONS)[number]): Promise<MissionVector> {
  const root = committedRoot(nonce, sequenceHash(steps));
  const agreementId = hashed(`agreement of ${name}`);
  let chain = root;
  const records = steps.map((step) => {
    const record = {
      index: step.index,
      requestHash: requestHash(step.method, `/call/${step.index}`, hashOf("")),
      responseHash: responseHash(200, hashOf(`${name}: answer ${step.index}`)),
    };
    const attestation = attestationHash(step, record, stepNonce(nonce, step.index));
    chain = fold(chain, attestation);
    return { ...record, attestation, chain };
  });
  const typedData = executionTerminalTypedData({
    agreementId,
    committedRoot: root,
    terminal: chain,
    chainId: CHAIN_ID,
    escrow: ESCROW,
  });
  const { domain, types, message } = typedData;
  return {
    name,
    agreementId,
    nonce,
    steps,
    records,
    committedRoot: root,
    terminal: chain,
    digest: typedDataDigest(typedData),
    signature: (await RECORDER.signTypedData(domain, types, message)) as Hex,
  };
}

function hashed(text: string): Hex {
  return keccak256(utf8Encode(text)) as Hex;
}
