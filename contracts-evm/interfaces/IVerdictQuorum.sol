// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Terms} from "../types/Terms.sol";
import {Quorum, Verdict} from "../types/Verdict.sol";
import {IVerdictVerifier} from "./IVerdictVerifier.sol";

/// @title Verdict quorum
/// @notice Turns a certificate that enough operators signed into the escrow's payment.
///
/// @dev An adjudicator of agreements. It holds nothing and has no owner: the operators who count are those whose hash
/// the terms carry in `adjudicatorConfig`. Anyone delivers, so a seller claims with a published certificate.
interface IVerdictQuorum is IVerdictVerifier {
    /// @dev One certificate with everything needed to deliver it. `signatures[i]` is `quorum.members[i]`'s, empty when that member did not sign.
    struct Delivery {
        Terms terms;
        Verdict verdict;
        Quorum quorum;
        bytes[] signatures;
    }

    /// @notice Enough operators certified a verdict, and the contract that it names took it.
    ///
    /// @dev Anybody can name any contract, or an address without code: only for an escrow that the reader knows does
    /// this event mean that an agreement was settled.
    ///
    /// @param escrow The contract that the verdict names
    /// @param agreementId The agreement
    /// @param outcome PASS 1, FAIL 2, UNDETERMINED 3, WITHHELD 4
    /// @param submissionHash The submission that was judged
    /// @param verdictHash keccak256 of the verdict record
    /// @param judge The Intelligent Contract that judged
    /// @param judgeTx The GenLayer transaction that judged
    /// @param signers The operators whose signatures counted: the first `threshold` valid ones
    event Certified(
        address indexed escrow,
        bytes32 indexed agreementId,
        uint8 indexed outcome,
        bytes32 submissionHash,
        bytes32 verdictHash,
        address judge,
        bytes32 judgeTx,
        address[] signers
    );

    /// @notice One certificate of a batch failed; the others went on.
    ///
    /// @param index Its place in the batch
    /// @param agreementId The agreement it named
    /// @param reason What it reverted with
    event DeliveryFailed(uint256 indexed index, bytes32 indexed agreementId, bytes reason);

    /// @notice The certificate is about another agreement than the terms given.
    ///
    /// @param agreementId The agreement that the certificate names
    /// @param expected The id of the terms in the escrow that the certificate names
    error AgreementMismatch(bytes32 agreementId, bytes32 expected);

    /// @notice Delivers a certificate: PASS releases, FAIL and WITHHELD refund, UNDETERMINED concludes.
    ///
    /// @dev Called by anyone, until `notAfter`. Emits {Certified}. Reverts with {OutcomeInvalid}, {CertificateExpired},
    /// {AgreementMismatch}, {QuorumMismatch}, {ThresholdInvalid}, {MembersNotAscending}, {SignatureCountMismatch},
    /// {SignersMissing}, or what the escrow reverts with.
    ///
    /// @param delivery The certificate, the terms and operators it depends on, and the signatures
    function deliver(Delivery calldata delivery) external;

    /// @notice Delivers a certificate in half the calldata.
    ///
    /// @dev Otherwise as {deliver}, without {AgreementMismatch}, {QuorumMismatch} and {SignatureCountMismatch}: what
    /// they compare isn't given but derived. The terms' adjudicator is this contract, their `adjudicatorConfig` the
    /// hash of the members and threshold given, the verdict's `agreementId` the id of these terms in its escrow, and its
    /// `notAfter` the terms' `adjudicateBy`. Big-endian, without padding:
    ///
    /// | bytes | field |
    /// |---|---|
    /// | 20 | verdict.escrow |
    /// | 20 | terms.buyer |
    /// | 20 | terms.seller |
    /// | 16 | terms.reward |
    /// | 32 | terms.agreementHash |
    /// | 6 | terms.deliverBy |
    /// | 6 | terms.adjudicateBy |
    /// | 2 | terms.noVerdictSellerBps |
    /// | 32 | terms.salt |
    /// | 32 | verdict.submissionHash |
    /// | 1 | verdict.outcome |
    /// | 32 | verdict.verdictHash |
    /// | 20 | verdict.judge |
    /// | 32 | verdict.judgeTx |
    /// | 1 | threshold |
    /// | 1 | number of members |
    /// | 20 each | members |
    /// | 1 + n each | length and bytes of each member's signature, length 0 when it didn't sign |
    ///
    /// Bytes that are missing at the end read as what follows in calldata, or as zero, and then no signature fits.
    /// A larger reward, more than 255 members and longer signatures need {deliver}.
    ///
    /// @param packed The certificate and what it depends on
    function deliverPacked(bytes calldata packed) external;

    /// @notice Delivers certificates, each for itself: one that fails emits {DeliveryFailed} and stops no other.
    ///
    /// @dev Called by anyone. Emits {Certified} or {DeliveryFailed} for each.
    ///
    /// @param deliveries The certificates
    ///
    /// @return delivered Whether each one settled its agreement
    function deliverMany(Delivery[] calldata deliveries) external returns (bool[] memory delivered);
}
