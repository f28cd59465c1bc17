// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

/// @notice Where an agreement stands. The last three are terminal.
enum Status {
    None,
    Funded,
    Accepted,
    Submitted,
    Released,
    Refunded,
    Split
}
