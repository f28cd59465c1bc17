import { expect } from "chai";
import { Wallet, ZeroAddress } from "ethers";
import {
  chainOf,
  deployGate,
  executionConfigOf,
  executionDomain,
  executionVerdictHashOf,
  NONCE,
  type ExecutionProof,
} from "../support/execution.ts";
import { digestOf, escrowDomain, Status, TERMS } from "../support/typed-data.ts";
import { ethers, loadFixture, REWARD, SUBMISSION_HASH, time } from "../support/world.ts";

/** A proof after an edit; the fixture's own stays as it is for the next test. */
function tampered<T extends ExecutionProof>(proof: T, edit: (copy: T) => unknown): T {
  const copy = structuredClone(proof);
  edit(copy);
  return copy;
}

/** A walk of five steps that waits for its proof. */
async function deployProven() {
  const world = await deployGate();
  return { ...world, proof: await world.prove(5) };
}

describe("ExecutionProofGate.deliver", () => {
  it("pays the seller, whoever delivers", async () => {
    const { gate, escrow, token, seller, stranger, idOf, proof } = await loadFixture(deployProven);
    const delivering = gate.connect(stranger).deliver(proof);
    await expect(delivering).to.changeTokenBalances(ethers, token, [seller, escrow], [REWARD, -REWARD]);
    expect((await escrow.stateOf(idOf(proof.terms))).status).to.equal(Status.Released);
  });

  it("says what was proven and who signed it, and the escrow names the same", async () => {
    const { gate, escrow, escrowAddress, recorder, idOf, proof } = await loadFixture(deployProven);
    const { terms, committedRoot, terminal } = proof;
    const agreementId = idOf(terms);
    const verdictHash = executionVerdictHashOf(agreementId, committedRoot, terminal, recorder.address);
    const delivering = gate.deliver(proof);
    await expect(delivering)
      .to.emit(gate, "ExecutionProven")
      .withArgs(escrowAddress, agreementId, recorder.address, committedRoot, terminal, 5n, verdictHash);
    await expect(delivering).to.emit(escrow, "Released").withArgs(agreementId, terminal, verdictHash);
    expect(await gate.verdictHashOf(agreementId, committedRoot, terminal, recorder.address)).to.equal(
      verdictHash,
    );
  });

  for (const [length, pathLength] of [
    [1, 24],
    [2, 31],
    [3, 32],
    [3, 33],
    [20, 24],
    [2, 255],
  ] as const) {
    it(`takes a walk of ${length} step(s) along paths of ${pathLength} bytes`, async () => {
      const { gate, escrow, prove } = await loadFixture(deployGate);
      await expect(gate.deliver(await prove(length, { pathLength }))).to.emit(escrow, "Released");
    });
  }

  it("counts a contract's word as a recorder (ERC-1271)", async () => {
    const { gate, escrow, recorder, prove } = await loadFixture(deployGate);
    const wallet = await ethers.deployContract("Wallet1271", [recorder.address]);
    const proof = await prove(3, { recorderAddress: await wallet.getAddress() });
    await wallet.setAnswer(3n);
    await expect(gate.deliver(proof)).to.be.revertedWithCustomError(gate, "TerminalNotSigned");
    await wallet.setAnswer(0n);
    await expect(gate.deliver(proof)).to.emit(escrow, "Released");
  });

  it("lets a buyer record: its word can only cost itself", async () => {
    const { gate, escrow, buyer, signTerminal, prove } = await loadFixture(deployGate);
    const proof = await prove(2, { recorderAddress: buyer.address });
    const signature = await signTerminal(proof.terms, proof, buyer);
    await expect(gate.deliver({ ...proof, signature })).to.emit(escrow, "Released");
  });

  it("becomes a credit when the token refuses the seller, and blocks nobody", async () => {
    const { gate, escrow, token, seller, proof } = await loadFixture(deployProven);
    await token.blacklist(seller.address);
    await gate.deliver(proof);
    expect(await escrow.creditOf(seller.address)).to.equal(REWARD);
  });

  it("has no other way to act: it never refunds or splits", async () => {
    const { gate } = await loadFixture(deployProven);
    const acting = gate.interface.fragments.filter(
      (fragment) => fragment.type === "function" && !("constant" in fragment && fragment.constant),
    );
    expect(acting.map((fragment) => ("name" in fragment ? fragment.name : ""))).to.deep.equal(["deliver"]);
  });
});

