import { readdirSync, readFileSync } from "node:fs";
import { expect } from "chai";
import { Interface, type EventFragment, type InterfaceAbi } from "ethers";

const root = new URL("../../", import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, root), "utf8");

const manifest = read("subgraph/subgraph.template.yaml");
const schema = read("subgraph/schema.graphql");
const sources = readdirSync(new URL("subgraph/src", root), { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".ts"))
  .map((name) => ({ name, text: read(`subgraph/src/${name}`) }));

/** Data source by data source, the events of the manifest with their handlers. */
function readHandlers(dataSource: string): Map<string, string> {
  const [, part = ""] = manifest.split(`name: ${dataSource}\n`);
  const [own = ""] = part.split("- kind: ethereum\n");
  return new Map(
    [...own.matchAll(/- event: (.+)\n\s+handler: (\w+)/g)].map(([, event, handler]) => [event!, handler!]),
  );
}

/** OpenZeppelin's EIP712 declares it, and never emits it for a domain that can't change. */
const NEVER_EMITTED = ["EIP712DomainChanged"];

function readEvents(contract: string): EventFragment[] {
  const { abi } = JSON.parse(read(`artifacts/contracts-evm/${contract}.sol/${contract}.json`)) as {
    abi: InterfaceAbi;
  };
  const events: EventFragment[] = [];
  new Interface(abi).forEachEvent((event) => {
    if (!NEVER_EMITTED.includes(event.name)) events.push(event);
  });
  return events;
}

/** An event as manifests write it: types without names. */
function inManifest({ name, inputs }: EventFragment): string {
  const types = inputs.map(
    (input) => `${input.indexed === true ? "indexed " : ""}${input.format("sighash")}`,
  );
  return `${name}(${types.join(",")})`;
}

for (const contract of ["AgreementEscrow", "VerdictQuorum", "Erc8183Evaluator", "ExecutionProofGate"]) {
  describe(`subgraph manifest for ${contract}`, () => {
    const handlers = readHandlers(contract);
    const events = readEvents(contract);

    for (const event of events) {
      it(`handles ${event.name} with its exact signature`, () => {
        expect(handlers.get(inManifest(event))).to.equal(`handle${event.name}`);
      });
    }

    it("handles nothing that the contract does not emit", () => {
      expect([...handlers.keys()]).to.have.members(events.map(inManifest));
    });
  });
}

describe("subgraph schema", () => {
  const enums = new Map(
    [...schema.matchAll(/enum (\w+) \{([^}]*)\}/g)].map(([, name, body]) => [
      name!,
      [...body!.matchAll(/^ {2}(\w+)$/gm)].map(([, value]) => value!),
    ]),
  );
  const vocabulary = sources.find(({ name }) => name === "vocabulary.ts")!.text;

  for (const [namespace, type] of [
    ["Status", "AgreementStatus"],
    ["Kind", "AgreementEventKind"],
    ["Cause", "TerminalCause"],
    ["Outcomes", "Outcome"],
  ] as const) {
    it(`and the mappings name the same values of ${type}`, () => {
      const [, body = ""] = vocabulary.split(`namespace ${namespace} {`);
      const values = [...body.split("\nexport namespace")[0]!.matchAll(/const (\w+): string = "(\w+)"/g)];
      for (const [, name, value] of values) expect(name).to.equal(value);
      expect(values.map(([, name]) => name)).to.have.members(enums.get(type)!);
    });
  }

  it("says of every entity whether it can change, and what it is", () => {
    const types = [...schema.matchAll(/(\S+)\n(?:type|interface|enum) (\w+)[^{]*\{/g)];
    expect(types).to.have.length([...schema.matchAll(/^(type|interface|enum) /gm)].length);
    for (const [declaration, lastWordBefore, name] of types) {
      expect(lastWordBefore, name).to.match(/"$/);
      if (declaration.includes("\ntype ")) {
        expect(declaration, name).to.match(/@entity\((immutable|timeseries): (true|false)\)|@aggregation\(/);
      }
    }
  });
});

describe("subgraph mappings' sources", () => {
  for (const { name, text } of sources) {
    it(`${name} deletes nothing, calls no contract and loads nothing derived`, () => {
      expect(text).to.not.match(/store\.remove|\.bind\(|\btry_|\.\w+\.load\(\)|loadRelated/);
    });
  }
});
