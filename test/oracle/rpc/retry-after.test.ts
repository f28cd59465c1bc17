import { expect } from "chai";
import { parseRetryAfter } from "../../../oracle/src/rpc/retry-after.ts";

const NOW = Date.UTC(2026, 0, 1, 12, 0, 0);

describe("Retry-After", () => {
  for (const [header, milliseconds] of [
    ["30", 30_000],
    ["0.5", 500],
    ["Thu, 01 Jan 2026 12:00:45 GMT", 45_000],
    ["86400", 600_000],
    ["0", null],
    ["-5", null],
    ["Thu, 01 Jan 2026 11:00:00 GMT", null],
    ["soon", null],
    ["", null],
    [null, null],
  ] as const)
    it(`${JSON.stringify(header)} asks for ${milliseconds === null ? "nothing" : `${milliseconds} ms`}`, () => {
      expect(parseRetryAfter(header, NOW)).to.equal(milliseconds);
    });
});
