import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { Wallet, encryptKeystoreJson } from "ethers";
import { run } from "@assay/cli";
import { developmentWallet } from "../../cli/src/wallet/development.ts";
import { requireWallet } from "../../cli/src/options/wallet.ts";
import { assay } from "./support/run.ts";

const KEY = `0x${"5a".repeat(32)}`;
const ADDRESS = new Wallet(KEY).address;

describe("assay wallet", function () {
  this.timeout(60_000);
  let home: string;
  let passwordFile: string;
  before(async () => {
    home = await mkdtemp(join(tmpdir(), "assay-wallet-"));
    passwordFile = join(home, "password");
    await writeFile(passwordFile, "correct horse\nnot this line\n", { mode: 0o600 });
  });
  after(() => rm(home, { recursive: true, force: true }));

  const wallet = (args: string[], env: Record<string, string> = {}) =>
    assay(["wallet", ...args], { ASSAY_HOME: home, ...env });
  const signer = (name: string, file: string) =>
    requireWallet(
      { wallet: name, passwordFile: file },
      { env: { ASSAY_HOME: home }, out: () => undefined, diagnose: () => undefined },
      null,
    );

  it("makes a keystore that only its owner can read, and never replaces one", async () => {
    const { code, out } = await wallet(["new", "me", "--password-file", passwordFile]);
    expect(code).to.equal(0);
    const path = join(home, "wallets", "me.json");
    expect((await stat(path)).mode & 0o777).to.equal(0o600);
    const text = await readFile(path, "utf8");
    expect((JSON.parse(text) as { version: number }).version).to.equal(3);
    expect((await wallet(["address", "me"])).out).to.equal(out);
    const again = await wallet(["new", "me", "--password-file", passwordFile]);
    expect(again.code).to.equal(2);
    expect(again.err).to.include("exists already");
    expect(await readFile(path, "utf8")).to.equal(text);
    const list = await wallet(["list", "--json"]);
    expect(JSON.parse(list.out)).to.deep.equal({ wallets: [{ name: "me", address: out.trim(), path }] });
  });

  it("takes a key from the environment only when that is allowed, and 0 does not allow it", async () => {
    for (const env of [{}, { ASSAY_ALLOW_ENV_KEY: "0" }]) {
      const { code, err } = await wallet(["import", "env", "--password-file", passwordFile], {
        ASSAY_PRIVATE_KEY: KEY,
        ...env,
      });
      expect(code).to.equal(2);
      expect(err).to.include("not used without being allowed").and.not.include(KEY.slice(2));
    }
    const { code, out } = await wallet(
      ["import", "env", "--password-file", passwordFile, "--allow-env-key"],
      {
        ASSAY_PRIVATE_KEY: KEY,
      },
    );
    expect([code, out]).to.deep.equal([0, `${ADDRESS}\n`]);
    const bad = await wallet(["import", "bad", "--password-file", passwordFile], {
      ASSAY_PRIVATE_KEY: "0x1234secret",
      ASSAY_ALLOW_ENV_KEY: "1",
    });
    expect(bad.code).to.equal(2);
    expect(bad.err).to.include("holds no private key").and.not.include("1234secret");
  });

  it("asks for key and password without showing them, and twice for a new password", async () => {
    const secrets = [KEY, "one", "two", KEY, "same", "same"];
    const go = (name: string) => {
      let out = "";
      const terminal = {
        ask: () => Promise.reject(new Error("nothing is asked openly")),
        askSecret: () => Promise.resolve(secrets.shift() ?? ""),
      };
      return run(["wallet", "import", name], {
        env: { ASSAY_HOME: home },
        out: (text) => (out += text),
        diagnose: () => undefined,
        terminal,
      }).then((code) => ({ code, out }));
    };
    expect(await go("typed")).to.deep.equal({ code: 2, out: "" });
    expect(await go("typed")).to.deep.equal({ code: 0, out: `${ADDRESS}\n` });
  });

  it("opens with the right password only", async () => {
    await wallet(["import", "locked", "--password-file", passwordFile, "--allow-env-key"], {
      ASSAY_PRIVATE_KEY: KEY,
    });
    expect((await (await signer("locked", passwordFile)).unlock()).address).to.equal(ADDRESS);
    const wrong = join(home, "wrong");
    await writeFile(wrong, "wrong\n", { mode: 0o600 });
    const error = await (await signer("locked", wrong)).unlock().catch((found: unknown) => found);
    expect(error).to.include({ name: "RefusedError", reason: "wrong_password" });
  });

  it("does not sign with a key that is not that of the address on the outside", async () => {
    const json = await encryptKeystoreJson({ address: ADDRESS, privateKey: KEY }, "p", {
      scrypt: { N: 1024 },
    });
    const other = Wallet.createRandom().address.slice(2).toLowerCase();
    const path = join(home, "swapped.json");
    await writeFile(path, json.replace(ADDRESS.slice(2).toLowerCase(), other));
    const file = join(home, "p");
    await writeFile(file, "p\n", { mode: 0o600 });
    const error = await (await signer(path, file)).unlock().catch((found: unknown) => found);
    expect((error as Error).name).to.equal("RefusedError");
  });

  it("says what to do when there is no such wallet, no keystore, or nobody to type the password", async () => {
    const missing = await wallet(["address", "nobody"]);
    expect(missing.code).to.equal(2);
    expect(missing.err).to.include("assay wallet new <name>");
    const junk = join(home, "junk.json");
    await writeFile(junk, "{}");
    expect((await wallet(["address", junk])).err).to.include("is no keystore of version 3");
    expect((await wallet(["address", "../../etc/passwd"])).code).to.equal(2);
    const silent = await wallet(["new", "silent"]);
    expect(silent.code).to.equal(2);
    expect(silent.err).to.include("--password-file");
  });

  it("knows public development accounts on a chain that is a stand-in, and nowhere else", () => {
    expect(developmentWallet("buyer", 1, 31_337)?.address).to.equal(
      "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
    );
    expect(developmentWallet("buyer", 1, 8_453)).to.equal(null);
    expect(developmentWallet("buyer", 1, 1)).to.equal(null);
  });
});
