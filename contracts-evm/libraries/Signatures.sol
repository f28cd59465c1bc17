// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {SignatureChecker} from "@openzeppelin/contracts/utils/cryptography/SignatureChecker.sol";

/// @title Signatures
/// @notice Says whether an account signed a digest, be it a key or a contract.
library Signatures {
    /// @dev Bytes of an ECDSA signature: r, s and v.
    uint256 private constant ECDSA_LENGTH = 65;

    /// @dev Half the order of secp256k1, rounded down.
    uint256 private constant HALF_ORDER = 0x7FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF5D576E7357A4501DDFE92F46681B20A0;

    /// @notice Whether `signer` signed `digest`: by ECDSA (65 bytes, lower half of the curve order), else by ERC-1271.
    ///
    /// @dev ECDSA comes first, so that a key whose account delegates its code (EIP-7702) keeps signing as before, and
    /// so that the usual case doesn't pay for a look at the account's code. The signer is never the zero address.
    ///
    /// @param signer Key or contract that is said to have signed
    /// @param digest EIP-712 digest
    /// @param signature Signature bytes
    ///
    /// @return True if the signature is the signer's
    function isSignedBy(address signer, bytes32 digest, bytes calldata signature) internal view returns (bool) {
        if (signature.length == ECDSA_LENGTH) {
            bytes32 r;
            bytes32 s;
            uint8 v;
            assembly ("memory-safe") {
                r := calldataload(signature.offset)
                s := calldataload(add(signature.offset, 0x20))
                v := byte(0, calldataload(add(signature.offset, 0x40)))
            }
            // Check that it is the one of two equivalent signatures that wallets make
            if (uint256(s) <= HALF_ORDER) {
                if (ecrecover(digest, v, r, s) == signer) return true;
            }
        }
        return SignatureChecker.isValidERC1271SignatureNowCalldata(signer, digest, signature);
    }
}
