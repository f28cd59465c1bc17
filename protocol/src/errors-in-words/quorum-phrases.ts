import type { verdictQuorumAbi } from "../abi/verdict-quorum.ts";
import { type ErrorName, type Phrase, timeInWords } from "./words.ts";

/** Words for every error of the quorum; the compiler asks for each. */
export const QUORUM_PHRASES: Readonly<Record<ErrorName<typeof verdictQuorumAbi>, Phrase>> = {
  AgreementMismatch: ({ agreementId, expected }) => ({
    message: `The certificate is about agreement ${String(agreementId)}; these terms are those of ${String(expected)}.`,
    hint: "Deliver the certificate together with the terms of its own agreement.",
  }),
  CertificateExpired: ({ notAfter }) => ({
    message: `The certificate could be delivered until ${timeInWords(notAfter as bigint)}.`,
    hint: "Expire the agreement instead; the agreed split applies.",
  }),
  InvalidShortString: () => ({
    message: "The contract was built with a short text that is none.",
    hint: "This is a fault of the deployment, not of the call; check the contract's address.",
  }),
  MembersNotAscending: ({ index, member }) => ({
    message: `Operator ${String(member)}, number ${String(index)} of the list, is out of order or named twice.`,
    hint: "Sort the operators ascending by address, each once; signatures follow the same order.",
  }),
  OperatorAlreadyRevoked: ({ operator }) => ({
    message: `${String(operator)} has revoked its key already.`,
    hint: "Nothing is left to do; a revocation is for good.",
  }),
  OutcomeInvalid: ({ outcome }) => ({
    message: `The certificate's outcome ${String(outcome)} is none of PASS, FAIL, UNDETERMINED and WITHHELD.`,
    hint: "Take the certificate as the operators signed it.",
  }),
  QuorumMismatch: ({ config, expected }) => ({
    message: `These operators amount to configuration ${String(config)}; the terms name ${String(expected)}.`,
    hint: "Deliver with exactly the operators and the threshold that both sides agreed on.",
  }),
  SignatureCountMismatch: ({ signatures, members }) => ({
    message: `There are ${String(signatures)} signatures for ${String(members)} operators.`,
    hint: "Give one signature for each operator, empty for those who did not sign.",
  }),
  SignersMissing: ({ signers, threshold }) => ({
    message: `Only ${String(signers)} of the ${String(threshold)} operators that are needed have validly signed this verdict.`,
    hint: "Wait until more operators publish their signature, and try again; signatures of revoked keys don't count.",
  }),
  StringTooLong: () => ({
    message: "The contract was built with a text that is too long.",
    hint: "This is a fault of the deployment, not of the call; check the contract's address.",
  }),
  ThresholdInvalid: ({ threshold, members }) => ({
    message: `A threshold of ${String(threshold)} of ${String(members)} operators can't be.`,
    hint: "Choose a threshold from 1 to the number of operators.",
  }),
};
