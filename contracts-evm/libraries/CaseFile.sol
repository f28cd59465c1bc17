// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IVerdictQuorum} from "../interfaces/IVerdictQuorum.sol";
import {Terms} from "../types/Terms.sol";
import {Verdict} from "../types/Verdict.sol";
import {TermsLib} from "./TermsLib.sol";
import {VerdictLib} from "./VerdictLib.sol";

/// @dev Points to the terms and the verdict of one delivery in memory.
type CaseFile is uint256;

using CaseFileLib for CaseFile global;

/// @title Case file
/// @notice Keeps what one delivery is about in memory, laid out so that it is hashed, reported and passed on to the
/// escrow where it stands, without another copy.
///
/// @dev Offsets:
///
/// | offset | content |
/// |---|---|
/// | 0x000 | type hash of `Terms` |
/// | 0x020 | the ten words of `Terms` |
/// | 0x160 | type hash of `Verdict` |
/// | 0x180 | the eight words of `Verdict` |
/// | 0x280 | end |
///
/// Words are taken as they come. One with dirty upper bits makes a hash that no operator signed and no escrow knows.
library CaseFileLib {
    /// @dev Bytes of a case file.
    uint256 private constant SIZE = 0x280;

    /// @dev Bytes of a packed delivery before its members; `IVerdictQuorum.deliverPacked` lists them.
    uint256 internal constant PACKED_HEADER_SIZE = 273;

    /// @notice Opens a case file from terms and verdict in calldata.
    ///
    /// @param terms The agreement's terms
    /// @param verdict The certificate
    ///
    /// @return file The case file
    function open(Terms calldata terms, Verdict calldata verdict) internal pure returns (CaseFile file) {
        file = _allocate();
        assembly ("memory-safe") {
            calldatacopy(add(file, 0x020), terms, 0x140)
            calldatacopy(add(file, 0x180), verdict, 0x100)
        }
    }

    /// @notice Opens a case file from the header of a packed delivery. `adjudicatorConfig` and `agreementId`, which
    /// follow from other things, stay empty.
    ///
    /// @param packed A packed delivery
    /// @param adjudicator The adjudicator of the terms
    ///
    /// @return file The case file
    function unpack(bytes calldata packed, address adjudicator) internal pure returns (CaseFile file) {
        file = _allocate();
        assembly ("memory-safe") {
            let data := packed.offset
            mstore(add(file, 0x020), shr(96, calldataload(add(data, 20)))) // buyer
            mstore(add(file, 0x040), shr(96, calldataload(add(data, 40)))) // seller
            mstore(add(file, 0x060), shr(128, calldataload(add(data, 60)))) // reward
            mstore(add(file, 0x080), calldataload(add(data, 76))) // agreementHash
            mstore(add(file, 0x0a0), adjudicator)
            mstore(add(file, 0x0e0), shr(208, calldataload(add(data, 108)))) // deliverBy
            mstore(add(file, 0x100), shr(208, calldataload(add(data, 114)))) // adjudicateBy
            mstore(add(file, 0x120), shr(240, calldataload(add(data, 120)))) // noVerdictSellerBps
            mstore(add(file, 0x140), calldataload(add(data, 122))) // salt

            mstore(add(file, 0x180), shr(96, calldataload(data))) // escrow
            mstore(add(file, 0x1c0), calldataload(add(data, 154))) // submissionHash
            mstore(add(file, 0x1e0), shr(248, calldataload(add(data, 186)))) // outcome
            mstore(add(file, 0x200), calldataload(add(data, 187))) // verdictHash
            mstore(add(file, 0x220), shr(96, calldataload(add(data, 219)))) // judge
            mstore(add(file, 0x240), calldataload(add(data, 239))) // judgeTx
            mstore(add(file, 0x260), mload(add(file, 0x100))) // notAfter
        }
    }

    /// @notice Writes `Terms.adjudicatorConfig`.
    ///
    /// @param file The case file
    /// @param config Hash of members and threshold
    function setAdjudicatorConfig(CaseFile file, bytes32 config) internal pure {
        assembly ("memory-safe") {
            mstore(add(file, 0x0c0), config)
        }
    }

    /// @notice Writes `Verdict.agreementId`.
    ///
    /// @param file The case file
    /// @param agreementId_ The agreement
    function setAgreementId(CaseFile file, bytes32 agreementId_) internal pure {
        assembly ("memory-safe") {
            mstore(add(file, 0x1a0), agreementId_)
        }
    }

    /// @notice `Verdict.escrow`.
    ///
    /// @param file The case file
    ///
    /// @return escrow_ The escrow
    function escrow(CaseFile file) internal pure returns (address escrow_) {
        assembly ("memory-safe") {
            escrow_ := mload(add(file, 0x180))
        }
    }

    /// @notice `Verdict.outcome`.
    ///
    /// @param file The case file
    ///
    /// @return outcome_ The code
    function outcome(CaseFile file) internal pure returns (uint256 outcome_) {
        assembly ("memory-safe") {
            outcome_ := mload(add(file, 0x1e0))
        }
    }

    /// @notice `Verdict.notAfter`.
    ///
    /// @param file The case file
    ///
    /// @return notAfter_ Unix time
    function notAfter(CaseFile file) internal pure returns (uint256 notAfter_) {
        assembly ("memory-safe") {
            notAfter_ := mload(add(file, 0x260))
        }
    }

    /// @notice EIP-712 struct hash of the terms.
    ///
    /// @param file The case file
    ///
    /// @return digest The hash
    function termsHash(CaseFile file) internal pure returns (bytes32 digest) {
        assembly ("memory-safe") {
            digest := keccak256(file, 0x160)
        }
    }

    /// @notice EIP-712 struct hash of the certificate.
    ///
    /// @param file The case file
    ///
    /// @return digest The hash
    function verdictHash(CaseFile file) internal pure returns (bytes32 digest) {
        assembly ("memory-safe") {
            digest := keccak256(add(file, 0x160), 0x120)
        }
    }

    /// @notice Emits `IVerdictQuorum.Certified`.
    ///
    /// @param file The case file
    /// @param signers The operators whose signatures counted
    function emitCertified(CaseFile file, address[] memory signers) internal {
        bytes32 topic = IVerdictQuorum.Certified.selector;
        assembly ("memory-safe") {
            let data := mload(0x40)
            mstore(data, mload(add(file, 0x1c0))) // submissionHash
            mcopy(add(data, 0x20), add(file, 0x200), 0x60) // verdictHash, judge, judgeTx
            mstore(add(data, 0x80), 0xa0)
            let size := shl(5, add(mload(signers), 1))
            mcopy(add(data, 0xa0), signers, size)
            log4(
                data,
                add(size, 0xa0),
                topic,
                mload(add(file, 0x180)), // escrow
                mload(add(file, 0x1a0)), // agreementId
                mload(add(file, 0x1e0)) // outcome
            )
        }
    }

    /// @notice Calls `release`, `refund` or `conclude` of the escrow, and reverts with what it reverts with.
    ///
    /// @dev Closes the file: the call's data takes its place.
    ///
    /// @param file The case file
    /// @param selector Which of the three
    function close(CaseFile file, bytes4 selector) internal {
        assembly ("memory-safe") {
            let escrow_ := mload(add(file, 0x180))
            let submissionHash := mload(add(file, 0x1c0))
            let verdictHash_ := mload(add(file, 0x200))
            mstore(file, shr(224, selector))
            mstore(add(file, 0x160), submissionHash)
            mstore(add(file, 0x180), verdictHash_)
            if iszero(call(gas(), escrow_, 0, add(file, 0x1c), 0x184, 0, 0)) {
                let data := mload(0x40)
                returndatacopy(data, 0, returndatasize())
                revert(data, returndatasize())
            }
        }
    }

    /// @dev Takes memory and writes the type hashes.
    function _allocate() private pure returns (CaseFile file) {
        bytes32 termsTypeHash = TermsLib.TERMS_TYPEHASH;
        bytes32 verdictTypeHash = VerdictLib.VERDICT_TYPEHASH;
        assembly ("memory-safe") {
            file := mload(0x40)
            mstore(0x40, add(file, SIZE))
            mstore(file, termsTypeHash)
            mstore(add(file, 0x160), verdictTypeHash)
        }
    }
}
