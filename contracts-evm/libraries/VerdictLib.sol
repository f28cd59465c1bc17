// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Verdict} from "../types/Verdict.sol";

/// @title Verdict library
/// @notice EIP-712 hashing of certificates.
library VerdictLib {
    /// @dev EIP-712 type of `Verdict`.
    bytes32 internal constant VERDICT_TYPEHASH = keccak256(
        "Verdict(address escrow,bytes32 agreementId,bytes32 submissionHash,uint8 outcome,bytes32 verdictHash,address judge,bytes32 judgeTx,uint48 notAfter)"
    );

    /// @notice EIP-712 struct hash of a certificate.
    ///
    /// @param verdict The certificate
    ///
    /// @return The hash
    function hash(Verdict calldata verdict) internal pure returns (bytes32) {
        return keccak256(abi.encode(VERDICT_TYPEHASH, verdict));
    }
}
