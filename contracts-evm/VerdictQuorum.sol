// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {MessageHashUtils} from "@openzeppelin/contracts/utils/cryptography/MessageHashUtils.sol";

import {IAgreementEscrow} from "./interfaces/IAgreementEscrow.sol";
import {IVerdictQuorum} from "./interfaces/IVerdictQuorum.sol";
import {CaseFile, CaseFileLib} from "./libraries/CaseFile.sol";
import {EscrowMessages} from "./libraries/EscrowMessages.sol";
import {Outcome} from "./types/Verdict.sol";
import {VerdictVerifier} from "./VerdictVerifier.sol";

/// @title Verdict quorum
/// @notice Turns a certificate that enough operators signed into the escrow's payment.
contract VerdictQuorum is IVerdictQuorum, VerdictVerifier {
    /// @inheritdoc IVerdictQuorum
    function deliver(Delivery calldata delivery) external {
        CaseFile file = CaseFileLib.open(delivery.terms, delivery.verdict);
        // Check that the terms, which name the operators, are those of the agreement that was judged
        bytes32 agreementId = _agreementIdOf(file);
        if (delivery.verdict.agreementId != agreementId) {
            revert AgreementMismatch(delivery.verdict.agreementId, agreementId);
        }
        _requireInTime(file.notAfter());
        address[] memory signers = _requireSigned(
            _hashTypedDataV4(file.verdictHash()),
            delivery.quorum,
            delivery.terms.adjudicatorConfig,
            delivery.signatures
        );
        _settle(file, signers);
    }

    /// @inheritdoc IVerdictQuorum
    function deliverMany(Delivery[] calldata deliveries) external returns (bool[] memory delivered) {
        delivered = new bool[](deliveries.length);
        for (uint256 i; i < deliveries.length; ++i) {
            // A call of its own undoes a failed delivery and nothing else
            try this.deliver(deliveries[i]) {
                delivered[i] = true;
            } catch (bytes memory reason) {
                emit DeliveryFailed(i, deliveries[i].verdict.agreementId, reason);
            }
        }
    }

    /// @inheritdoc IVerdictQuorum
    function deliverPacked(bytes calldata packed) external {
        CaseFile file = CaseFileLib.unpack(packed, address(this));
        (address[] memory members, uint256 threshold, bytes32 config, uint256 cursor) = _unpackMembers(packed);
        // The operators given are those agreed on, and the verdict is about these terms, or the id is another one
        file.setAdjudicatorConfig(config);
        file.setAgreementId(_agreementIdOf(file));
        bytes32 digest = _hashTypedDataV4(file.verdictHash());
        _requireInTime(file.notAfter());
        _settle(file, _requireSignedPacked(digest, members, threshold, cursor));
    }

    /// @dev Tells the world, and the escrow, what the outcome means.
    function _settle(CaseFile file, address[] memory signers) private {
        file.emitCertified(signers);
        file.close(_selectorOf(file.outcome()));
    }

    /// @dev As {_requireSigned}, for a packed delivery.
    function _requireSignedPacked(
        bytes32 digest,
        address[] memory members,
        uint256 threshold,
        uint256 cursor
    ) private view returns (address[] memory signers) {
        signers = _newSigners(threshold, members.length);
        uint256 count;
        address previous;
        for (uint256 i; i < members.length; ++i) {
            address member;
            bytes calldata signature;
            assembly ("memory-safe") {
                member := mload(add(members, shl(5, add(i, 1))))
                signature.length := byte(0, calldataload(cursor))
                signature.offset := add(cursor, 1)
                cursor := add(signature.offset, signature.length)
            }
            // Check that nobody counts twice
            if (member <= previous) revert MembersNotAscending(i, member);
            previous = member;
            if (!_counts(member, digest, signature)) continue;
            assembly ("memory-safe") {
                count := add(count, 1)
                mstore(add(signers, shl(5, count)), member)
            }
            if (count == threshold) return signers;
        }
        revert SignersMissing(digest, count, threshold);
    }

    /// @dev The id of the terms in the escrow that the verdict names.
    function _agreementIdOf(CaseFile file) private view returns (bytes32) {
        return MessageHashUtils.toTypedDataHash(EscrowMessages.domainSeparator(file.escrow()), file.termsHash());
    }

    /// @dev Members, threshold, the hash of both, and where in calldata the signatures begin.
    function _unpackMembers(
        bytes calldata packed
    ) private pure returns (address[] memory members, uint256 threshold, bytes32 config, uint256 cursor) {
        uint256 start = CaseFileLib.PACKED_HEADER_SIZE;
        assembly ("memory-safe") {
            cursor := add(packed.offset, start)
            let word := calldataload(sub(cursor, 2))
            threshold := byte(0, word)
            let count := byte(1, word)
            // Laid out as abi.encode(members, threshold), so that it is hashed where it stands
            let data := mload(0x40)
            mstore(data, 0x40)
            mstore(add(data, 0x20), threshold)
            members := add(data, 0x40)
            mstore(members, count)
            let slot := add(members, 0x20)
            let end := add(slot, shl(5, count))
            mstore(0x40, end)
            for {} lt(slot, end) {
                slot := add(slot, 0x20)
            } {
                mstore(slot, shr(96, calldataload(cursor)))
                cursor := add(cursor, 20)
            }
            config := keccak256(data, sub(end, data))
        }
    }

    /// @dev The escrow's function for an outcome.
    function _selectorOf(uint256 outcome) private pure returns (bytes4) {
        if (outcome == Outcome.PASS) return IAgreementEscrow.release.selector;
        if (outcome == Outcome.FAIL) return IAgreementEscrow.refund.selector;
        if (outcome == Outcome.WITHHELD) return IAgreementEscrow.refund.selector;
        if (outcome == Outcome.UNDETERMINED) return IAgreementEscrow.conclude.selector;
        revert OutcomeInvalid(outcome);
    }
}
