import { expect } from "chai";
import { id as keccakOfText, Interface, JsonRpcProvider, SigningKey, Wallet, ZeroHash } from "ethers";
import {
  acceptanceTypedData,
  adjudicatorConfigOf,
  agreementIdOf,
  fiatTokenAbi,
  OUTCOME_CODES,
  settlementTypedData,
  toTermsStruct,
  typedDataDigest,
  verdictTypedData,
  type Address,
  type Hex,
  type Outcome,
  type Terms,
  type TermsStruct,
  type TypedData,
} from "../../../protocol/src/index.ts";
import { deployFiatToken, startEvm, type Evm, type EvmAccount } from "../../../localnet/src/evm/index.ts";
import { deployEvm, type EvmDeployment } from "../../../scripts/deploy/evm.ts";
import { readInterface } from "./artifacts.ts";
import { BUYERS, type Life, type Plan } from "./plan.ts";
import { rpc, rpcBatch, type Call } from "./rpc.ts";

const TOKEN = new Interface(fiatTokenAbi);
const ESCROW = readInterface("AgreementEscrow");
const QUORUM = readInterface("VerdictQuorum");

const NO_SIGNATURE = "0x";
const THRESHOLD = 2;
const GAS_PRICE = 100n * 10n ** 9n;
const GAS = 400_000;
const MINTED = 10n ** 15n;
const JUDGE: Address = `0x${"1D".repeat(20)}`;
const OUTCOMES = {
  passed: "PASS",
  failed: "FAIL",
  undetermined: "UNDETERMINED",
  withheld: "WITHHELD",
} as const;

interface Transaction {
  from: EvmAccount;
  to: string;
  data: string;
  gas?: number;
}

/** A life with what it is called on the chain. */
interface Deal {
  life: Life;
  terms: Terms;
  struct: TermsStruct;
  id: Hex;
  submissionHash: Hex;
}

/** The real contracts on a real chain, on which planned lives are lived. */
export class Play {
  readonly evm: Evm;
  readonly contracts: EvmDeployment;
  readonly parties: EvmAccount[];
  readonly person: EvmAccount;
  readonly #stranger: EvmAccount;
  readonly #operators: EvmAccount[];
  readonly #nonces = new Map<string, number>();

  private constructor(evm: Evm, contracts: EvmDeployment) {
    this.evm = evm;
    this.contracts = contracts;
    const [, stranger, person, ...others] = evm.accounts;
    this.#stranger = stranger!;
    this.person = person!;
    this.#operators = others
      .slice(0, 3)
      .sort((one, other) => (BigInt(one.address) < BigInt(other.address) ? -1 : 1));
    this.parties = others.slice(3);
  }

