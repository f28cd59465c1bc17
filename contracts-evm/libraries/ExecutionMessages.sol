// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {MessageHashUtils} from "@openzeppelin/contracts/utils/cryptography/MessageHashUtils.sol";

import {Domains} from "./Domains.sol";

/// @title Execution messages
/// @notice EIP-712 hashes about finished walks: what their recorder signs, and what an escrow reports.
library ExecutionMessages {
    /// @dev Hash of the domain's name.
    bytes32 private constant DOMAIN_NAME_HASH = keccak256("Assay Execution");

    /// @dev EIP-712 type of what a recorder signs.
    bytes32 private constant TERMINAL_TYPEHASH = keccak256(
        "ExecutionTerminal(bytes32 agreementId,bytes32 committedRoot,bytes32 terminal)"
    );

    /// @dev EIP-712 type of what stands for a verdict in the escrow's event.
    bytes32 private constant VERDICT_TYPEHASH = keccak256(
        "ExecutionVerdict(bytes32 agreementId,bytes32 committedRoot,bytes32 terminal,address recorder)"
    );

    /// @notice What a recorder signs about a finished walk, in the domain `{"Assay Execution", "1", this chain, escrow}`.
    ///
    /// @dev The domain is the escrow's, so that one signature serves this gate and a judge.
    ///
    /// @param escrow The contract that holds the agreement
    /// @param agreementId The agreement that was walked for
    /// @param committedRoot What was committed to before the first step
    /// @param terminal The chain after the last step
    ///
    /// @return The digest
    function terminalDigest(
        address escrow,
        bytes32 agreementId,
        bytes32 committedRoot,
        bytes32 terminal
    ) internal view returns (bytes32) {
        return
            MessageHashUtils.toTypedDataHash(
                Domains.separatorOf(DOMAIN_NAME_HASH, escrow),
                keccak256(abi.encode(TERMINAL_TYPEHASH, agreementId, committedRoot, terminal))
            );
    }

    /// @notice What stands for a verdict where no record of a judge exists: the struct hash of a proof's facts.
    ///
    /// @param agreementId The agreement
    /// @param committedRoot What was committed to before the first step
    /// @param terminal The chain after the last step
    /// @param recorder Who signed it
    ///
    /// @return The hash
    function hashVerdict(
        bytes32 agreementId,
        bytes32 committedRoot,
        bytes32 terminal,
        address recorder
    ) internal pure returns (bytes32) {
        return keccak256(abi.encode(VERDICT_TYPEHASH, agreementId, committedRoot, terminal, recorder));
    }
}
