import { matchesTemplate, templateFault } from "@assay/protocol";
import { expect } from "chai";
import { executionChainVectors } from "./support/vectors.ts";

const { templates } = executionChainVectors();

describe("path templates", () => {
  it("may hold one name in a segment", () => {
    for (const template of templates.accepted) expect(templateFault(template), template).to.equal(undefined);
  });

  it("are refused, with a hint, when they could be read in two ways", () => {
    for (const template of templates.refused) {
      const fault = templateFault(template);
      expect(fault, JSON.stringify(template)).to.not.equal(undefined);
      expect(fault!.hint).to.match(/^[A-Z].*\.$/);
    }
    expect(templateFault(`/${"a".repeat(254)}`)).to.equal(undefined);
    expect(templateFault(`/${"a".repeat(255)}`)!.message).to.equal("is a path template of 256 bytes");
  });

  it("stand for exactly the paths with their segments", () => {
    for (const { template, target, matches } of templates.matching) {
      expect(matchesTemplate(template, target), `${template} and ${target}`).to.equal(matches);
    }
  });
});
