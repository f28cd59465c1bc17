import { expect } from "chai";
import {
  Contract,
  id as keccakOfText,
  JsonRpcProvider,
  Wallet,
  ZeroHash,
  type ContractTransactionResponse,
} from "ethers";
import {
  acceptanceTypedData,
  adjudicatorConfigOf,
  agreementEscrowAbi,
  agreementIdOf,
  fiatTokenAbi,
  OUTCOME_CODES,
  settlementTypedData,
  toTermsStruct,
  verdictQuorumAbi,
  verdictTypedData,
  type Address,
  type Hex,
  type Outcome,
  type Terms,
  type TypedData,
} from "../../../protocol/src/index.ts";
import { deployFiatToken, startEvm, type Evm, type FiatToken } from "../../../localnet/src/evm/index.ts";
import { deployEvm } from "../../../scripts/deploy/evm.ts";
import { rpc, type Contracts } from "./chain.ts";
import type { IndexUnderTest } from "./index-under-test.ts";

const STATUSES = ["NONE", "FUNDED", "ACCEPTED", "SUBMITTED", "RELEASED", "REFUNDED", "SPLIT"];
const THRESHOLD = 2;
const HOUR = 3_600;
const JUDGE = `0x${"1d".repeat(20)}`;
const NO_SIGNATURE = "0x";

/** An agreement between the market's buyer and seller. */
export interface Deal {
  terms: Terms;
  id: Hex;
}

export interface Delivery {
  terms: ReturnType<typeof toTermsStruct>;
  verdict: TypedData["message"];
  quorum: { members: string[]; threshold: number };
  signatures: string[];
}

/** The real contracts on a real chain, with a buyer, a seller and three operators who act at a word. */
export class Market {
  readonly evm: Evm;
  readonly provider: JsonRpcProvider;
  readonly token: FiatToken;
  readonly contracts: Contracts & { startBlock: number };
  readonly buyer: Wallet;
  readonly seller: Wallet;
  readonly stranger: Wallet;
  readonly operators: Wallet[];
  #salt = 0n;

  private constructor(evm: Evm, provider: JsonRpcProvider, token: FiatToken, contracts: Market["contracts"]) {
    this.evm = evm;
    this.provider = provider;
    this.token = token;
    this.contracts = contracts;
    const [, buyer, seller, stranger] = evm.accounts.map(
      ({ privateKey }) => new Wallet(privateKey, provider),
    );
    this.buyer = buyer!;
    this.seller = seller!;
    this.stranger = stranger!;
    this.operators = operatorsOf(evm, provider);
  }

  static async start(): Promise<Market> {
    const evm = await startEvm({ blockTimeSeconds: 0 });
    const provider = new JsonRpcProvider(evm.rpcUrl, undefined, { staticNetwork: true, cacheTimeout: -1 });
    provider.pollingInterval = 25;
    const deployer = new Wallet(evm.accounts[0]!.privateKey, provider);
    const token = await deployFiatToken(deployer);
    const members = operatorsOf(evm, provider).map(({ address }) => address as Address);
    const { evaluator, ...others } = await deployEvm(deployer, token.address, {
      members,
      threshold: THRESHOLD,
    });
    const market = new Market(evm, provider, token, { ...others, evaluator: evaluator! });
    await token.mint(market.buyer.address, 10n ** 12n);
    const usdc = new Contract(token.address, fiatTokenAbi, market.buyer);
    await mined(usdc.getFunction("approve").send(market.contracts.escrow, 2n ** 255n));
    return market;
  }

  async stop(): Promise<void> {
    this.provider.destroy();
    await this.evm.stop();
  }