describe("ExecutionProofGate.deliver: tampering", () => {
  /** Edits after which the replay ends elsewhere than where the recorder signed. */
  const OTHER_TERMINALS: Record<string, (proof: ExecutionProof) => unknown> = {
    "a request is edited": ({ exchanges }) => (exchanges[2]!.requestHash = NONCE),
    "a response is edited": ({ exchanges }) => (exchanges[4]!.responseHash = NONCE),
    "request and response stand in each other's place": ({ exchanges }) => {
      const { requestHash, responseHash } = exchanges[0]!;
      exchanges[0] = { requestHash: responseHash, responseHash: requestHash };
    },
    "two exchanges are swapped": ({ exchanges }) => exchanges.splice(1, 2, exchanges[2]!, exchanges[1]!),
    "an exchange is that of another step": ({ exchanges }) => (exchanges[3] = exchanges[0]!),
  };

  for (const [name, edit] of Object.entries(OTHER_TERMINALS)) {
    it(`reverts when ${name}`, async () => {
      const { gate, escrowAddress, recorder, idOf, proof } = await loadFixture(deployProven);
      const edited = tampered(proof, edit);
      const { committedRoot, terminal } = chainOf(edited.nonce, edited.steps, edited.exchanges);
      expect(terminal).not.to.equal(proof.terminal);
      await expect(gate.deliver(edited))
        .to.be.revertedWithCustomError(gate, "TerminalNotSigned")
        .withArgs(
          recorder.address,
          terminal,
          await gate.digestOf(escrowAddress, idOf(proof.terms), committedRoot, terminal),
        );
    });
  }

  /** Edits after which something else was walked than what was agreed on. */
  const OTHER_COMMITMENTS: Record<string, (proof: ExecutionProof) => unknown> = {
    "a method is edited": ({ steps }) => (steps[1]!.method = "GET"),
    "a path is edited": ({ steps }) => (steps[4]!.pathTemplate += "y"),
    "a flag is edited": ({ steps }) => (steps[0]!.auth = false),
    "a step is dropped": ({ steps, exchanges }) => {
      steps.pop();
      exchanges.pop();
    },
    "an extra step is walked": ({ steps, exchanges }) => {
      steps.push({ ...steps[4]!, index: 5n });
      exchanges.push(exchanges[4]!);
    },
    "two steps are swapped and numbered anew": ({ steps, exchanges }) => {
      steps.splice(1, 2, { ...steps[2]!, index: 1n }, { ...steps[1]!, index: 2n });
      exchanges.splice(1, 2, exchanges[2]!, exchanges[1]!);
    },
    "the mission is another one (nonce)": (proof) => (proof.nonce = SUBMISSION_HASH),
    "the recorder is another one": (proof) => (proof.recorder = Wallet.createRandom().address),
  };

  for (const [name, edit] of Object.entries(OTHER_COMMITMENTS)) {
    it(`reverts when ${name}`, async () => {
      const { gate, proof } = await loadFixture(deployProven);
      const edited = tampered(proof, edit);
      const { committedRoot } = chainOf(edited.nonce, edited.steps, edited.exchanges);
      await expect(gate.deliver(edited))
        .to.be.revertedWithCustomError(gate, "CommitmentMismatch")
        .withArgs(
          committedRoot,
          edited.recorder,
          executionConfigOf(committedRoot, edited.recorder),
          proof.terms.adjudicatorConfig,
        );
    });
  }

  it("reverts when the steps are reordered under their old numbers", async () => {
    const { gate, proof } = await loadFixture(deployProven);
    await expect(gate.deliver(tampered(proof, ({ steps }) => steps.reverse())))
      .to.be.revertedWithCustomError(gate, "StepMisplaced")
      .withArgs(0n, 4n);
  });

  it("reverts when a commitment itself numbers its steps wrongly", async () => {
    const { gate, prove, recorder, proof } = await loadFixture(deployProven);
    const steps = proof.steps.map((step) => ({ ...step, index: step.index + 1n }));
    const { committedRoot } = chainOf(NONCE, steps, proof.exchanges);
    const adjudicatorConfig = executionConfigOf(committedRoot, recorder.address);
    const misnumbered = await prove(5, { overrides: { adjudicatorConfig } });
    await expect(gate.deliver({ ...misnumbered, steps }))
      .to.be.revertedWithCustomError(gate, "StepMisplaced")
      .withArgs(0n, 1n);
  });

  for (const [name, change, count] of [
    ["too few", -1, 4n],
    ["too many", 1, 6n],
  ] as const) {
    it(`reverts when there are ${name} exchanges`, async () => {
      const { gate, proof } = await loadFixture(deployProven);
      const edited = tampered(proof, ({ exchanges }) =>
        change < 0 ? exchanges.pop() : exchanges.push(exchanges[0]!),
      );
      await expect(gate.deliver(edited))
        .to.be.revertedWithCustomError(gate, "ExchangeCountMismatch")
        .withArgs(count, 5n);
    });
  }

  it("reverts on an empty sequence, even one that was agreed on and signed", async () => {
    const { gate, prove } = await loadFixture(deployGate);
    const proof = await prove(0);
    expect(proof.terminal).to.equal(proof.committedRoot);
    await expect(gate.deliver(proof)).to.be.revertedWithCustomError(gate, "SequenceEmpty").withArgs();
  });

  it("reverts when the recorder packed what it hashed (negative control)", async () => {
    const { gate, signTerminal, proof } = await loadFixture(deployProven);
    const { nonce, steps, exchanges, committedRoot } = proof;
    const packed = steps.reduce((chain, step, position) => {
      const attestation = ethers.solidityPackedKeccak256(
        ["uint256", "string", "string", "bytes32", "bytes32", "bytes32"],
        [
          position,
          step.method,
          step.pathTemplate,
          exchanges[position]!.requestHash,
          exchanges[position]!.responseHash,
          ethers.solidityPackedKeccak256(["bytes32", "uint256"], [nonce, position]),
        ],
      );
      return ethers.solidityPackedKeccak256(["bytes32", "bytes32"], [chain, attestation]);
    }, committedRoot);
    const signature = await signTerminal(proof.terms, { committedRoot, terminal: packed });
    await expect(gate.deliver({ ...proof, signature })).to.be.revertedWithCustomError(
      gate,
      "TerminalNotSigned",
    );
  });

  it("reverts on bytes that aren't the ABI's, rather than read them another way", async () => {
    const { gate, gateAddress, relayer, proof } = await loadFixture(deployProven);
    const data = gate.interface.encodeFunctionData("deliver", [proof]);
    /** Words narrower than 32 bytes, after selector and offset: escrow, buyer, seller, adjudicator, clocks, share, recorder. */
    for (const word of [0, 1, 2, 5, 7, 8, 9, 11]) {
      const at = 2 + 8 + 64 + word * 64;
      const dirty = `${data.slice(0, at)}1${data.slice(at + 1)}`;
      await expect(relayer.sendTransaction({ to: gateAddress, data: dirty }), `word ${word}`).to.revert(
        ethers,
      );
    }
    for (const length of [4, 36, 400, 1_000, data.length / 2 - 100]) {
      const cut = data.slice(0, 2 + 2 * length);
      await expect(relayer.sendTransaction({ to: gateAddress, data: cut }), `${length} bytes`).to.revert(
        ethers,
      );
    }
  });
});

