// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Signatures} from "../../../contracts-evm/libraries/Signatures.sol";

/// @notice Asks whether an account signed a digest, for accounts that no private key is known of.
contract ExposedSignatures {
    function isSignedBy(address signer, bytes32 digest, bytes calldata signature) external view returns (bool) {
        return Signatures.isSignedBy(signer, digest, signature);
    }
}
