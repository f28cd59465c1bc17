import { Command, Option } from "commander";
import {
  amountInWords,
  fundingAuthorizationTypedData,
  isJoint,
  permitTypedData,
  type Hex,
  type Terms,
  type TypedData,
} from "@assay/protocol";
import { AGREEMENT_ARGUMENT, AGREEMENT_DESCRIPTION, type CommandFactory } from "../../command.ts";
import { openDeal, type OpenedDeal } from "../../deal/open-deal.ts";
import { requireFundable } from "../../deal/require-fundable.ts";
import {
  approveCall,
  escrowCall,
  readAllowance,
  readPermitNonce,
  readState,
} from "../../escrow/contracts.ts";
import { EXIT } from "../../exit-codes.ts";
import { publishToThreshold } from "../../operators/publish.ts";
import { requireAccepted } from "../../joint/workflows.ts";
import { addNetwork, type NetworkOptions } from "../../options/network.ts";
import { bytesValue } from "../../options/values.ts";
import { addWallet, walletOf, type WalletOptions } from "../../options/wallet.ts";
import { addTypedData, addWrite, type TypedDataOptions, type WriteOptions } from "../../options/write.ts";
import { includedLines } from "../../output/included-lines.ts";
import { show } from "../../output/show.ts";
import { openSession, transacting, type Session } from "../../session.ts";
import type { Included, Intent } from "../../transact/intent.ts";
import { confirm, goOn, transact } from "../../transact/transact.ts";
import { printTypedData, requireSignature, requireSigner, signatureBy } from "../../typed-data.ts";
import type { Wallet } from "../../wallet/signer.ts";

interface FundOptions extends NetworkOptions, WalletOptions, WriteOptions, TypedDataOptions {
  readonly method: "authorization" | "permit" | "approve";
  readonly sellerSignature?: Hex;
  readonly publish: boolean;
}

/** `assay agreement fund`: the buyer pays the reward into escrow. */
export const fundCommand: CommandFactory = (io, finish) => {
  const command = new Command("fund")
    .summary("pay the reward into escrow, as the buyer")
    .description(
      "Publishes the agreement's document to the operators and pays the reward into escrow. The buyer signs once\n" +
        "(ERC-3009, with the agreement's id as the nonce, so that it can't be paid twice); any wallet can send it.\n" +
        "A joint agreement is funded only once both agents have consented to its workflow on GenLayer.",
    )
    .argument(AGREEMENT_ARGUMENT, AGREEMENT_DESCRIPTION)
    .addOption(
      new Option(
        "--method <method>",
        "pay by a signed authorization, by a permit that the buyer sends itself, or from an allowance (two transactions)",
      )
        .choices(["authorization", "permit", "approve"])
        .default("authorization"),
    )
    .addOption(
      new Option(
        "--seller-signature <hex>",
        "the seller's consent (`assay agreement accept --sign-only`), to fund and accept at once",
      ).argParser(bytesValue),
    )
    .option("--no-publish", "do not publish the document to the operators");
  addWrite(addTypedData(addWallet(addNetwork(command)), "the buyer"));
  return command
    .addHelpText(
      "after",
      `
Examples:
  assay agreement fund deal.json --wallet buyer
  assay agreement fund deal.json --wallet buyer --seller-signature 0x…   # accepted at once
  assay agreement fund deal.json --wallet buyer --method permit          # ERC-2612 instead of ERC-3009
  assay agreement fund deal.json --wallet buyer --method approve         # for accounts that sign through code
  assay agreement fund deal.json --typed-data                            # a hardware wallet signs …
  assay agreement fund deal.json --signature 0x… --wallet relayer        # … and another one pays the gas`,
    )
    .action(async (named: string, options: FundOptions) => {
      finish(EXIT.ok);
      const session = await openSession(options, io);
      const deal = await openDeal(named, session.network, session.network.chainId);
      if (options.typedData === true) {
        // What is signed elsewhere is money wherever it goes.
        await requireWorkflow(session, deal);
        printTypedData(io, await paymentOf(session, deal, options), deal.terms.buyer);
        return;
      }
      const wallet = await walletOf(options, io, session.network);
      const included = await fund(session, deal, wallet, options);
      if (included === null) return;
      const accepted = options.sellerSignature === undefined ? "" : ", accepted";
      const reward = amountInWords(deal.terms.reward, session.wording);
      show(io, options.json, { ...included, agreementId: deal.agreementId, reward: deal.terms.reward }, [
        ...includedLines(`Funded agreement ${deal.agreementId} with ${reward}${accepted}`, included),
      ]);
    });
};

