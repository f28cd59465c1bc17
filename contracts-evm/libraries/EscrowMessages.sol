// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Hashes} from "@openzeppelin/contracts/utils/cryptography/Hashes.sol";

import {Domains} from "./Domains.sol";

/// @title Escrow messages
/// @notice EIP-712 struct hashes of what parties sign for the escrow, beside the terms themselves.
library EscrowMessages {
    /// @dev Name of the escrow's EIP-712 domain.
    string internal constant DOMAIN_NAME = "Assay Escrow";

    /// @dev Version of the escrow's EIP-712 domain.
    string internal constant DOMAIN_VERSION = "1";

    /// @dev Hash of the name, as it stands in the domain separator.
    bytes32 private constant DOMAIN_NAME_HASH = keccak256("Assay Escrow");

    /// @dev EIP-712 type of the seller's consent.
    bytes32 internal constant ACCEPTANCE_TYPEHASH = keccak256("Acceptance(bytes32 agreementId)");

    /// @dev EIP-712 type of a relayed submission.
    bytes32 internal constant SUBMISSION_TYPEHASH = keccak256("Submission(bytes32 agreementId,bytes32 submissionHash)");

    /// @dev EIP-712 type of a settlement, signed by both parties.
    bytes32 internal constant SETTLEMENT_TYPEHASH = keccak256("Settlement(bytes32 agreementId,uint256 sellerAmount)");

    /// @notice Struct hash of the seller's consent to an agreement.
    ///
    /// @param agreementId The agreement
    ///
    /// @return The hash
    function hashAcceptance(bytes32 agreementId) internal pure returns (bytes32) {
        return Hashes.efficientKeccak256(ACCEPTANCE_TYPEHASH, agreementId);
    }

    /// @notice Struct hash of the seller's submission.
    ///
    /// @param agreementId The agreement
    /// @param submissionHash SHA-256 of the submission's canonical bytes
    ///
    /// @return The hash
    function hashSubmission(bytes32 agreementId, bytes32 submissionHash) internal pure returns (bytes32) {
        return keccak256(abi.encode(SUBMISSION_TYPEHASH, agreementId, submissionHash));
    }

    /// @notice Struct hash of a split that both parties want.
    ///
    /// @param agreementId The agreement
    /// @param sellerAmount What the seller gets, in base units; the buyer gets the rest
    ///
    /// @return The hash
    function hashSettlement(bytes32 agreementId, uint256 sellerAmount) internal pure returns (bytes32) {
        return keccak256(abi.encode(SETTLEMENT_TYPEHASH, agreementId, sellerAmount));
    }

    /// @notice Domain separator of an escrow on this chain, for contracts that aren't the escrow.
    ///
    /// @param escrow The escrow
    ///
    /// @return The separator
    function domainSeparator(address escrow) internal view returns (bytes32) {
        return Domains.separatorOf(DOMAIN_NAME_HASH, escrow);
    }
}
