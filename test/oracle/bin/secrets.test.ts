import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { encryptKeystoreJsonSync } from "ethers";
import { expect } from "chai";
import { Runs, listening } from "../support/operator-process.ts";
import { serveRpc } from "../support/serve-rpc.ts";
import { hash } from "../support/states.ts";
import { ADDRESSES, KEYS, createWorld, deliver, put, until, type World } from "../support/world.ts";

const PASSWORD = "CANARY-PASSWORD";
/** Everything that must never be seen outside. */
const CANARIES = [
  PASSWORD,
  "CANARY-EVM",
  "CANARY-SECOND",
  "CANARY-GENLAYER",
  "CANARY-GATEWAY",
  "CANARY-PEER",
  "CANARY-ANSWER",
  ...Object.values(KEYS).map((key) => key.slice(2)),
];

/** Paths that answer, and some that refuse. */
const pathsOf = (agreementId: string, documentHash: string): readonly string[] => [
  "/livez",
  "/readyz",
  "/metrics",
  "/openapi.json",
  "/v1/operator",
  "/v1/operators",
  "/v1/agreements",
  `/v1/agreements/${agreementId}`,
  `/v1/attestations/${agreementId}`,
  `/v1/documents/${documentHash}`,
  `/v1/documents/${hash(0xee)}`,
  "/v1/agreements?limit=none",
  "/nothing",
];

describe("secrets of an operator", () => {
  const runs = new Runs();
  let world: World;
  let evm: Awaited<ReturnType<typeof serveRpc>>;
  beforeEach(async () => {
    world = await createWorld();
    evm = await serveRpc(world.evm.rpc());
  });
  afterEach(async () => {
    await runs.end();
    await evm.stop();
    await world.end();
  });

  /** An environment in which everything secret is a canary; keys are in keystores. */
  async function environment(): Promise<Record<string, string>> {
    const {
      ASSAY_ATTESTER_KEY: _attester,
      ASSAY_SUBMITTER_KEY: _submitter,
      ASSAY_RELAYER_KEY: _relayer,
      ASSAY_ALLOW_ENV_KEYS: _allowed,
      ...rest
    } = world.env;
    const place = (name: string) => join(world.dataDir, name);
    await writeFile(place("password"), PASSWORD);
    for (const role of ["attester", "submitter", "relayer"] as const) {
      const account = { address: ADDRESSES[role], privateKey: KEYS[role] };
      const fast = { scrypt: { N: 1_024, r: 8, p: 1 } };
      await writeFile(place(`${role}.json`), encryptKeystoreJsonSync(account, PASSWORD, fast));
    }
    return {
      ...rest,
      ASSAY_EVM_RPC_URL: `${evm.url}/v2/CANARY-EVM?key=CANARY-EVM,${evm.url}/CANARY-SECOND`,
      ASSAY_GENLAYER_RPC_URL: `${world.genLayerUrl}/CANARY-GENLAYER?key=CANARY-GENLAYER`,
      ASSAY_IPFS_GATEWAYS: "http://127.0.0.1:9/CANARY-GATEWAY",
      ASSAY_IPFS_API: "http://127.0.0.1:9/CANARY-GATEWAY",
      ASSAY_PEERS: "http://user:CANARY-PEER@127.0.0.1:9/CANARY-PEER",
      ASSAY_PASSWORD_FILE: place("password"),
      ASSAY_ATTESTER_KEYSTORE: place("attester.json"),
      ASSAY_SUBMITTER_KEYSTORE: place("submitter.json"),
      ASSAY_RELAYER_KEYSTORE: place("relayer.json"),
      ASSAY_LOG_LEVEL: "trace",
    };
  }

  it("are in no log line, no answer and no metric of a whole life, trouble included", async () => {
    const run = runs.start(await environment());
    const operator = await listening(run);
    const seen: string[] = [];
    const look = async (agreementId: string, documentHash: string) => {
      for (const path of pathsOf(agreementId, documentHash)) {
        const response = await fetch(`${operator.url}${path}`);
        seen.push(`${path}\n${JSON.stringify([...response.headers])}\n${await response.text()}`);
      }
      const refused = await put(operator, new TextEncoder().encode("{}"));
      seen.push(await refused.text());
    };

    const { agreementId, submissionHash } = await deliver(world, operator);
    await until(world, operator, agreementId, ["SETTLED"], { timeout: 30_000 });
    await look(agreementId, submissionHash);
    expect(seen.find((text) => text.startsWith("/metrics"))).to.include('to="SETTLED"');

    // Endpoints that quote what they were asked, in answers and in errors.
    world.genLayer.fault = () => ({ status: 500, text: "<html>CANARY-ANSWER</html>" });
    world.evm.fault = () => {
      throw new Error(`down: ${evm.url}/v2/CANARY-EVM?key=CANARY-EVM`);
    };
    await new Promise((resolve) => setTimeout(resolve, 500));
    await look(agreementId, submissionHash);
    run.process.kill("SIGTERM");
    expect(await run.ended).to.equal(0);

    const lines = run.output.stderr.trimEnd().split("\n");
    expect(lines.length).to.be.greaterThan(20);
    for (const line of lines) expect(() => JSON.parse(line) as unknown, line).to.not.throw();
    for (const canary of CANARIES)
      for (const text of [...lines, run.output.stdout, ...seen])
        expect(text.toLowerCase(), canary).to.not.include(canary.toLowerCase());
  }).timeout(90_000);
});
