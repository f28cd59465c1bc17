// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

/// @title Outcome
/// @notice Certificate codes of the four outcomes; zero is no outcome.
library Outcome {
    uint8 internal constant PASS = 1;
    uint8 internal constant FAIL = 2;
    uint8 internal constant UNDETERMINED = 3;
    uint8 internal constant WITHHELD = 4;
}

/// @notice What the operators sign (EIP-712) about one agreement and one submission.
struct Verdict {
    /// @dev The contract that holds the agreement.
    address escrow;
    /// @dev The agreement's id in that contract.
    bytes32 agreementId;
    /// @dev SHA-256 of the submission document that was judged.
    bytes32 submissionHash;
    /// @dev One of `Outcome`.
    uint8 outcome;
    /// @dev keccak256 of the verdict record's canonical bytes.
    bytes32 verdictHash;
    /// @dev The Intelligent Contract that judged, on GenLayer.
    address judge;
    /// @dev The GenLayer transaction that judged.
    bytes32 judgeTx;
    /// @dev Last second (Unix time) in which this certificate may be delivered.
    uint48 notAfter;
}

/// @notice The operators who may judge an agreement and how many of them must agree.
struct Quorum {
    /// @dev Strictly ascending addresses.
    address[] members;
    /// @dev How many distinct members must sign; at least one, at most all.
    uint256 threshold;
}
