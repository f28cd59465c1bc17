import { Contract, type ContractTransactionReceipt, type JsonRpcProvider, type Wallet } from "ethers";
import {
  acceptanceTypedData,
  adjudicatorConfigOf,
  agreementEscrowAbi,
  agreementIdOf,
  documentHash,
  encodeDocument,
  fiatTokenAbi,
  fundingAuthorizationTypedData,
  toTermsStruct,
  type Address,
  type Agreement,
  type Hex,
  type Submission,
  type Terms,
  type TypedData,
} from "@assay/protocol";

/** What both sides hold once the terms are fixed: the terms, their id, and the document they point to. */
export interface Deal {
  terms: Terms;
  agreementId: Hex;
  document: Uint8Array;
}

/** Where a deal lives and who judges it. */
export interface Venue {
  provider: JsonRpcProvider;
  chainId: number;
  token: Address;
  escrow: Address;
  quorum: Address;
  members: Address[];
  threshold: number;
  adjudication: Agreement["adjudication"];
}

export interface DealOptions {
  buyer: Address;
  seller: Address;
  /** Token base units. */
  reward: bigint;
  /** Seconds from now in chain time. */
  deliverWithin: number;
  /** Seconds from the delivery's deadline. */
  adjudicateWithin: number;
  noVerdictSellerBps: number;
  salt: bigint;
}

/** Draws up a deal in the venue's clock. Nothing is signed and nothing is sent. */
export async function drawUp(
  venue: Venue,
  draft: Omit<Agreement, "schema" | "adjudication">,
  options: DealOptions,
): Promise<Deal> {
  const document = encodeDocument({
    schema: "assay/agreement/1",
    ...draft,
    adjudication: venue.adjudication,
  });
  const now = (await venue.provider.getBlock("latest"))?.timestamp ?? 0;
  const terms: Terms = {
    buyer: options.buyer,
    seller: options.seller,
    reward: options.reward,
    agreementHash: documentHash(document),
    adjudicator: venue.quorum,
    adjudicatorConfig: adjudicatorConfigOf(venue.members, venue.threshold),
    deliverBy: now + options.deliverWithin,
    adjudicateBy: now + options.deliverWithin + options.adjudicateWithin,
    noVerdictSellerBps: options.noVerdictSellerBps,
    salt: options.salt,
  };
  return { terms, agreementId: agreementIdOf(terms, venue.chainId, venue.escrow), document };
}

const sign = (wallet: Wallet, { domain, types, message }: TypedData): Promise<string> =>
  wallet.signTypedData(domain, types, message);

/**
 * The buyer signs once, the seller consents by signature, and anyone (here `relayer`) pays the gas.
 * The buyer's signature is an ERC-3009 authorisation whose nonce is the agreement's id.
 */
export async function fund(
  venue: Venue,
  deal: Deal,
  wallets: { buyer: Wallet; seller: Wallet; relayer: Wallet },
): Promise<ContractTransactionReceipt> {
  const token = new Contract(venue.token, fiatTokenAbi, venue.provider);
  const [name, version] = (await Promise.all([token["name"]?.(), token["version"]?.()])) as [string, string];
  const validBefore = BigInt(deal.terms.deliverBy);
  const authorization = await sign(
    wallets.buyer,
    fundingAuthorizationTypedData({
      terms: deal.terms,
      agreementId: deal.agreementId,
      escrow: venue.escrow,
      token: { name, version, chainId: venue.chainId, address: venue.token },
      validAfter: 0n,
      validBefore,
    }),
  );
  const consent = await sign(
    wallets.seller,
    acceptanceTypedData(deal.agreementId, venue.chainId, venue.escrow),
  );
  return send(escrowOf(venue, wallets.relayer), "fundWithAuthorization", [
    toTermsStruct(deal.terms),
    0n,
    validBefore,
    authorization,
    consent,
  ]);
}

/** Makes the submission document of a deal. */
export function deliveryFor(deal: Deal, draft: Omit<Submission, "schema" | "agreementId">): Uint8Array {
  return encodeDocument({ schema: "assay/submission/1", agreementId: deal.agreementId, ...draft });
}

/** The seller commits to a submission by its hash. */
export function submit(
  venue: Venue,
  deal: Deal,
  seller: Wallet,
  submissionHash: Hex,
): Promise<ContractTransactionReceipt> {
  return send(escrowOf(venue, seller), "submit", [toTermsStruct(deal.terms), submissionHash]);
}

/** Ends a deal whose clock has run out; anybody may. */
export function expire(venue: Venue, deal: Deal, caller: Wallet): Promise<ContractTransactionReceipt> {
  return send(escrowOf(venue, caller), "expire", [toTermsStruct(deal.terms)]);
}

/**
 * Hands a document to an operator.
 *
 * @throws with the operator's own words when it refuses
 */
export async function publish(operatorUrl: string, document: Uint8Array): Promise<Hex> {
  const hash = documentHash(document);
  const response = await fetch(`${operatorUrl}/v1/documents/${hash}`, {
    method: "PUT",
    body: Buffer.from(document),
  });
  if (!response.ok)
    throw new Error(`The operator refused document ${hash}: ${response.status} ${await response.text()}`);
  return hash;
}

/** Token base units that an address holds. */
export async function balanceOf(venue: Venue, holder: Address): Promise<bigint> {
  const token = new Contract(venue.token, fiatTokenAbi, venue.provider);
  return (await token["balanceOf"]?.(holder)) as bigint;
}

const escrowOf = (venue: Venue, caller: Wallet): Contract =>
  new Contract(venue.escrow, agreementEscrowAbi, caller.connect(venue.provider));

async function send(
  contract: Contract,
  method: string,
  args: unknown[],
): Promise<ContractTransactionReceipt> {
  const transaction = await contract.getFunction(method).send(...args);
  const receipt = await transaction.wait();
  if (!receipt) throw new Error(`${method} was replaced before it was included`);
  return receipt;
}
