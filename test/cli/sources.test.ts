import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { openSources } from "@assay/cli";
import { findDocument, findVerdictRecord } from "@assay/evidence";
import { canonicalize, documentCid, keccak256, sha256, utf8Encode, type Hex } from "@assay/protocol";

import { serve, type Served } from "../evidence/support/serve.ts";

const DOCUMENT = utf8Encode('{"schema":"assay/agreement/1"}');
const HASH = sha256(DOCUMENT);
const RECORD = canonicalize({ outcome: "PASS", schema: "assay/verdict/1" });
const ID: Hex = `0x${"1".repeat(64)}`;

describe("sources of documents", () => {
  let folder: string;
  const servers: Served[] = [];

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "assay-sources-"));
    await writeFile(join(folder, "whatever.json"), DOCUMENT);
    await writeFile(join(folder, "verdict.json"), RECORD);
    await mkdir(join(folder, "inner"));
  });
  after(async () => {
    await Promise.all(servers.map((server) => server.stop()));
    await rm(folder, { recursive: true, force: true });
  });

  async function server(answer: Parameters<typeof serve>[0]): Promise<string> {
    const started = await serve(answer);
    servers.push(started);
    return started.url;
  }

  it("a folder is searched by what its files hash to, whatever their names", async () => {
    const sources = openSources([folder]);
    expect(await findDocument(sources, HASH)).to.deep.equal({ text: Buffer.from(DOCUMENT).toString() });
    const record = await findVerdictRecord(sources, ID, keccak256(utf8Encode(RECORD)));
    expect(record).to.deep.equal({ text: RECORD });
  });

  it("an operator is asked for the hash, and for its verdict record", async () => {
    const asked: string[] = [];
    const hash = keccak256(utf8Encode(RECORD));
    const url = await server((path) => {
      asked.push(path);
      if (path === `/v1/documents/${HASH}`) return DOCUMENT;
      const verdict = { verdictHash: hash, record: JSON.parse(RECORD) as unknown };
      return path === `/v1/agreements/${ID}` ? JSON.stringify({ submissions: [{ verdict }] }) : null;
    });
    const sources = openSources([`${url}/`]);
    expect(await findDocument(sources, HASH)).to.have.property("text");
    expect(await findVerdictRecord(sources, ID, hash)).to.deep.equal({ text: RECORD });
    expect(asked).to.deep.equal([`/v1/documents/${HASH}`, `/v1/agreements/${ID}`]);
  });

  it("a gateway is asked for the CID", async () => {
    const url = await server((path) => (path === `/ipfs/${documentCid(HASH)}` ? DOCUMENT : null));
    expect(await findDocument(openSources([`${url}/ipfs`]), HASH)).to.have.property("text");
  });

  it("the next source is asked when one has other bytes, too many, or is gone", async () => {
    const liar = await server(() => "something else");
    const flood = await server(() => Buffer.alloc(600 * 1024));
    const sources = openSources([liar, flood, "http://127.0.0.1:1", folder]);
    expect(await findDocument(sources, HASH)).to.have.property("text");
  });

  it("when nobody has it, the answer says what each source said", async () => {
    const liar = await server(() => "something else");
    const empty = await server(() => null);
    const found = await findDocument(openSources([liar, empty, "http://127.0.0.1:1"]), HASH);
    expect(found)
      .to.have.property("reason")
      .that.matches(
        new RegExp(
          `^document ${HASH} was not found: ${liar}: what it has under this hash has another hash; ` +
            `${empty} does not have it; http://127.0.0.1:1: fetch failed`,
        ),
      );
    expect(await findDocument([], HASH))
      .to.have.property("reason")
      .that.contains("no source was given");
  });
});