describe("ExecutionProofGate.deliver: who signed what", () => {
  it("reverts for a seller who records itself, even when that was agreed on", async () => {
    const { gate, seller, signTerminal, prove } = await loadFixture(deployGate);
    const proof = await prove(2, { recorderAddress: seller.address });
    const signature = await signTerminal(proof.terms, proof, seller);
    await expect(gate.deliver({ ...proof, signature }))
      .to.be.revertedWithCustomError(gate, "RecorderInvalid")
      .withArgs(seller.address);
  });

  it("reverts when nobody is the recorder, whose signature would be any bytes", async () => {
    const { gate, prove } = await loadFixture(deployGate);
    const proof = await prove(2, { recorderAddress: ZeroAddress });
    for (const signature of [proof.signature, `0x${"00".repeat(65)}`]) {
      await expect(gate.deliver({ ...proof, signature }))
        .to.be.revertedWithCustomError(gate, "RecorderInvalid")
        .withArgs(ZeroAddress);
    }
  });

  it("reverts when anybody else signed", async () => {
    const { gate, seller, buyer, stranger, signTerminal, proof } = await loadFixture(deployProven);
    for (const signer of [seller, buyer, stranger]) {
      const signature = await signTerminal(proof.terms, proof, signer);
      await expect(gate.deliver({ ...proof, signature })).to.be.revertedWithCustomError(
        gate,
        "TerminalNotSigned",
      );
    }
  });

  it("reverts on malleated, short, long and no signatures", async () => {
    const { gate, proof } = await loadFixture(deployProven);
    const { r, s, v } = ethers.Signature.from(proof.signature);
    const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
    const upper = ethers.toBeHex(order - BigInt(s), 32);
    const malleated = ethers.concat([r, upper, ethers.toBeHex(v === 27 ? 28 : 27, 1)]);
    for (const signature of [
      malleated,
      ethers.dataSlice(proof.signature, 0, 64),
      `${proof.signature}00`,
      "0x",
    ]) {
      await expect(gate.deliver({ ...proof, signature }), signature).to.be.revertedWithCustomError(
        gate,
        "TerminalNotSigned",
      );
    }
  });

  it("reverts on a walk that was signed for another agreement (replay from another mission)", async () => {
    const { gate, escrow, recorder, escrowAddress, idOf, prove } = await loadFixture(deployGate);
    const [proof, twin] = [await prove(3), await prove(3)];
    expect(twin.terms.adjudicatorConfig).to.equal(proof.terms.adjudicatorConfig);
    await expect(gate.deliver({ ...proof, terms: twin.terms }))
      .to.be.revertedWithCustomError(gate, "TerminalNotSigned")
      .withArgs(
        recorder.address,
        twin.terminal,
        await gate.digestOf(escrowAddress, idOf(twin.terms), twin.committedRoot, twin.terminal),
      );
    await gate.deliver(proof);
    expect((await escrow.stateOf(idOf(twin.terms))).status).to.equal(Status.Submitted);
  });

  it("reverts on a signature for another root or another terminal", async () => {
    const { gate, signTerminal, proof } = await loadFixture(deployProven);
    const { terms, committedRoot, terminal } = proof;
    for (const other of [
      { committedRoot: NONCE, terminal },
      { committedRoot, terminal: NONCE },
      { committedRoot: terminal, terminal: committedRoot },
    ]) {
      const signature = await signTerminal(terms, other);
      await expect(gate.deliver({ ...proof, signature })).to.be.revertedWithCustomError(
        gate,
        "TerminalNotSigned",
      );
    }
  });

  it("reverts on a signature for another chain, another contract or another domain", async () => {
    const world = await loadFixture(deployProven);
    const { gate, gateAddress, chainId, escrowAddress, recorder, signTerminal, proof } = world;
    const domain = executionDomain(chainId, escrowAddress);
    for (const other of [
      { ...domain, chainId: chainId + 1n },
      { ...domain, verifyingContract: gateAddress },
      { ...domain, name: "Assay Escrow" },
      { ...domain, version: "2" },
    ]) {
      const signature = await signTerminal(proof.terms, proof, recorder, other);
      await expect(gate.deliver({ ...proof, signature })).to.be.revertedWithCustomError(
        gate,
        "TerminalNotSigned",
      );
    }
  });
});

