import { readFileSync } from "node:fs";
import {
  Contract,
  ContractFactory,
  type InterfaceAbi,
  JsonRpcProvider,
  NonceManager,
  TypedDataEncoder,
  Wallet,
} from "ethers";
import { expect } from "chai";
import { type Evm, deployFiatToken, startEvm } from "@assay/localnet";
import {
  type Address,
  type Terms,
  type TermsStruct,
  agreementEscrowAbi,
  agreementIdOf,
  fiatTokenAbi,
  fundingAuthorizationTypedData,
  termsFromEvent,
  toAddress,
  toTermsStruct,
  validateTerms,
  verdictDigest,
  verdictQuorumAbi,
} from "@assay/protocol";
import { identifierVectors } from "./support/vectors.ts";

interface Artifact {
  readonly abi: InterfaceAbi;
  readonly bytecode: string;
}

function artifactOf(name: string): Artifact {
  const path = new URL(`../../artifacts/contracts-evm/${name}.sol/${name}.json`, import.meta.url);
  return JSON.parse(readFileSync(path, "utf8")) as Artifact;
}

describe("the contracts agree", () => {
  let evm: Evm;
  let provider: JsonRpcProvider;
  let buyer: Wallet;
  let token: Address;
  let escrow: Address;
  let quorum: Address;

  before(async () => {
    evm = await startEvm({ blockTimeSeconds: 0 });
    provider = new JsonRpcProvider(evm.rpcUrl, evm.chainId, { staticNetwork: true, cacheTimeout: -1 });
    const [deployer, account] = evm.accounts.map(({ privateKey }) => new Wallet(privateKey, provider));
    buyer = account!;
    const usdc = await deployFiatToken(deployer!);
    token = usdc.address;
    await usdc.mint(buyer.address, 1_000_000n);
    const signer = new NonceManager(deployer!);
    escrow = await deploy("AgreementEscrow", [token]);
    quorum = await deploy("VerdictQuorum", []);

    async function deploy(name: string, parameters: unknown[]): Promise<Address> {
      const { abi, bytecode } = artifactOf(name);
      const contract = await new ContractFactory(abi, bytecode, signer).deploy(...parameters);
      await contract.waitForDeployment();
      return toAddress(await contract.getAddress());
    }
  });

  after(async () => {
    provider.destroy();
    await evm.stop();
  });

  for (const vector of identifierVectors.agreements) {
    it(`on the id of an agreement: ${vector.name}`, async () => {
      const terms: Terms = {
        ...vector.terms,
        reward: BigInt(vector.terms.reward),
        salt: BigInt(vector.terms.salt),
      };
      const contract = new Contract(escrow, agreementEscrowAbi, provider);
      const onChain = (await contract.getFunction("agreementIdOf")(toTermsStruct(terms))) as string;
      expect(agreementIdOf(terms, evm.chainId, escrow)).to.equal(onChain);
    });
  }

  for (const { name, certificate } of identifierVectors.verdicts) {
    it(`on the digest of a verdict: ${name}`, async () => {
      const contract = new Contract(quorum, verdictQuorumAbi, provider);
      const onChain = (await contract.getFunction("digestOf")(certificate)) as string;
      expect(verdictDigest(certificate, evm.chainId, quorum)).to.equal(onChain);
    });
  }

  it("that one funding signature pays for exactly these terms, and the event carries them", async () => {
    const block = await provider.getBlock("latest");
    const now = block!.timestamp;
    const terms: Terms = {
      ...identifierVectors.agreements[0]!.terms,
      buyer: toAddress(buyer.address),
      adjudicator: quorum,
      reward: 1_000_000n,
      deliverBy: now + 86_400,
      adjudicateBy: now + 172_800,
      salt: 7n,
    };
    expect(validateTerms(terms, now, { escrow, token })).to.deep.equal([]);

    const usdc = new Contract(token, fiatTokenAbi, provider);
    const domain = {
      name: (await usdc.getFunction("name")()) as string,
      version: (await usdc.getFunction("version")()) as string,
      chainId: evm.chainId,
      address: token,
    };
    const agreementId = agreementIdOf(terms, evm.chainId, escrow);
    const authorization = fundingAuthorizationTypedData({
      terms,
      agreementId,
      escrow,
      token: domain,
      validAfter: 0,
      validBefore: now + 3600,
    });
    expect(TypedDataEncoder.hashDomain(authorization.domain)).to.equal(
      await usdc.getFunction("DOMAIN_SEPARATOR")(),
    );
    const signature = await buyer.signTypedData(
      authorization.domain,
      authorization.types,
      authorization.message,
    );

    const relayer = new Wallet(evm.accounts[2]!.privateKey, provider);
    const contract = new Contract(escrow, agreementEscrowAbi, relayer);
    const fund = contract.getFunction("fundWithAuthorization");
    const sent = await fund.send(toTermsStruct(terms), 0, now + 3600, signature, "0x");
    await sent.wait();

    const [event] = await contract.queryFilter("Funded");
    const decoded = contract.interface.decodeEventLog("Funded", event!.data, event!.topics);
    expect(decoded["agreementId"]).to.equal(agreementId);
    expect(termsFromEvent(decoded["terms"] as TermsStruct)).to.deep.equal(terms);
    expect(await usdc.getFunction("authorizationState")(buyer.address, agreementId)).to.equal(true);
    expect(await usdc.getFunction("balanceOf")(escrow)).to.equal(1_000_000n);
  });
});
