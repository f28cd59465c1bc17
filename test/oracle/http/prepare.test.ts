import { Contract, Wallet, verifyTypedData } from "ethers";
import { expect } from "chai";
import {
  agreementEscrowAbi,
  agreementIdOf,
  buildVerdictRecord,
  canonicalize,
  documentHash,
  encodeDocument,
  fiatTokenAbi,
  verdictDigest,
  verdictHash,
  verdictOf,
  verdictTypedData,
  type Address,
  type Hex,
  type Outcome,
  type Terms,
} from "@assay/protocol";
import { AnswerError, type Preparation } from "../../../oracle/src/answers/index.ts";
import { OPERATIONS, erc8004Abi } from "../../../oracle/src/prepare/index.ts";
import { agreement } from "../support/facts.ts";
import { rejection } from "../support/rejection.ts";
import { observe } from "../../../oracle/src/core/index.ts";
import { KEYS } from "../support/world.ts";
import { REWARD, createDeployment, sign, termsJson, type Deployment } from "./support/deployment.ts";

const SUBMISSION: Hex = `0x${"51".repeat(32)}`;
const STATUSES = ["None", "Funded", "Accepted", "Submitted", "Released", "Refunded", "Split"];

describe("preparations, on real contracts", () => {
  let world: Deployment;
  before(async () => {
    world = await createDeployment();
  });
  after(() => world.stop());

  const prepare = (operation: string, request: Record<string, unknown>): Promise<Preparation> =>
    world.answers.prepare(operation, request);
  const only = ({ steps }: Preparation) => {
    expect(steps).to.have.length(1);
    return steps[0]!;
  };
  const simulationOf = (step: Preparation["steps"][number]) =>
    step.kind === "send" ? step.simulation : null;
  const statusOf = async (id: Hex): Promise<string> => {
    const escrow = new Contract(world.contracts.escrow, agreementEscrowAbi, world.provider);
    const [status] = (await escrow.getFunction("stateOf")(id)) as [bigint];
    return STATUSES[Number(status)]!;
  };
  const idOf = (terms: Terms): Hex => agreementIdOf(terms, world.config.evm.chainId, world.contracts.escrow);
  const balanceOf = async (account: string): Promise<bigint> =>
    (await new Contract(world.token.address, fiatTokenAbi, world.provider).getFunction("balanceOf")(
      account,
    )) as bigint;

  /** Funds with one signature and, if asked, the seller's consent. */
  async function funded(isAccepted: boolean, changes: Partial<Terms> = {}): Promise<Terms> {
    const terms = await world.terms(changes);
    const first = await prepare("fundWithAuthorization", { terms: termsJson(terms) });
    const [authorization, acceptance] = first.steps;
    const request = {
      terms: termsJson(terms),
      authorizationSignature: await sign(authorization!, world.buyer),
      ...(isAccepted ? { sellerSignature: await sign(acceptance!, world.seller) } : {}),
    };
    await world.send(only(await prepare("fundWithAuthorization", request)), world.stranger);
    return terms;
  }

  async function submitted(changes: Partial<Terms> = {}): Promise<Terms> {
    const terms = await funded(true, changes);
    const request = { terms: termsJson(terms), submissionHash: SUBMISSION };
    await world.send(only(await prepare("submit", request)), world.seller);
    return terms;
  }

  describe("fund", () => {
    it("approves the reward first, and then funds", async () => {
      const terms = await world.terms();
      const prepared = await prepare("fund", { terms: termsJson(terms) });
      expect(prepared.agreementId).to.equal(idOf(terms));
      expect(prepared.steps.map((step) => step.kind === "send" && step.function)).to.deep.equal([
        "approve(address,uint256)",
        "fund(Terms,bytes)",
      ]);
      expect(simulationOf(prepared.steps[1]!)).to.include({ result: "unknown" });
      for (const step of prepared.steps) await world.send(step, world.buyer);
      expect(await statusOf(idOf(terms))).to.equal("Funded");
    });

    it("approves nothing when the allowance is there, and says that the call would succeed", async () => {
      const token = new Contract(world.token.address, fiatTokenAbi, world.buyer);
      const approval = (await token.getFunction("approve").send(world.contracts.escrow, REWARD)) as {
        wait(): Promise<unknown>;
      };
      await approval.wait();
      const terms = await world.terms();
      const step = only(await prepare("fund", { terms: termsJson(terms) }));
      expect(simulationOf(step)).to.include({ result: "succeeds", error: null });
      await world.send(step, world.buyer);
      expect(await statusOf(idOf(terms))).to.equal("Funded");
    });

    it("refuses terms that the escrow would refuse, with every reason", async () => {
      const terms = await world.terms({ reward: 0n, deliverBy: 1 });
      const error = await rejection(prepare("fund", { terms: termsJson(terms) }));
      expect(error).to.be.instanceOf(AnswerError);
      expect(error).to.include({ code: "terms_refused" });
      expect((error as AnswerError).issues.map(({ path }) => path)).to.include.members([
        "reward",
        "deliverBy",
      ]);
    });

    it("refuses terms in which the seller is the escrow's token", async () => {
      const terms = await world.terms({ seller: world.token.address });
      expect(await rejection(prepare("fund", { terms: termsJson(terms) }))).to.include({
        code: "terms_refused",
      });
    });
  });

  it("fundWithPermit takes a permit, and then funds with it", async () => {
    const terms = await world.terms();
    const permit = only(await prepare("fundWithPermit", { terms: termsJson(terms) }));
    const permitSignature = await sign(permit, world.buyer);
    const step = only(await prepare("fundWithPermit", { terms: termsJson(terms), permitSignature }));
    expect(simulationOf(step)).to.include({ result: "succeeds" });
    await world.send(step, world.buyer);
    expect(await statusOf(idOf(terms))).to.equal("Funded");
  });

  it("fundWithAuthorization pays and accepts by two signatures, whoever sends them", async () => {
    const terms = await funded(true);
    expect(await statusOf(idOf(terms))).to.equal("Accepted");
  });

  it("names who has to sign, and gives the digest that is signed", async () => {
    const terms = await world.terms();
    const { steps } = await prepare("fundWithAuthorization", { terms: termsJson(terms) });
    for (const step of steps) {
      if (step.kind !== "sign") throw new Error("nothing is to be sent yet");
      const by = step.signer === world.buyer.address ? world.buyer : world.seller;
      const signature = await sign(step, by);
      const { domain, types, message } = step.typedData as never;
      const { EIP712Domain: _, ...rest } = types as Record<string, never>;
      expect(verifyTypedData(domain, rest, message, signature)).to.equal(step.signer);
    }
  });

  it("says in words why a call would revert", async () => {
    const terms = await funded(true);
    const step = only(await prepare("cancel", { terms: termsJson(terms) }));
    expect(simulationOf(step)).to.include({ result: "reverts", error: "StatusUnexpected" });
    expect(simulationOf(step)?.message).to.match(/accepted/i);
    expect(simulationOf(step)?.hint).to.be.a("string");
  });

  it("accept and acceptWithSignature bring about the seller's consent", async () => {
    const one = await funded(false);
    await world.send(only(await prepare("accept", { terms: termsJson(one) })), world.seller);
    expect(await statusOf(idOf(one))).to.equal("Accepted");

    const other = await funded(false);
    const request = { terms: termsJson(other) };
    const sellerSignature = await sign(only(await prepare("acceptWithSignature", request)), world.seller);
    await world.send(
      only(await prepare("acceptWithSignature", { ...request, sellerSignature })),
      world.stranger,
    );
    expect(await statusOf(idOf(other))).to.equal("Accepted");
  });

  it("submit and submitWithSignature commit to a delivery", async () => {
    expect(await statusOf(idOf(await submitted()))).to.equal("Submitted");

    const other = await funded(true);
    const request = { terms: termsJson(other), submissionHash: SUBMISSION };
    const sellerSignature = await sign(only(await prepare("submitWithSignature", request)), world.seller);
    await world.send(
      only(await prepare("submitWithSignature", { ...request, sellerSignature })),
      world.stranger,
    );
    expect(await statusOf(idOf(other))).to.equal("Submitted");
  });

  it("cancel gives the reward back before the seller consented", async () => {
    const terms = await funded(false);
    const before = await balanceOf(terms.buyer);
    await world.send(only(await prepare("cancel", { terms: termsJson(terms) })), world.buyer);
    expect(await balanceOf(terms.buyer)).to.equal(before + REWARD);
  });

  it("concede gives the whole reward to the other side, and is prepared for the two sides only", async () => {
    const terms = await submitted();
    const request = { terms: termsJson(terms), from: terms.buyer };
    await world.send(only(await prepare("concede", request)), world.buyer);
    expect(await statusOf(idOf(terms))).to.equal("Released");
    expect(await rejection(prepare("concede", { ...request, from: world.stranger.address }))).to.include({
      code: "signer_conflict",
    });
  });

  it("settle splits as both sides signed", async () => {
    const terms = await submitted();
    const before = await balanceOf(terms.seller);
    const request = { terms: termsJson(terms), sellerAmount: "10000000" };
    const { steps } = await prepare("settle", request);
    const step = only(
      await prepare("settle", {
        ...request,
        buyerSignature: await sign(steps[0]!, world.buyer),
        sellerSignature: await sign(steps[1]!, world.seller),
      }),
    );
    await world.send(step, world.stranger);
    expect(await balanceOf(terms.seller)).to.equal(before + 10_000_000n);
  });

  it("withdraw sends a refused payout elsewhere", async () => {
    const terms = await submitted();
    await world.token.blacklist(terms.seller);
    await world.send(
      only(await prepare("concede", { terms: termsJson(terms), from: terms.buyer })),
      world.buyer,
    );
    const elsewhere = Wallet.createRandom().address;
    const step = only(await prepare("withdraw", { from: terms.seller, to: elsewhere }));
    await world.send(step, world.seller);
    await world.token.unBlacklist(terms.seller);
    expect(await balanceOf(elsewhere)).to.equal(REWARD);
  });

  describe("deliver", () => {
    /** What an operator's store holds once a verdict about a submitted agreement is attested. */
    async function attest(terms: Terms, outcome: Outcome, signs = true): Promise<Hex> {
      const agreementId = idOf(terms);
      const key = { agreementId, submissionHash: SUBMISSION };
      const { escrow, quorum, chainId } = world.config.evm;
      const record = buildVerdictRecord({
        ...{ agreement, ...key, chainId, escrow },
        finding:
          outcome === "WITHHELD"
            ? { kind: "withheld" }
            : { kind: "undetermined", transactions: [SUBMISSION, idOf(terms)] },
      });
      const verdict = verdictOf(record, terms.adjudicateBy);
      const { domain, types, message } = verdictTypedData(verdict, chainId, quorum);
      const attester = new Wallet(KEYS.attester);
      const signature = (await attester.signTypedData(domain, types, message)) as Hex;
      const digest = verdictDigest(verdict, chainId, quorum);
      const operator = attester.address as Address;
      const { state } = observe({
        ...key,
        block: { number: 1, hash: SUBMISSION },
        ...{ submittedAt: 1, documentsBy: 2, adjudicateBy: terms.adjudicateBy },
      });
      await world.store.commit({
        at: 1,
        agreements: [{ agreementId, terms, job: null, ignoredReason: null }],
        submissions: [{ before: null, after: state, events: ["SubmissionSeen"], nextAt: null }],
        signed: [
          {
            ...{ escrow, key, digest, operator, signature },
            verdict: JSON.stringify(verdict),
            record: canonicalize(record),
          },
        ],
        verdicts: [{ key, verdictHash: verdictHash(record), record: canonicalize(record) }],
        attestations: signs ? [{ digest, operator, key, signature }] : [],
      });
      return verdictHash(record);
    }

    const judged = (changes: Partial<Terms> = {}) =>
      submitted({ agreementHash: documentHash(encodeDocument(agreement)), ...changes });

    it("pays by the certificate that the operators signed, whoever sends it", async () => {
      const terms = await judged();
      await attest(terms, "UNDETERMINED");
      const step = only(await prepare("deliver", { agreementId: idOf(terms) }));
      expect(simulationOf(step)).to.include({ result: "succeeds" });
      await world.send(step, world.stranger);
      expect(await statusOf(idOf(terms))).to.equal("Split");
    });

    it("is refused while signatures are missing", async () => {
      const terms = await judged();
      await attest(terms, "WITHHELD", false);
      expect(await rejection(prepare("deliver", { agreementId: idOf(terms) }))).to.include({
        code: "signatures_missing",
        message: "0 of 1 operators' signatures are here.",
      });
    });

    it("is refused for an agreement that the operator has not seen", async () => {
      expect(await rejection(prepare("deliver", { agreementId: SUBMISSION }))).to.include({
        code: "agreement_unknown",
      });
    });

    it("goes with ERC-8004 posts once a final block says that the verdict settled it", async () => {
      const terms = await judged();
      const hash = await attest(terms, "WITHHELD");
      const agreementId = idOf(terms);
      const request = { agreementId, registry: world.token.address, from: terms.buyer };
      expect(await rejection(prepare("giveFeedback", { ...request, agentId: "7" }))).to.include({
        code: "not_settled",
      });
      await world.store.commit({
        at: 2,
        blocks: [{ number: 5, hash: SUBMISSION, parent: SUBMISSION, timestamp: 5 }],
        logs: [
          {
            ...{ agreementId, name: "Refunded", blockNumber: 5, blockHash: SUBMISSION, logIndex: 0 },
            transactionHash: SUBMISSION,
            data: { verdictHash: hash, submissionHash: SUBMISSION },
          },
        ],
        cursor: { number: 5, hash: SUBMISSION, final: { number: 5, hash: SUBMISSION, timestamp: 5 } },
      });
      const feedback = only(await prepare("giveFeedback", { ...request, agentId: "7" }));
      if (feedback.kind !== "send") throw new Error("nothing to send");
      expect(erc8004Abi.parseTransaction({ data: feedback.data })?.args.toObject()).to.deep.equal({
        agentId: 7n,
        value: 0n,
        valueDecimals: 0n,
        tag1: "assay",
        tag2: "withheld",
        endpoint: "",
        feedbackURI: `https://operator.example/v1/verdicts/${hash}`,
        feedbackHash: hash,
      });
      const response = only(await prepare("validationResponse", request));
      if (response.kind !== "send") throw new Error("nothing to send");
      expect(erc8004Abi.parseTransaction({ data: response.data })?.args.toObject()).to.deep.equal({
        requestHash: agreementId,
        response: 0n,
        responseURI: `https://operator.example/v1/verdicts/${hash}`,
        responseHash: hash,
        tag: "assay",
      });
    });
  });

  it("expire ends what nobody delivered", async () => {
    const terms = await funded(true);
    const early = only(await prepare("expire", { terms: termsJson(terms) }));
    expect(simulationOf(early)).to.include({ result: "reverts", error: "BeforeDeliveryExpiry" });
    await world.wait(3_700);
    await world.send(only(await prepare("expire", { terms: termsJson(terms) })), world.stranger);
    expect(await statusOf(idOf(terms))).to.equal("Refunded");
  });

  it("names no agreement, or two, and is refused", async () => {
    const terms = termsJson(await world.terms());
    for (const request of [{}, { terms, agreementId: SUBMISSION }])
      expect(await rejection(prepare("accept", request))).to.include({ code: "invalid_request" });
  });

  it("is never asked for money of the chain's own, nor for a key", async () => {
    const text = JSON.stringify(OPERATIONS.map(({ name, request }) => [name, request.def]));
    expect(text).to.not.match(/privateKey|mnemonic|password/i);
    const { steps } = await prepare("withdraw", { from: world.seller.address, to: world.buyer.address });
    expect(steps[0]).to.include({ value: "0" });
  });

  it("prepares without a simulation when the chain can't be asked, and says so where it has to be", async () => {
    const lonely = await createDeployment();
    try {
      const terms = termsJson(await lonely.terms());
      await lonely.stopChain();
      const step = only(await lonely.answers.prepare("accept", { terms }));
      expect(simulationOf(step)).to.deep.equal({
        result: "unknown",
        error: null,
        message: "The chain could not be asked; simulate with your own node.",
        hint: null,
      });
      expect(await rejection(lonely.answers.prepare("fund", { terms }))).to.include({
        code: "chain_unavailable",
      });
    } finally {
      await lonely.stop();
    }
  });
});