describe("ExecutionProofGate.deliver: what the escrow holds", () => {
  it("reverts when the agreement is another gate's", async () => {
    const { gate, escrow, prove } = await loadFixture(deployGate);
    const other = await (await ethers.deployContract("ExecutionProofGate")).getAddress();
    const proof = await prove(2, { overrides: { adjudicator: other } });
    await expect(gate.deliver(proof))
      .to.be.revertedWithCustomError(escrow, "CallerUnexpected")
      .withArgs(await gate.getAddress(), other);
  });

  it("reverts when operators were to judge", async () => {
    const { gate, escrow, quorumAddress, prove } = await loadFixture(deployGate);
    const proof = await prove(2, { overrides: { adjudicator: quorumAddress } });
    await expect(gate.deliver(proof)).to.be.revertedWithCustomError(escrow, "CallerUnexpected");
  });

  it("reverts before a submission, and takes the same proof afterwards", async () => {
    const world = await loadFixture(deployProven);
    const { gate, escrow, idOf, makeTerms, fund, submit, signTerminal, signAcceptance, proof } = world;
    for (const consent of [false, true]) {
      const { adjudicator, adjudicatorConfig } = proof.terms;
      const terms = await makeTerms({ adjudicator, adjudicatorConfig });
      await fund(terms, consent ? await signAcceptance(terms) : "0x");
      const early = { ...proof, terms, signature: await signTerminal(terms, proof) };
      await expect(gate.deliver(early))
        .to.be.revertedWithCustomError(escrow, "StatusUnexpected")
        .withArgs(idOf(terms), consent ? Status.Accepted : Status.Funded);
      await submit(terms, proof.terminal);
      await expect(gate.deliver(early)).to.emit(escrow, "Released");
    }
  });

  it("reverts for terms that were never funded", async () => {
    const { gate, escrow, idOf, signTerminal, proof } = await loadFixture(deployProven);
    const terms = { ...proof.terms, salt: proof.terms.salt + 1n };
    const signature = await signTerminal(terms, proof);
    await expect(gate.deliver({ ...proof, terms, signature }))
      .to.be.revertedWithCustomError(escrow, "StatusUnexpected")
      .withArgs(idOf(terms), Status.None);
  });

  it("reverts when something else was submitted than this walk's end", async () => {
    const world = await loadFixture(deployProven);
    const { gate, escrow, idOf, makeTerms, fund, submit, signTerminal, proof } = world;
    const { adjudicator, adjudicatorConfig } = proof.terms;
    const terms = await makeTerms({ adjudicator, adjudicatorConfig });
    await submit(await fund(terms), SUBMISSION_HASH);
    const signature = await signTerminal(terms, proof);
    await expect(gate.deliver({ ...proof, terms, signature }))
      .to.be.revertedWithCustomError(escrow, "SubmissionHashMismatch")
      .withArgs(idOf(terms), proof.terminal, SUBMISSION_HASH.slice(0, 64));
  });

  it("reverts the second time", async () => {
    const { gate, escrow, idOf, proof } = await loadFixture(deployProven);
    await gate.deliver(proof);
    await expect(gate.deliver(proof))
      .to.be.revertedWithCustomError(escrow, "StatusUnexpected")
      .withArgs(idOf(proof.terms), Status.Released);
  });

  it("reverts when the parties ended the agreement themselves", async () => {
    const { gate, escrow, seller, idOf, proof } = await loadFixture(deployProven);
    await escrow.connect(seller).concede(proof.terms);
    await expect(gate.deliver(proof))
      .to.be.revertedWithCustomError(escrow, "StatusUnexpected")
      .withArgs(idOf(proof.terms), Status.Refunded);
  });

  it("is taken in the last second of adjudicateBy, and not one later", async () => {
    const { gate, escrow, prove } = await loadFixture(deployGate);
    for (const late of [0n, 1n]) {
      const proof = await prove(2);
      const { adjudicateBy } = proof.terms;
      await time.setNextBlockTimestamp(adjudicateBy + late);
      if (late === 0n) await expect(gate.deliver(proof)).to.emit(escrow, "Released");
      else {
        await expect(gate.deliver(proof))
          .to.be.revertedWithCustomError(escrow, "AfterAdjudicationExpiry")
          .withArgs(adjudicateBy + 1n, adjudicateBy);
      }
    }
  });

  it("leaves no event when the escrow refuses", async () => {
    const { gate, proof } = await loadFixture(deployProven);
    await gate.deliver(proof);
    await expect(gate.deliver(proof)).to.revert(ethers);
    expect(await gate.queryFilter(gate.filters.ExecutionProven())).to.have.length(1);
  });

  it("can be called back by a hostile escrow without harm", async () => {
    const world = await loadFixture(deployProven);
    const { gate, escrow, token, chainId, seller, recorder, idOf, signTerminal, proof } = world;
    const hostile = await ethers.deployContract("HostileEscrow");
    const hostileAddress = await hostile.getAddress();
    await hostile.setCall(gate.interface.encodeFunctionData("deliver", [proof]));
    const signature = await signTerminal(
      proof.terms,
      proof,
      recorder,
      executionDomain(chainId, hostileAddress),
      digestOf(escrowDomain(chainId, hostileAddress), TERMS, proof.terms),
    );
    const delivering = gate.deliver({ ...proof, escrow: hostileAddress, signature });
    await expect(delivering).to.changeTokenBalances(ethers, token, [seller], [REWARD]);
    expect(await hostile.reentrySucceeded()).to.equal(true);
    expect((await escrow.stateOf(idOf(proof.terms))).status).to.equal(Status.Released);
    await expect(gate.deliver(proof)).to.be.revertedWithCustomError(escrow, "StatusUnexpected");
  });

  it("reverts when the escrow is no contract", async () => {
    const world = await loadFixture(deployProven);
    const { gate, chainId, recorder, stranger, signTerminal, proof } = world;
    const signature = await signTerminal(
      proof.terms,
      proof,
      recorder,
      executionDomain(chainId, stranger.address),
      digestOf(escrowDomain(chainId, stranger.address), TERMS, proof.terms),
    );
    await expect(gate.deliver({ ...proof, escrow: stranger.address, signature })).to.revert(ethers);
  });
});
