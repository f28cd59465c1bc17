// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Status} from "../types/Status.sol";

/// @dev All that is stored about an agreement: the status in the low byte, the submission hash's first 31 bytes above it.
type AgreementState is bytes32;

using AgreementStateLib for AgreementState global;

/// @title Agreement state
/// @notice Packs an agreement's status and submission hash into one storage slot.
library AgreementStateLib {
    /// @dev Covers the status byte.
    bytes32 private constant STATUS_MASK = bytes32(uint256(type(uint8).max));

    /// @notice Packs a state; the hash's last byte gives way to the status.
    ///
    /// @param status_ Where the agreement stands
    /// @param submissionHash SHA-256 of the submission, zero when there is none
    ///
    /// @return The packed state
    function pack(Status status_, bytes32 submissionHash) internal pure returns (AgreementState) {
        return AgreementState.wrap((submissionHash & ~STATUS_MASK) | bytes32(uint256(status_)));
    }

    /// @notice The same submission under another status.
    ///
    /// @param state The state to change
    /// @param status_ The new status
    ///
    /// @return The packed state
    function withStatus(AgreementState state, Status status_) internal pure returns (AgreementState) {
        return pack(status_, AgreementState.unwrap(state));
    }

    /// @notice Whether there is no agreement yet.
    ///
    /// @param state A packed state
    ///
    /// @return True if it was never written
    function isNone(AgreementState state) internal pure returns (bool) {
        return AgreementState.unwrap(state) == 0;
    }

    /// @notice Whether two states are the same.
    ///
    /// @param state A packed state
    /// @param other Another one
    ///
    /// @return True if status and prefix are equal
    function equals(AgreementState state, AgreementState other) internal pure returns (bool) {
        return AgreementState.unwrap(state) == AgreementState.unwrap(other);
    }

    /// @notice Where the agreement stands.
    ///
    /// @param state A packed state
    ///
    /// @return The status
    function status(AgreementState state) internal pure returns (Status) {
        return Status(uint256(AgreementState.unwrap(state) & STATUS_MASK));
    }

    /// @notice The first 31 bytes of the submission's hash, zero when there is none.
    ///
    /// @param state A packed state
    ///
    /// @return The prefix
    function submissionHashPrefix(AgreementState state) internal pure returns (bytes31) {
        return bytes31(AgreementState.unwrap(state));
    }
}
