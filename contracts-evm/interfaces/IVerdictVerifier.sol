// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Verdict} from "../types/Verdict.sol";

/// @title Verdict verifier
/// @notice Checks certificates: enough operators of a fixed set signed one verdict, in time.
///
/// @dev Certificates are signed in this contract's EIP-712 domain ("Assay Verdict", "1"), by ECDSA (65 bytes) or
/// ERC-1271, one signature per member at the member's place, empty where a member didn't sign. Signatures that don't
/// verify, and those of revoked operators, don't count; they don't stop the ones that do.
interface IVerdictVerifier {
    /// @notice An operator's signatures will never count here again.
    ///
    /// @param operator The operator
    event OperatorRevoked(address indexed operator);

    /// @notice The members and threshold given aren't the ones that were agreed on.
    ///
    /// @param config keccak256(abi.encode(members, threshold)) of those given
    /// @param expected The one agreed on
    error QuorumMismatch(bytes32 config, bytes32 expected);

    /// @notice The threshold is zero or more than the members.
    ///
    /// @param threshold The threshold given
    /// @param members How many members there are
    error ThresholdInvalid(uint256 threshold, uint256 members);

    /// @notice The members aren't strictly ascending, so that one could count twice, or the first is zero.
    ///
    /// @param index The place of the member that doesn't ascend
    /// @param member That member
    error MembersNotAscending(uint256 index, address member);

    /// @notice There isn't one signature, perhaps empty, for each member.
    ///
    /// @param signatures How many were given
    /// @param members How many members there are
    error SignatureCountMismatch(uint256 signatures, uint256 members);

    /// @notice Too few members signed this certificate.
    ///
    /// @param digest EIP-712 digest that they should have signed
    /// @param signers How many did, revoked ones not counted
    /// @param threshold How many had to
    error SignersMissing(bytes32 digest, uint256 signers, uint256 threshold);

    /// @notice The certificate is too old.
    ///
    /// @param timestamp Time of this block
    /// @param notAfter Last second in which it may be delivered
    error CertificateExpired(uint256 timestamp, uint256 notAfter);

    /// @notice The outcome has no meaning here.
    ///
    /// @param outcome The code given
    error OutcomeInvalid(uint256 outcome);

    /// @notice The operator has revoked itself already.
    ///
    /// @param operator The operator
    error OperatorAlreadyRevoked(address operator);

    /// @notice Revokes the caller as an operator, for good and for every agreement.
    ///
    /// @dev Called by an operator whose key leaked or retires. Emits {OperatorRevoked}. Reverts with
    /// {OperatorAlreadyRevoked}.
    function revoke() external;

    /// @notice Whether an operator has revoked itself.
    ///
    /// @param operator The operator
    ///
    /// @return True if its signatures don't count
    function isRevoked(address operator) external view returns (bool);

    /// @notice What operators sign: the EIP-712 digest of a certificate.
    ///
    /// @param verdict The certificate
    ///
    /// @return The digest
    function digestOf(Verdict calldata verdict) external view returns (bytes32);
}
