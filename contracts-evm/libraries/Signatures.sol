// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";
import {SignatureChecker} from "@openzeppelin/contracts/utils/cryptography/SignatureChecker.sol";

/// @title Signatures
/// @notice Says whether an account signed a digest, be it a key or a contract.
library Signatures {
    /// @notice Whether `signer` signed `digest`: by ECDSA (65 bytes, lower half of the curve order), else by ERC-1271.
    ///
    /// @dev ECDSA comes first, so that a key whose account delegates its code (EIP-7702) keeps signing as before, and
    /// so that the usual case doesn't pay for a look at the account's code.
    ///
    /// @param signer Key or contract that is said to have signed
    /// @param digest EIP-712 digest
    /// @param signature Signature bytes
    ///
    /// @return True if the signature is the signer's
    function isSignedBy(address signer, bytes32 digest, bytes calldata signature) internal view returns (bool) {
        (address recovered, ECDSA.RecoverError failure, ) = ECDSA.tryRecoverCalldata(digest, signature);
        return
            (failure == ECDSA.RecoverError.NoError && recovered == signer) ||
            SignatureChecker.isValidERC1271SignatureNowCalldata(signer, digest, signature);
    }
}
