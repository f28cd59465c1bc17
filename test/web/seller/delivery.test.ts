import { expect } from "chai";
import { documentHash, encodeDocument, parseSubmission, type Agreement, type Hex } from "@assay/protocol";
import { loadExample } from "../../../examples/index.ts";
import { emptyDelivery, forecast, pack, readDelivery } from "../../../web/src/seller/delivery.ts";
import { readFiles, withoutCommonFolder } from "../../../web/src/seller/read-files.ts";
import { VENUE } from "../support/venue.ts";

const ID: Hex = `0x${"a".repeat(64)}`;
const given = (path: string, content: string | Uint8Array) => ({
  path,
  file: new File([typeof content === "string" ? content : Uint8Array.from(content)], path),
});

describe("files for a delivery", () => {
  it("are read as they are, byte for byte, a mark at their start too", async () => {
    const { files, refused } = await readFiles([given("a.ts", "\uFEFFa\r\nb"), given("__proto__", "c")]);
    expect(refused).to.deep.equal([]);
    expect(files["a.ts"]).to.equal("\uFEFFa\r\nb");
    expect(Object.keys(files)).to.deep.equal(["a.ts", "__proto__"]);
  });

  it("are left out when they are no text, too many or too large, and the others stay", async () => {
    const many = Array.from({ length: 199 }, (_unused, index) => given(`f${index}`, "a"));
    const { files, refused } = await readFiles([
      given("bytes", Uint8Array.of(0xff, 0xfe)),
      ...many,
      given("too many", "a"),
    ]);
    expect(Object.keys(files)).to.have.length(199);
    expect(refused.map(({ path }) => path)).to.deep.equal(["bytes", "too many"]);
    const large = await readFiles([given("fits", "a"), given("large", "a".repeat(512 * 1024))]);
    expect(large.refused.map(({ path }) => path)).to.deep.equal(["large"]);
  });

  it("lose the name of the one folder that holds them all, and of no other", () => {
    const paths = (...all: string[]): string[] =>
      withoutCommonFolder(all.map((path) => ({ path }))).map(({ path }) => path);
    expect(paths("out/a.ts", "out/src/b.ts")).to.deep.equal(["a.ts", "src/b.ts"]);
    expect(paths("src/a.ts", "test/b.ts")).to.deep.equal(["src/a.ts", "test/b.ts"]);
    expect(paths("a.ts", "src/b.ts")).to.deep.equal(["a.ts", "src/b.ts"]);
    expect(paths()).to.deep.equal([]);
  });
});

describe("a delivery that is being put together", () => {
  it("is packed into the canonical bytes that are hashed", () => {
    const packed = pack({ ...emptyDelivery(ID), summary: "s", files: { "b.ts": "b", "a.ts": "a" } });
    if (!("document" in packed)) throw new Error("not packed");
    expect({ ...parseSubmission(packed.document, ID).files }).to.deep.equal({ "a.ts": "a", "b.ts": "b" });
    expect(packed.hash).to.equal(documentHash(packed.document));
  });

  it("says what is wrong with it, where", () => {
    const packed = pack({ ...emptyDelivery(ID), files: { "../a": "b" } });
    expect("problems" in packed && packed.problems[0]).to.include("../a");
    const large = pack({ ...emptyDelivery(ID), files: { a: "\n".repeat(500_000) } });
    expect("problems" in large && large.problems[0]).to.include("524288");
  });

  it("is taken from a whole document, if it is for this agreement", () => {
    const text = new TextDecoder().decode(
      encodeDocument({ schema: "assay/submission/1", ...emptyDelivery(ID), summary: "s" }),
    );
    expect(readDelivery(text, ID)).to.deep.include({ agreementId: ID, summary: "s" });
    expect(() => readDelivery(text, `0x${"b".repeat(64)}`)).to.throw("not 0xb");
  });

  it("is judged beforehand as the judge's code will, and left to the validators where code can't say", async () => {
    const { agreement, submission } = loadExample("password-reset/strict");
    const whole = {
      schema: "assay/agreement/1",
      ...agreement,
      adjudication: VENUE.adjudication,
    } as Agreement;
    const subject = { chainId: VENUE.chainId, escrow: VENUE.escrow, agreementId: ID };
    let pauses = 0;
    const results = async (files: Readonly<Record<string, string>>): Promise<(boolean | undefined)[]> => {
      const forecasts = await forecast(whole, { files }, subject, () => {
        pauses++;
        return Promise.resolve();
      });
      return forecasts.map(({ result }) => result?.passed);
    };
    expect(await results(submission.files)).to.deep.equal([true, true, true, true, undefined, undefined]);
    expect(pauses).to.equal(6);
    expect(await results({})).to.deep.equal([false, false, false, false, undefined, undefined]);
  });
});