async function fund(
  session: Session,
  deal: OpenedDeal,
  wallet: Wallet | null,
  options: FundOptions,
): Promise<Included | null> {
  const { io, network, node, wording } = session;
  const { agreementId, terms } = deal;
  const context = transacting(session, wallet, options);
  const intent: Intent = {
    action: "fund",
    subject: agreementId,
    title: `Fund agreement ${agreementId}`,
    money: `${amountInWords(terms.reward, wording)} of ${terms.buyer} go into escrow for ${terms.seller}.`,
    to: network.escrow,
    data: "0x",
    sender: null,
    async done() {
      const { status } = await readState(node, network.escrow, agreementId);
      return status === "None" ? null : `The agreement is funded already (${status}).`;
    },
  };
  // First of all: what an earlier run has signed is gone on with, whatever else has changed.
  const settled = await goOn(context, intent);
  if (settled !== undefined) return settled;
  if (options.signature === undefined && options.dryRun !== true) requireSigner(terms.buyer, wallet);
  await requireFundable(session, terms, options.sellerSignature ?? "0x");
  await requireWorkflow(session, deal);
  const isDry = options.dryRun === true;
  if (deal.agreement !== null && options.publish && !isDry) {
    const document = { hash: terms.agreementHash, bytes: deal.agreement.bytes };
    await publishToThreshold(io, "agreement", document, network.operators, deal.quorum);
  }
  if (options.method === "approve") return fundByAllowance(session, deal, wallet, options, intent);
  if (isDry && options.signature === undefined) {
    // The buyer's signature is money: it does not leave this machine before somebody means it.
    show(io, options.json, { action: "fund", dryRun: true, from: terms.buyer, to: network.escrow }, [
      `${intent.title}: it would succeed, once the buyer has signed.`,
      `${intent.money ?? ""} Nothing was signed or sent.`,
    ]);
    return null;
  }
  const typedData = await paymentOf(session, deal, options);
  const isAsked = options.unsigned !== true;
  if (options.signature !== undefined)
    await requireSignature(terms.buyer, typedData, options.signature, node);
  if (isAsked && !isDry) await confirm(context, intent);
  const signature = await signatureBy(terms.buyer, typedData, { given: options.signature, wallet, node });
  // The question was asked before the signature was made.
  return transact(context, {
    ...intent,
    ...callWith(signature, terms, options),
    money: isDry ? intent.money : null,
  });
}

/** A joint agreement is paid into once its workflow is accepted. An agreement that is named by its id is funded. */
async function requireWorkflow({ network }: Session, { agreement }: OpenedDeal): Promise<void> {
  if (agreement !== null && isJoint(agreement.document)) await requireAccepted(network, agreement.document);
}

/** Two transactions, each resumed by itself: exactly the reward is allowed, and only if it is not allowed yet. */
async function fundByAllowance(
  session: Session,
  { terms }: OpenedDeal,
  wallet: Wallet | null,
  options: FundOptions,
  intent: Intent,
): Promise<Included | null> {
  const { io, network, node, token } = session;
  const context = transacting(session, wallet, options);
  const allowed = await readAllowance(node, token.address, terms.buyer, network.escrow);
  if (allowed < terms.reward) {
    const approved = await transact(context, {
      action: "approve",
      subject: intent.subject,
      title: `Allow the escrow to draw ${amountInWords(terms.reward, session.wording)} from ${terms.buyer}`,
      money: intent.money,
      to: token.address,
      data: approveCall(network.escrow, terms.reward),
      sender: terms.buyer,
    });
    if (approved === null) {
      io.diagnose(
        "The second transaction, the funding itself, can only be made once this one is in a block.",
      );
      return null;
    }
    io.diagnose(`Allowed in block ${approved.blockNumber}`);
  }
  const isAsked = allowed < terms.reward;
  return transact(context, {
    ...intent,
    data: escrowCall("fund", terms, options.sellerSignature ?? "0x"),
    sender: terms.buyer,
    money: isAsked ? null : intent.money,
  });
}

/** What the buyer signs to pay. */
function paymentOf(
  session: Session,
  deal: OpenedDeal,
  { method }: FundOptions,
): TypedData | Promise<TypedData> {
  return method === "permit" ? permitOf(session, deal) : authorizationOf(session, deal);
}

/** An authorization pays whoever sends it; a permit only its buyer can turn into a payment. */
function callWith(
  signature: Hex,
  terms: Terms,
  { method, sellerSignature = "0x" }: FundOptions,
): Pick<Intent, "data" | "sender"> {
  const until = BigInt(terms.deliverBy);
  return method === "permit"
    ? { data: escrowCall("fundWithPermit", terms, until, signature, sellerSignature), sender: terms.buyer }
    : {
        data: escrowCall("fundWithAuthorization", terms, 0n, until, signature, sellerSignature),
        sender: null,
      };
}

async function permitOf({ network, node, token }: Session, { terms }: OpenedDeal): Promise<TypedData> {
  const { name, version, address } = token;
  return permitTypedData({
    token: { name, version, address, chainId: network.chainId },
    owner: terms.buyer,
    spender: network.escrow,
    value: terms.reward,
    nonce: await readPermitNonce(node, address, terms.buyer),
    // Nothing can be funded after that anyway.
    deadline: terms.deliverBy,
  });
}

function authorizationOf({ network, token }: Session, { terms, agreementId }: OpenedDeal) {
  const { name, version, address } = token;
  return fundingAuthorizationTypedData({
    terms,
    agreementId,
    escrow: network.escrow,
    token: { name, version, address, chainId: network.chainId },
    validAfter: 0n,
    // Nothing can be funded after that anyway.
    validBefore: BigInt(terms.deliverBy),
  });
}
