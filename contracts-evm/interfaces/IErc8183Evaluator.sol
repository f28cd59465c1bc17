// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Quorum, Verdict} from "../types/Verdict.sol";
import {IVerdictVerifier} from "./IVerdictVerifier.sol";

/// @title ERC-8183 evaluator
/// @notice Completes or rejects jobs of any ERC-8183 contract by the same certificates that settle agreements.
///
/// @dev A job names this contract as its evaluator, and thereby the operators: one evaluator, one quorum, fixed when it
/// is deployed. A certificate names the ERC-8183 contract as its `escrow`, {jobKeyOf} as its `agreementId`, and the
/// deliverable as its `submissionHash`. A job is delivered once, so its deliverable, which operators read from
/// `JobSubmitted`, never changes under a certificate.
interface IErc8183Evaluator is IVerdictVerifier {
    /// @notice A certificate completed or rejected a job.
    ///
    /// @param commerce The ERC-8183 contract
    /// @param jobId The job
    /// @param outcome PASS 1 (completed), FAIL 2 or WITHHELD 4 (rejected)
    /// @param deliverable The deliverable that was judged
    /// @param verdictHash keccak256 of the verdict record; the `reason` of the job's end
    /// @param judge The Intelligent Contract that judged
    /// @param judgeTx The GenLayer transaction that judged
    /// @param signers The operators whose signatures counted
    event Evaluated(
        address indexed commerce,
        uint256 indexed jobId,
        uint8 indexed outcome,
        bytes32 deliverable,
        bytes32 verdictHash,
        address judge,
        bytes32 judgeTx,
        address[] signers
    );

    /// @notice The certificate is about another job.
    ///
    /// @param jobKey The key that the certificate names
    /// @param expected The key of the job given
    error JobMismatch(bytes32 jobKey, bytes32 expected);

    /// @notice Delivers a certificate: PASS completes, FAIL and WITHHELD reject.
    ///
    /// @dev Called by anyone, until `notAfter`. Emits {Evaluated}. ERC-8183 knows no split: on UNDETERMINED this reverts,
    /// and the job's own expiry refunds the client. Reverts with {OutcomeInvalid}, {CertificateExpired}, {JobMismatch},
    /// {QuorumMismatch}, {SignatureCountMismatch}, {MembersNotAscending}, {SignersMissing}, or what the ERC-8183 contract
    /// reverts with.
    ///
    /// @param verdict The certificate
    /// @param jobId The job
    /// @param quorum Members and threshold, as fixed at deployment
    /// @param signatures One per member, empty where a member didn't sign
    function deliver(
        Verdict calldata verdict,
        uint256 jobId,
        Quorum calldata quorum,
        bytes[] calldata signatures
    ) external;

    /// @notice keccak256(abi.encode(members, threshold)) of the operators who evaluate here.
    ///
    /// @return The hash
    function quorumConfig() external view returns (bytes32);

    /// @notice What stands for a job in a certificate.
    ///
    /// @param commerce The ERC-8183 contract
    /// @param jobId The job
    ///
    /// @return keccak256(abi.encode(chain id, commerce, jobId))
    function jobKeyOf(address commerce, uint256 jobId) external view returns (bytes32);
}
