import { type CaseFile, isCertificate } from "../case-file.ts";
import type { Certificate } from "../../verdict/delivery.ts";
import { type Comparison, compare, compareAll, fail, notChecked, pass } from "../finding.ts";
import type { Address } from "../../primitives/address.ts";
import { ValueError } from "../../primitives/value-error.ts";
import type { Finding } from "../report.ts";
import { agreementIdOf } from "../../terms/agreement-id.ts";
import { adjudicatorConfigOf } from "../../verdict/adjudicator-config.ts";
import { verdictOf } from "../../verdict/verdict-of.ts";
import { withRecord } from "./record.ts";
import type { StepDefinition } from "./step.ts";

/** Enough of the agreed operators signed exactly this record's certificate. */
export const CERTIFICATE_STEPS: readonly StepDefinition[] = [
  {
    id: "quorum",
    title: "The certificate's operators and threshold are those of the terms",
    basis: "computed",
    examine: (file) =>
      withCertificate(file, ({ members, threshold }) => {
        try {
          const config = adjudicatorConfigOf(members, threshold);
          return compare(
            file.terms?.adjudicatorConfig,
            config,
            `Keccak-256 of ${members.length} members and threshold ${threshold}`,
          );
        } catch (error) {
          if (!(error instanceof ValueError)) throw error;
          return fail(error.message);
        }
      }),
  },
  {
    id: "certificateTerms",
    title: "The terms that were delivered with the certificate are the agreement's",
    basis: "computed",
    examine: (file) =>
      withCertificate(file, ({ terms }) =>
        compare(
          file.evidence.agreementId,
          agreementIdOf(terms, file.evidence.evm.chainId, file.evidence.evm.escrow),
          "EIP-712 digest of the terms in the delivery",
        ),
      ),
  },
  {
    id: "certificate",
    title: "The certificate follows from the verdict record and the terms",
    basis: "computed",
    examine: (file) =>
      withCertificate(file, ({ verdict }) =>
        withRecord(file, (record) => {
          if (file.terms === null) return notChecked("the terms are not known");
          const expected = verdictOf(record, file.terms.adjudicateBy);
          const comparisons = (Object.keys(expected) as (keyof typeof expected)[]).map(
            (member): Comparison => [member, expected[member], verdict[member]],
          );
          return compareAll(comparisons, "every member of the certificate");
        }),
      ),
  },
  {
    id: "certificateEvent",
    title: "The quorum's event repeats the certificate",
    basis: "reported",
    examine: (file) =>
      withCertificate(file, (certificate) => {
        const { certified } = file.history;
        if (certified === null) return fail("the adjudicator logged no Certified event for this agreement");
        const { verdict } = certificate;
        const signers = members(file).slice(0, certificate.threshold);
        return compareAll(
          [
            ["outcome", verdict.outcome, certified.outcome],
            ["submissionHash", verdict.submissionHash, certified.submissionHash],
            ["verdictHash", verdict.verdictHash, certified.verdictHash],
            ["judge", verdict.judge, certified.judge],
            ["judgeTx", verdict.judgeTx, certified.judgeTx],
            ["signers", signers.join(" "), certified.signers.join(" ")],
          ],
          "the event against the delivered certificate",
        );
      }),
  },
  {
    id: "signatures",
    title: "The signatures that count are their operators'",
    basis: "computed",
    examine: (file) =>
      withCertificate(file, (certificate) => {
        const { signatures } = certificate;
        if (signatures.length !== certificate.members.length)
          return compare(certificate.members.length, signatures.length, "one place for each member");
        const given = certificate.members.filter((_member, index) => signatures[index] !== "0x");
        const valid = members(file);
        const wrong = given.filter((member) => !valid.includes(member));
        const digest = `the digest is ${file.digest ?? "unknown"}`;
        const values = { expected: given.join(" "), actual: valid.join(" ") };
        const named = wrong.length === 0 ? "" : `; not signed by ${wrong.join(", ")}`;
        // The quorum passes over what is no signature, so whoever delivers may fill a place that nobody signed for with
        // anything. A signature that its event counted must be one.
        const counted = file.history.certified?.signers ?? [];
        const isMissed =
          valid.length < certificate.threshold || wrong.some((member) => counted.includes(member));
        if (wrong.length > 0 && isMissed) return fail(`${digest}${named}`, values);
        const byContract = file.signers.flatMap(({ member, by }) => (by === "contract" ? [member] : []));
        const asked =
          byContract.length === 0 ? "" : `; as the contract itself answered: ${byContract.join(", ")}`;
        return pass(`${digest}${named}${asked}`, values);
      }),
  },
  {
    id: "threshold",
    title: "Enough operators signed",
    basis: "computed",
    examine: (file) =>
      withCertificate(file, (certificate) => {
        const values = {
          expected: `at least ${certificate.threshold} of ${certificate.members.length}`,
          actual: String(file.signers.length),
        };
        return file.signers.length >= certificate.threshold && certificate.threshold > 0
          ? pass("distinct members with a valid signature", values)
          : fail("distinct members with a valid signature", values);
      }),
  },
];

/** Runs a step that needs the certificate. */
export function withCertificate(file: CaseFile, examine: (certificate: Certificate) => Finding): Finding {
  const { certificate } = file;
  if (isCertificate(certificate)) return examine(certificate);
  return certificate.isFault ? fail(certificate.reason) : notChecked(certificate.reason);
}

function members({ signers }: CaseFile): Address[] {
  return signers.map(({ member }) => member);
}
