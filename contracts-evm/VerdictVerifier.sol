// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {EIP712} from "@openzeppelin/contracts/utils/cryptography/EIP712.sol";

import {IVerdictVerifier} from "./interfaces/IVerdictVerifier.sol";
import {QuorumLib} from "./libraries/QuorumLib.sol";
import {Signatures} from "./libraries/Signatures.sol";
import {VerdictLib} from "./libraries/VerdictLib.sol";
import {Quorum, Verdict} from "./types/Verdict.sol";

/// @title Verdict verifier
/// @notice Checks certificates: enough operators of a fixed set signed one verdict, in time.
abstract contract VerdictVerifier is IVerdictVerifier, EIP712 {
    using Signatures for address;
    using VerdictLib for Verdict;

    mapping(address operator => bool revoked) private _revoked;

    constructor() EIP712("Assay Verdict", "1") {}

    /// @inheritdoc IVerdictVerifier
    function revoke() external {
        // Check that it says something new
        if (_revoked[msg.sender]) revert OperatorAlreadyRevoked(msg.sender);

        _revoked[msg.sender] = true;
        emit OperatorRevoked(msg.sender);
    }

    /// @inheritdoc IVerdictVerifier
    function isRevoked(address operator) external view returns (bool) {
        return _revoked[operator];
    }

    /// @inheritdoc IVerdictVerifier
    function digestOf(Verdict calldata verdict) public view returns (bytes32) {
        return _hashTypedDataV4(verdict.hash());
    }

    /// @notice Reverts unless a certificate is still good.
    ///
    /// @param notAfter Last second in which it may be delivered
    function _requireInTime(uint256 notAfter) internal view {
        if (block.timestamp > notAfter) revert CertificateExpired(block.timestamp, notAfter);
    }

    /// @notice Reverts unless enough members of the agreed quorum signed.
    ///
    /// @param digest What they should have signed
    /// @param quorum Members and threshold
    /// @param config Hash of the members and threshold that were agreed on
    /// @param signatures One per member, empty where a member didn't sign
    ///
    /// @return signers The first `threshold` members whose signatures count, in order
    function _requireSigned(
        bytes32 digest,
        Quorum calldata quorum,
        bytes32 config,
        bytes[] calldata signatures
    ) internal view returns (address[] memory signers) {
        address[] calldata members = quorum.members;
        uint256 threshold = quorum.threshold;
        // Check that these are the operators that were agreed on
        bytes32 given = QuorumLib.hash(members, threshold);
        if (given != config) revert QuorumMismatch(given, config);
        // Check that every signature has its member
        if (signatures.length != members.length) revert SignatureCountMismatch(signatures.length, members.length);

        signers = _newSigners(threshold, members.length);
        uint256 count;
        address previous;
        for (uint256 i; i < members.length; ++i) {
            address member = members[i];
            // Check that nobody counts twice
            if (member <= previous) revert MembersNotAscending(i, member);
            previous = member;
            if (!_counts(member, digest, signatures[i])) continue;
            assembly ("memory-safe") {
                count := add(count, 1)
                mstore(add(signers, shl(5, count)), member)
            }
            if (count == threshold) return signers;
        }
        revert SignersMissing(digest, count, threshold);
    }

    /// @dev Whether a member's signature counts towards the threshold.
    function _counts(address member, bytes32 digest, bytes calldata signature) internal view returns (bool) {
        if (signature.length == 0) return false;
        if (_revoked[member]) return false;
        return member.isSignedBy(digest, signature);
    }

    /// @dev Room for the signers, whose places are written as they are found.
    function _newSigners(uint256 threshold, uint256 members) internal pure returns (address[] memory signers) {
        unchecked {
            // Check that some, but no more than all of them, must sign: zero wraps around to more
            if (threshold - 1 >= members) revert ThresholdInvalid(threshold, members);
        }
        assembly ("memory-safe") {
            signers := mload(0x40)
            mstore(signers, threshold)
            mstore(0x40, add(signers, shl(5, add(threshold, 1))))
        }
    }
}
