// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

/// @notice What buyer and seller agree on. Its EIP-712 digest in the escrow's domain is the agreement's id.
///
/// @dev Nothing here is stored: terms travel in calldata and are checked by hash.
struct Terms {
    /// @dev Who pays and who is refunded.
    address buyer;
    /// @dev Who delivers and is paid.
    address seller;
    /// @dev Token base units that the escrow receives and later pays out, whole.
    uint256 reward;
    /// @dev SHA-256 of the agreement document's canonical bytes.
    bytes32 agreementHash;
    /// @dev The only address that may release, refund or conclude.
    address adjudicator;
    /// @dev What the adjudicator must honour; for the quorum keccak256(abi.encode(address[] members, uint256 threshold)).
    bytes32 adjudicatorConfig;
    /// @dev Last second (Unix time) in which a submission is taken.
    uint48 deliverBy;
    /// @dev Last second (Unix time) in which a verdict is taken.
    uint48 adjudicateBy;
    /// @dev The seller's share, in basis points, when no verdict comes or it is UNDETERMINED.
    uint16 noVerdictSellerBps;
    /// @dev Chosen by the buyer; makes two otherwise equal agreements distinct.
    uint256 salt;
}
