import { expect } from "chai";
import { createPace, type Pace } from "../../../oracle/src/run/pace.ts";
import { LONGEST_PAUSE_MILLISECONDS } from "../../../oracle/src/store/index.ts";

const POLL = 2_000;
const NOW = 1_000_000_000;

describe("pace", () => {
  const paceOf = (simulated = true): Pace =>
    createPace({ config: { pollMilliseconds: POLL }, simulated, now: () => NOW });

  /** Pauses are spread: never longer than asked, and a quarter shorter at most. */
  function expectAbout(pause: number, asked: number): void {
    expect(pause).to.be.within(Math.floor(asked * 0.75), asked);
    expect(Number.isInteger(pause)).to.equal(true);
  }

  it("looks again within a poll", () => {
    for (let turn = 0; turn < 20; turn++) expectAbout(paceOf().pause("poll", "watchSettlement", 0), POLL);
  });

  it("never loses patience with a delivery under way, however long it takes", () => {
    expectAbout(paceOf().pause("poll", "watchSettlement", 86_400_000), POLL);
  });

  it("looks less often for documents and signatures that stay away, and every quarter of an hour at least", () => {
    const pace = paceOf();
    for (const effect of ["collectDocuments", "collectAttestations"] as const) {
      expectAbout(pace.pause("poll", effect, 8_000), POLL);
      expectAbout(pace.pause("poll", effect, 80_000), 10_000);
      expectAbout(pace.pause("poll", effect, 30 * 86_400_000), 900_000);
    }
  });

  it("asks a public GenLayer node every five seconds at most", () => {
    expectAbout(paceOf(false).pause("judgePoll", "readJudge", 0), 5_000);
    expectAbout(paceOf(true).pause("judgePoll", "readJudge", 0), POLL);
  });

  it("divides the looks at the judge among those that wait for it", () => {
    const pace = paceOf(false);
    pace.count(
      new Map([
        ["JUDGING", 900],
        ["PROVISIONAL", 100],
        ["ANCHORED", 1_000_000],
      ]),
    );
    expectAbout(pace.pause("judgePoll", "readJudge", 0), 100_000);
  });

  it("gives those that wait for room in a lane one turn after the other", () => {
    const pace = paceOf();
    const turns = Array.from({ length: 64 }, () => pace.pause("lane", "prepareSettlement", 0));
    expect(turns[0]).to.equal(63);
    expect(turns.at(-1)).to.equal(4_000);
    expect(turns).to.deep.equal(turns.toSorted((one, other) => one - other));
    expect(pace.pause("lane", "relay", 0), "another lane").to.equal(63);
  });

  it("never pauses so long that the store would take the row for due", () => {
    const pace = paceOf(false);
    pace.count(new Map([["JUDGING", 1_000_000]]));
    expectAbout(pace.pause("judgePoll", "readJudge", 0), LONGEST_PAUSE_MILLISECONDS);
    expectAbout(pace.pause("poll", "collectDocuments", 365 * 86_400_000), LONGEST_PAUSE_MILLISECONDS);
    const turns = Array.from({ length: 20_000 }, () => pace.pause("lane", "relay", 0));
    expect(turns.at(-1)).to.equal(LONGEST_PAUSE_MILLISECONDS);
  });
});