  /** Deploys, gives the buyers money, and bars one party from receiving any. */
  static async start(barred: number): Promise<Play> {
    const evm = await startEvm({ blockTimeSeconds: 0 });
    const provider = new JsonRpcProvider(evm.rpcUrl, undefined, { staticNetwork: true, cacheTimeout: -1 });
    provider.pollingInterval = 25;
    try {
      const deployer = new Wallet(evm.accounts[0]!.privateKey, provider);
      const token = await deployFiatToken(deployer);
      const play = new Play(evm, await deployEvm(deployer, token.address));
      await token.blacklist(play.parties[barred]!.address);
      await rpc(evm.rpcUrl, "evm_setAutomine", false);
      const approve = TOKEN.encodeFunctionData("approve", [play.contracts.escrow, 2n ** 255n]);
      play.#nonces.set(evm.accounts[0]!.address, await deployer.getNonce());
      await play.#mine(
        BUYERS.flatMap((party) => {
          const buyer = play.parties[party]!;
          const mint = TOKEN_MINT.encodeFunctionData("mint", [buyer.address, MINTED]);
          return [
            { from: evm.accounts[0]!, to: token.address, data: mint },
            { from: buyer, to: token.address, data: approve },
          ];
        }),
      );
      return play;
    } catch (error) {
      await evm.stop();
      throw error;
    } finally {
      provider.destroy();
    }
  }

  /** What makes certificates of this play's operators count. */
  get quorumConfig(): Hex {
    return adjudicatorConfigOf(this.#members(), THRESHOLD);
  }

  /** Lives all lives, block by block, and fails if any transaction does. */
  async live({ times, lives }: Plan): Promise<void> {
    const deals = lives.map((life) => this.#draft(life));
    for (const [block, time] of times.entries()) {
      const due = deals.flatMap((deal) => [...this.#stepsOf(deal, block)]);
      await this.#mine([...due, ...this.#certificatesOf(deals, block)], time);
    }
  }

  stop(): Promise<void> {
    return this.evm.stop();
  }

  #draft(life: Life): Deal {
    const { reward, deliverBy, adjudicateBy, noVerdictSellerBps, salt } = life;
    const byQuorum = life.way.adjudicator !== "person";
    const terms: Terms = {
      ...{ reward, deliverBy, adjudicateBy, noVerdictSellerBps, salt },
      buyer: this.parties[life.buyer]!.address,
      seller: this.parties[life.seller]!.address,
      agreementHash: keccakOfText(`document ${salt}`) as Hex,
      adjudicator: byQuorum ? this.contracts.quorum : this.person.address,
      adjudicatorConfig: byQuorum ? this.quorumConfig : (ZeroHash as Hex),
    };
    const id = agreementIdOf(terms, this.evm.chainId, this.contracts.escrow);
    return {
      life,
      terms,
      struct: toTermsStruct(terms),
      id,
      submissionHash: keccakOfText(`submission ${salt}`) as Hex,
    };
  }

  /** What a deal's parties and its person do in a block. */
  *#stepsOf(deal: Deal, block: number): Generator<Transaction> {
    const { life, struct, submissionHash } = deal;
    const buyer = this.parties[life.buyer]!;
    const seller = this.parties[life.seller]!;
    const call = (from: EvmAccount, method: string, ...args: unknown[]): Transaction => ({
      from,
      to: this.contracts.escrow,
      data: ESCROW.encodeFunctionData(method, [struct, ...args]),
    });
    if (block === life.fundBlock) {
      const acceptance = acceptanceTypedData(deal.id, this.evm.chainId, this.contracts.escrow);
      yield call(buyer, "fund", life.acceptsInFunding ? sign(seller, acceptance) : NO_SIGNATURE);
    }
    if (block === life.acceptBlock) yield call(seller, "accept");
    if (block === life.submitBlock) yield call(seller, "submit", submissionHash);
    if (block !== life.endBlock) return;
    switch (life.way.end) {
      case "cancelled":
        yield call(buyer, "cancel");
        break;
      case "concededByBuyer":
        yield call(buyer, "concede");
        break;
      case "concededBySeller":
      case "declined":
        yield call(seller, "concede");
        break;
      case "settled": {
        const settlement = settlementTypedData(
          ...([deal.id, life.settledAmount, this.evm.chainId, this.contracts.escrow] as const),
        );
        const signatures = [sign(buyer, settlement), sign(seller, settlement)];
        yield call(this.#stranger, "settle", life.settledAmount, ...signatures);
        break;
      }
      case "lapsed":
      case "noShows":
      case "unjudged":
        yield call(this.#stranger, "expire");
        break;
      default:
        if (life.way.adjudicator === "person") {
          const method = { passed: "release", failed: "refund", undetermined: "conclude" }[
            life.way.end as "passed"
          ];
          yield call(this.person, method, submissionHash, verdictHashOf(deal));
        }
    }
  }

  /** The certificates due in a block: the first alone, all others in one transaction. */
  *#certificatesOf(deals: Deal[], block: number): Generator<Transaction> {
    const [first, ...others] = deals
      .filter(({ life }) => life.endBlock === block && life.way.adjudicator !== "person")
      .flatMap((deal) => {
        const outcome = OUTCOMES[deal.life.way.end as keyof typeof OUTCOMES] as Outcome | undefined;
        return outcome === undefined ? [] : [this.#certify(deal, outcome)];
      });
    const call = (method: string, argument: unknown, gas: number): Transaction => ({
      from: this.#stranger,
      to: this.contracts.quorum,
      data: QUORUM.encodeFunctionData(method, [argument]),
      gas,
    });
    if (first !== undefined) yield call("deliver", first, GAS);
    if (others.length > 0) yield call("deliverMany", others, GAS * others.length);
  }

  #certify(deal: Deal, outcome: Outcome): unknown {
    const { terms, struct, id, submissionHash } = deal;
    const typedData = verdictTypedData(
      {
        escrow: this.contracts.escrow,
        agreementId: id,
        submissionHash,
        outcome: OUTCOME_CODES[outcome],
        verdictHash: verdictHashOf(deal),
        judge: JUDGE,
        judgeTx: (outcome === "WITHHELD" ? ZeroHash : keccakOfText(`judge ${id}`)) as Hex,
        notAfter: terms.adjudicateBy,
      },
      this.evm.chainId,
      this.contracts.quorum,
    );
    return {
      terms: struct,
      verdict: typedData.message,
      quorum: { members: this.#members(), threshold: THRESHOLD },
      signatures: this.#operators.map((operator, place) =>
        place < THRESHOLD ? sign(operator, typedData) : NO_SIGNATURE,
      ),
    };
  }

  #members(): Address[] {
    return this.#operators.map(({ address }) => address);
  }

  /** Mines one block of transactions, in as few requests as there can be, and fails if any of them reverts. */
  async #mine(transactions: Transaction[], time?: number): Promise<void> {
    const calls: Call[] = transactions.map(({ from, to, data, gas = GAS }) => {
      const nonce = this.#nonces.get(from.address) ?? 0;
      this.#nonces.set(from.address, nonce + 1);
      const fees = { gas: hex(gas), gasPrice: hex(GAS_PRICE), nonce: hex(nonce) };
      return { method: "eth_sendTransaction", params: [{ from: from.address, to, data, ...fees }] };
    });
    const { rpcUrl } = this.evm;
    if (calls.length > 0) await rpcBatch(rpcUrl, calls);
    if (time !== undefined) await rpc(rpcUrl, "evm_setNextBlockTimestamp", time);
    await rpc(rpcUrl, "evm_mine");
    const receipts = await rpc<{ status: string }[]>(rpcUrl, "eth_getBlockReceipts", "latest");
    expect(receipts.map(({ status }) => status)).to.deep.equal(transactions.map(() => "0x1"));
  }
}

const TOKEN_MINT = new Interface(["function mint(address to, uint256 amount) returns (bool)"]);

const verdictHashOf = ({ life }: Deal): Hex => keccakOfText(`verdict ${life.salt}`) as Hex;

const hex = (value: number | bigint): string => `0x${value.toString(16)}`;

const sign = (account: EvmAccount, typedData: TypedData): string =>
  new SigningKey(account.privateKey).sign(typedDataDigest(typedData)).serialized;
