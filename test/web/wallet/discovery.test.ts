import { expect } from "chai";
import { createDiscovery } from "../../../web/src/wallet/discovery.ts";
import type { Eip1193Provider } from "../../../web/src/wallet/eip1193.ts";

const provider: Eip1193Provider = {
  request: () => Promise.resolve(null),
  on: () => undefined,
  removeListener: () => undefined,
};
const INFO = { uuid: "1", name: "Wallet", icon: "data:image/png;base64,AA==", rdns: "org.example" };

class Announcement extends Event {
  readonly detail: unknown;
  constructor(detail: unknown) {
    super("eip6963:announceProvider");
    this.detail = detail;
  }
}

describe("wallet discovery", () => {
  const announce = (target: EventTarget, detail: unknown): void =>
    void target.dispatchEvent(new Announcement(detail));

  it("asks wallets to announce themselves, and lists those that do", () => {
    const target = new EventTarget();
    target.addEventListener("eip6963:requestProvider", () => announce(target, { info: INFO, provider }));
    expect(createDiscovery(target).wallets()).to.deep.equal([{ ...INFO, provider }]);
  });

  it("lists a wallet once, however often it announces itself, and the first one keeps its id", () => {
    const target = new EventTarget();
    const discovery = createDiscovery(target);
    announce(target, { info: INFO, provider });
    announce(target, { info: { ...INFO, name: "Other" }, provider });
    expect(discovery.wallets().map(({ name }) => name)).to.deep.equal(["Wallet"]);
  });

  it("tells those who listen, and hands out the same list until it changes", () => {
    const target = new EventTarget();
    const discovery = createDiscovery(target);
    let told = 0;
    const stop = discovery.subscribe(() => told++);
    announce(target, { info: INFO, provider });
    const before = discovery.wallets();
    announce(target, { info: INFO, provider });
    expect(discovery.wallets()).to.equal(before);
    stop();
    announce(target, { info: { ...INFO, uuid: "2" }, provider });
    expect(told).to.equal(1);
    expect(discovery.wallets()).to.have.length(2);
  });

  for (const [what, detail] of [
    ["nothing", null],
    ["no provider", { info: INFO }],
    ["a provider that takes no requests", { info: INFO, provider: {} }],
    ["no id", { info: { ...INFO, uuid: "" }, provider }],
    ["no name", { info: { uuid: "1", rdns: "a" }, provider }],
  ] as const) {
    it(`passes over an announcement of ${what}`, () => {
      const target = new EventTarget();
      const discovery = createDiscovery(target);
      announce(target, detail);
      expect(discovery.wallets()).to.deep.equal([]);
    });
  }

  it("shows no icon that would have to be fetched or is no image", () => {
    for (const icon of [
      "https://example.org/icon.png",
      "data:text/html,<script>",
      "javascript:alert(1)",
      1,
    ]) {
      const target = new EventTarget();
      const discovery = createDiscovery(target);
      announce(target, { info: { ...INFO, icon }, provider });
      expect(discovery.wallets()[0]?.icon).to.equal(null);
    }
  });

  it("keeps names on one line, in one direction, and short", () => {
    const target = new EventTarget();
    const discovery = createDiscovery(target);
    announce(target, { info: { ...INFO, name: `\u202EA\n${"b".repeat(100)}` }, provider });
    expect(discovery.wallets()[0]?.name).to.equal(`A${"b".repeat(39)}`);
  });

  it("takes no endless number of wallets", () => {
    const target = new EventTarget();
    const discovery = createDiscovery(target);
    for (let uuid = 0; uuid < 100; uuid++)
      announce(target, { info: { ...INFO, uuid: String(uuid) }, provider });
    expect(discovery.wallets()).to.have.length(30);
  });
});
