import { expect } from "chai";
import {
  DISCONNECTED,
  nextConnection,
  type Connection,
  type ConnectionEvent,
} from "../../../web/src/wallet/connection.ts";

const CHAIN = 31337;
const ANN = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
const BOB = "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC";
const WORDS = { message: "No.", hint: "Ask again." };

const after = (...events: ConnectionEvent[]): Connection =>
  events.reduce((state, event) => nextConnection(state, event, CHAIN), DISCONNECTED);
const asked: ConnectionEvent = { type: "asked", wallet: "w" };
const answered = (chainId: unknown = "0x7a69", accounts: unknown = [ANN.toLowerCase()]): ConnectionEvent => ({
  type: "answered",
  wallet: "w",
  accounts,
  chainId,
});

describe("connection with a wallet", () => {
  it("goes from disconnected over connecting to connected, with the account in EIP-55 spelling", () => {
    expect(after(asked)).to.deep.equal({ name: "connecting", wallet: "w" });
    expect(after(asked, answered())).to.deep.equal({
      name: "connected",
      wallet: "w",
      account: ANN,
      chainId: CHAIN,
    });
  });

  it("is refused when its owner says no, and can be asked for again", () => {
    const refused = after(asked, { type: "refused", wallet: "w", words: WORDS });
    expect(refused).to.deep.equal({ name: "refused", wallet: "w", words: WORDS });
    expect(nextConnection(refused, asked, CHAIN).name).to.equal("connecting");
  });

  for (const accounts of [[], null, ["nobody"], [7]])
    it(`is refused when the accounts are ${JSON.stringify(accounts)}`, () => {
      expect(after(asked, answered("0x7a69", accounts)).name).to.equal("refused");
    });

  it("is on the wrong network when the wallet's chain is another one, and says which", () => {
    expect(after(asked, answered("0x1"))).to.include({ name: "wrong_network", chainId: 1, switching: false });
  });

  it("waits for a switch of networks, keeps why it was refused, and is connected once it is done", () => {
    const wrong = [asked, answered(1)];
    expect(after(...wrong, { type: "switch_asked" })).to.include({ name: "wrong_network", switching: true });
    const refused = after(...wrong, { type: "switch_asked" }, { type: "switch_refused", words: WORDS });
    expect(refused).to.deep.include({ switching: false, words: WORDS });
    expect(after(...wrong, { type: "chain_changed", wallet: "w", chainId: "0x7a69" }).name).to.equal(
      "connected",
    );
  });

  it("follows the wallet to another account and away from the network", () => {
    const changed = after(asked, answered(), { type: "accounts_changed", wallet: "w", accounts: [BOB, ANN] });
    expect(changed).to.include({ name: "connected", account: BOB });
    const moved = nextConnection(changed, { type: "chain_changed", wallet: "w", chainId: "0x1" }, CHAIN);
    expect(moved).to.include({ name: "wrong_network", account: BOB, chainId: 1 });
  });

  it("is disconnected when the wallet shows no account any more, or the page leaves it", () => {
    expect(after(asked, answered(), { type: "accounts_changed", wallet: "w", accounts: [] })).to.equal(
      DISCONNECTED,
    );
    expect(after(asked, answered(), { type: "left" })).to.equal(DISCONNECTED);
  });

  it("is not moved by a wallet that is not the one in use", () => {
    const connected = after(asked, answered());
    const foreign: ConnectionEvent = { type: "accounts_changed", wallet: "other", accounts: [BOB] };
    expect(nextConnection(connected, foreign, CHAIN)).to.equal(connected);
    expect(nextConnection(connected, { ...foreign, type: "chain_changed", chainId: 1 }, CHAIN)).to.equal(
      connected,
    );
  });

  it("is not moved by an answer that nobody waits for", () => {
    expect(after(answered())).to.equal(DISCONNECTED);
    const left = after(asked, { type: "left" }, answered());
    expect(left).to.equal(DISCONNECTED);
  });
});
