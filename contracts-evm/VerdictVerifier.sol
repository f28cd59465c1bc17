// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {EIP712} from "@openzeppelin/contracts/utils/cryptography/EIP712.sol";

import {IVerdictVerifier} from "./interfaces/IVerdictVerifier.sol";
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

    /// @dev Reverts unless `threshold` members of the agreed quorum signed the certificate and it is still good.
    ///
    /// @param verdict The certificate
    /// @param quorum Members and threshold
    /// @param config Hash of the agreed members and threshold
    /// @param signatures One per member, empty where a member didn't sign
    ///
    /// @return signers The first `threshold` members whose signatures count, in order
    function _requireCertified(
        Verdict calldata verdict,
        Quorum calldata quorum,
        bytes32 config,
        bytes[] calldata signatures
    ) internal view returns (address[] memory signers) {
        // Check that the certificate is still good
        if (block.timestamp > verdict.notAfter) revert CertificateExpired(block.timestamp, verdict.notAfter);
        // Check that these are the operators that were agreed on
        bytes32 given = keccak256(abi.encode(quorum.members, quorum.threshold));
        if (given != config) revert QuorumMismatch(given, config);
        _requireWellFormed(quorum.members, quorum.threshold);
        // Check that every signature has its member
        if (signatures.length != quorum.members.length) {
            revert SignatureCountMismatch(signatures.length, quorum.members.length);
        }
        return _countSigners(digestOf(verdict), quorum, signatures);
    }

    /// @dev Reverts unless each member counts once and some, but no more than all of them, must sign.
    function _requireWellFormed(address[] calldata members, uint256 threshold) internal pure {
        if (threshold == 0 || threshold > members.length) revert ThresholdInvalid(threshold, members.length);
        address previous;
        for (uint256 i; i < members.length; ++i) {
            if (members[i] <= previous) revert MembersNotAscending(i, members[i]);
            previous = members[i];
        }
    }

    /// @dev Collects signers until there are enough; reverts if there never are.
    function _countSigners(
        bytes32 digest,
        Quorum calldata quorum,
        bytes[] calldata signatures
    ) private view returns (address[] memory signers) {
        signers = new address[](quorum.threshold);
        uint256 count;
        for (uint256 i; i < signatures.length && count < signers.length; ++i) {
            address member = quorum.members[i];
            if (signatures[i].length == 0 || _revoked[member]) continue;
            if (member.isSignedBy(digest, signatures[i])) signers[count++] = member;
        }
        if (count < signers.length) revert SignersMissing(digest, count, signers.length);
    }
}