  /** Terms that nobody has funded yet. */
  async draft(reward = 25_000_001n): Promise<Deal> {
    const { timestamp } = (await this.provider.getBlock("latest"))!;
    const salt = ++this.#salt;
    const terms: Terms = {
      buyer: this.buyer.address as Address,
      seller: this.seller.address as Address,
      reward,
      agreementHash: keccakOfText(`document ${salt}`) as Hex,
      adjudicator: this.contracts.quorum as Address,
      adjudicatorConfig: adjudicatorConfigOf(this.#members(), THRESHOLD),
      deliverBy: timestamp + HOUR,
      adjudicateBy: timestamp + 3 * HOUR,
      noVerdictSellerBps: 5_000,
      salt,
    };
    return { terms, id: agreementIdOf(terms, this.evm.chainId, this.contracts.escrow as Address) };
  }

  /** Funds new terms; the seller consents in the same transaction when `consent` is true. */
  async fund(consent: boolean): Promise<Deal> {
    const deal = await this.draft();
    const acceptance = acceptanceTypedData(deal.id, this.evm.chainId, this.contracts.escrow as Address);
    await this.as(
      this.buyer,
      "fund",
      toTermsStruct(deal.terms),
      consent ? await sign(this.seller, acceptance) : NO_SIGNATURE,
    );
    return deal;
  }

  /** Funds, accepts and submits. */
  async deliver(): Promise<Deal> {
    const deal = await this.fund(true);
    await this.submit(deal);
    return deal;
  }

  submit({ terms, id }: Deal): Promise<void> {
    return this.as(this.seller, "submit", toTermsStruct(terms), submissionOf(id));
  }

  /** Calls the escrow with terms first, and waits until the call is mined. */
  async as(wallet: Wallet, method: string, ...args: unknown[]): Promise<void> {
    const escrow = new Contract(this.contracts.escrow, agreementEscrowAbi, wallet);
    await mined(escrow.getFunction(method).send(...args));
  }

  async settle({ terms, id }: Deal, sellerAmount: bigint): Promise<void> {
    const settlement = settlementTypedData(
      id,
      sellerAmount,
      this.evm.chainId,
      this.contracts.escrow as Address,
    );
    const signatures = [await sign(this.buyer, settlement), await sign(this.seller, settlement)];
    await this.as(this.stranger, "settle", toTermsStruct(terms), sellerAmount, ...signatures);
  }

  /** A certificate that the first two operators signed. */
  async certify({ terms, id }: Deal, outcome: Outcome): Promise<Delivery> {
    const typedData = verdictTypedData(
      {
        escrow: this.contracts.escrow as Address,
        agreementId: id,
        submissionHash: submissionOf(id),
        outcome: OUTCOME_CODES[outcome],
        verdictHash: keccakOfText(`verdict ${id}`) as Hex,
        judge: JUDGE,
        judgeTx: outcome === "WITHHELD" ? ZeroHash : keccakOfText(`judge ${id}`),
        notAfter: terms.adjudicateBy,
      } as Parameters<typeof verdictTypedData>[0],
      this.evm.chainId,
      this.contracts.quorum as Address,
    );
    const signers = this.operators.slice(0, THRESHOLD);
    return {
      terms: toTermsStruct(terms),
      verdict: typedData.message,
      quorum: { members: this.#members(), threshold: THRESHOLD },
      signatures: [
        ...(await Promise.all(signers.map((operator) => sign(operator, typedData)))),
        NO_SIGNATURE,
      ],
    };
  }

  async rule(deal: Deal, outcome: Outcome): Promise<void> {
    await this.quorumAs(this.stranger, "deliver", await this.certify(deal, outcome));
  }

  async quorumAs(wallet: Wallet, method: string, ...args: unknown[]): Promise<void> {
    const quorum = new Contract(this.contracts.quorum, verdictQuorumAbi, wallet);
    await mined(quorum.getFunction(method).send(...args));
  }

  /** An operator takes its key out of the evaluator, which keeps its own list. */
  async leaveEvaluator(operator: Wallet): Promise<void> {
    const evaluator = new Contract(this.contracts.evaluator, ["function revoke()"], operator);
    await mined(evaluator.getFunction("revoke").send());
  }

  /** Moves the chain's clock past a moment. */
  async passTime(until: number): Promise<void> {
    await rpc(this.evm.rpcUrl, "evm_setNextBlockTimestamp", until + 1);
    await rpc(this.evm.rpcUrl, "evm_mine");
  }

  /** Replaces the last `depth` blocks by empty ones, and mines one more: graph-node looks at higher heads only. */
  async reorganise(depth: number): Promise<void> {
    await rpc(this.evm.rpcUrl, "anvil_reorg", depth, []);
    await rpc(this.evm.rpcUrl, "evm_mine");
  }

  /** Fails unless the index's books equal the escrow's token balance, and its states those of the contract. */
  async expectIndexToAgree(index: IndexUnderTest): Promise<void> {
    const escrow = new Contract(this.contracts.escrow, agreementEscrowAbi, this.provider);
    const token = new Contract(this.token.address, fiatTokenAbi, this.provider);
    const [books] = await index.all("escrows", [
      "id",
      "fundedTotal",
      "paidOutTotal",
      "lockedReward",
      "openCredits",
    ]);
    const sum = (name: string): bigint => BigInt(String(books![name]));
    const owed = sum("lockedReward") + sum("openCredits");
    expect(owed).to.equal(sum("fundedTotal") - sum("paidOutTotal"));
    expect(owed).to.equal(await token.getFunction("balanceOf").staticCall(this.contracts.escrow));
    for (const { id, status } of await index.all("agreements", ["id", "status"])) {
      const [code] = (await escrow.getFunction("stateOf").staticCall(id)) as [bigint];
      expect(STATUSES[Number(code)], String(id)).to.equal(status);
    }
  }

  #members(): Address[] {
    return this.operators.map(({ address }) => address as Address);
  }
}

const submissionOf = (id: Hex): Hex => keccakOfText(`submission ${id}`) as Hex;

const sign = (wallet: Wallet, { domain, types, message }: TypedData): Promise<string> =>
  wallet.signTypedData(domain, types, message);

async function mined(sent: Promise<ContractTransactionResponse>): Promise<void> {
  await (await sent).wait();
}

/** Three accounts that neither buy nor sell, in ascending order. */
function operatorsOf(evm: Evm, provider: JsonRpcProvider): Wallet[] {
  return evm.accounts
    .slice(4, 7)
    .map(({ privateKey }) => new Wallet(privateKey, provider))
    .sort((a, b) => (BigInt(a.address) < BigInt(b.address) ? -1 : 1));
}
