// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IErc8183} from "./interfaces/IErc8183.sol";
import {IErc8183Evaluator} from "./interfaces/IErc8183Evaluator.sol";
import {Outcome, Quorum, Verdict} from "./types/Verdict.sol";
import {VerdictVerifier} from "./VerdictVerifier.sol";

/// @title ERC-8183 evaluator
/// @notice Completes or rejects jobs of any ERC-8183 contract by the same certificates that settle agreements.
contract Erc8183Evaluator is IErc8183Evaluator, VerdictVerifier {
    bytes32 private immutable _quorumConfig;

    /// @notice Makes an evaluator of one quorum.
    ///
    /// @dev Reverts with {ThresholdInvalid}, {MembersNotAscending}: a quorum that could never decide, or by one member
    /// twice, would show only when a job waits for it.
    ///
    /// @param members The operators, strictly ascending
    /// @param threshold How many must sign
    constructor(address[] memory members, uint256 threshold) {
        // Check that some, but no more than all of them, must sign
        if (threshold == 0 || threshold > members.length) revert ThresholdInvalid(threshold, members.length);
        // Check that nobody counts twice
        address previous;
        for (uint256 i; i < members.length; ++i) {
            if (members[i] <= previous) revert MembersNotAscending(i, members[i]);
            previous = members[i];
        }
        _quorumConfig = keccak256(abi.encode(members, threshold));
    }

    /// @inheritdoc IErc8183Evaluator
    function deliver(
        Verdict calldata verdict,
        uint256 jobId,
        Quorum calldata quorum,
        bytes[] calldata signatures
    ) external {
        // Check that this job was judged
        bytes32 jobKey = jobKeyOf(verdict.escrow, jobId);
        if (verdict.agreementId != jobKey) revert JobMismatch(verdict.agreementId, jobKey);
        _requireInTime(verdict.notAfter);
        address[] memory signers = _requireSigned(digestOf(verdict), quorum, _quorumConfig, signatures);

        emit Evaluated(
            verdict.escrow,
            jobId,
            verdict.outcome,
            verdict.submissionHash,
            verdict.verdictHash,
            verdict.judge,
            verdict.judgeTx,
            signers
        );
        _evaluate(IErc8183(verdict.escrow), jobId, verdict.outcome, verdict.verdictHash);
    }

    /// @inheritdoc IErc8183Evaluator
    function quorumConfig() external view returns (bytes32) {
        return _quorumConfig;
    }

    /// @inheritdoc IErc8183Evaluator
    function jobKeyOf(address commerce, uint256 jobId) public view returns (bytes32) {
        return keccak256(abi.encode(block.chainid, commerce, jobId));
    }

    /// @dev Tells the ERC-8183 contract what the outcome means.
    function _evaluate(IErc8183 commerce, uint256 jobId, uint8 outcome, bytes32 verdictHash) private {
        if (outcome == Outcome.PASS) {
            commerce.complete(jobId, verdictHash, "");
        } else if (outcome == Outcome.FAIL || outcome == Outcome.WITHHELD) {
            commerce.reject(jobId, verdictHash, "");
        } else {
            revert OutcomeInvalid(outcome);
        }
    }
}
