import { expect } from "chai";
import type { ParamType } from "ethers";
import fc from "fast-check";
import { decodeStaticEvent } from "../../../oracle/src/ingest/static-abi.ts";
import { escrowInterface } from "../../../oracle/src/rpc/index.ts";
import type { Hex } from "@assay/protocol";

const hex = (bytes: number) =>
  fc
    .uint8Array({ minLength: bytes, maxLength: bytes })
    .map((value) => `0x${Buffer.from(value).toString("hex")}`);

/** Any value of a member, as ethers takes it. */
function valueOf(member: ParamType): fc.Arbitrary<unknown> {
  if (member.components !== null) return fc.tuple(...member.components.map(valueOf));
  if (member.type === "address") return hex(20);
  if (member.type.startsWith("bytes")) return hex(Number(member.type.slice(5)));
  return fc.bigInt(0n, 2n ** BigInt(member.type.slice(4)) - 1n);
}

/** What ethers decodes, as text by name. */
function byEthers(
  members: readonly ParamType[],
  values: readonly unknown[],
  prefix = "",
): Record<string, string> {
  return Object.assign(
    {},
    ...members.map((member, index) =>
      member.components === null
        ? { [prefix + member.name]: String(values[index]) }
        : byEthers(member.components, values[index] as unknown[], `${prefix}${member.name}.`),
    ),
  ) as Record<string, string>;
}

const events = escrowInterface.fragments.flatMap((fragment) =>
  fragment.type === "event"
    ? [escrowInterface.getEvent((fragment as unknown as { name: string }).name)!]
    : [],
);

describe("decodeStaticEvent", () => {
  for (const event of events)
    it(`decodes ${event.name} as ethers does, whatever its values are`, () => {
      fc.assert(
        fc.property(fc.tuple(...event.inputs.map(valueOf)), (values) => {
          const log = escrowInterface.encodeEventLog(event, values) as { topics: Hex[]; data: Hex };
          const expected = escrowInterface.decodeEventLog(event, log.data, log.topics);
          expect(decodeStaticEvent(event, log)).to.deep.equal(
            byEthers(event.inputs, expected.toArray() as unknown[]),
          );
        }),
        { numRuns: 50 },
      );
    });

  const event = escrowInterface.getEvent("Submitted")!;
  const id: Hex = `0x${"a1".repeat(32)}`;
  const good = escrowInterface.encodeEventLog(event, [id, id]) as { topics: Hex[]; data: Hex };

  it("refuses a log with a member too few or too many", () => {
    expect(() => decodeStaticEvent(event, { ...good, data: "0x" })).to.throw(
      "Submitted has no submissionHash",
    );
    expect(() => decodeStaticEvent(event, { ...good, topics: good.topics.slice(0, 1) })).to.throw(
      "Submitted has no agreementId",
    );
    expect(() => decodeStaticEvent(event, { ...good, data: `${good.data}${"00".repeat(32)}` })).to.throw(
      "Submitted has more than its members",
    );
  });

  it("refuses a word that holds more than its type can", () => {
    const funded = escrowInterface.getEvent("Funded")!;
    const address: Hex = `0x${"11".repeat(20)}`;
    const terms = [address, address, 1n, id, address, id, 1n, 2n, 3n, 4n];
    const log = escrowInterface.encodeEventLog(funded, [id, address, address, terms]) as {
      topics: Hex[];
      data: Hex;
    };
    const words = log.data.slice(2).match(/.{64}/g)!;
    for (const [index, type] of [
      [0, "address"],
      [7, "uint48"],
      [8, "uint16"],
    ] as const) {
      const broken = words.with(index, "f".repeat(64)).join("");
      expect(() => decodeStaticEvent(funded, { ...log, data: `0x${broken}` })).to.throw(
        `a word holds more than ${type} can`,
      );
    }
  });
});
