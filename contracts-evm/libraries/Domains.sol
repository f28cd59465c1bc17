// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

/// @title Domains
/// @notice EIP-712 domain separators of other contracts on this chain, as it is now: after a split of the chain, what
/// was signed for one half is worth nothing on the other.
library Domains {
    /// @dev EIP-712's own domain type.
    bytes32 private constant DOMAIN_TYPEHASH = keccak256(
        "EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)"
    );

    /// @dev Hash of the version, the same in every domain of Assay.
    bytes32 private constant VERSION_HASH = keccak256("1");

    /// @notice Domain separator `{name, "1", this chain, verifyingContract}`.
    ///
    /// @param nameHash keccak256 of the domain's name
    /// @param verifyingContract The contract that the domain belongs to
    ///
    /// @return separator The separator
    function separatorOf(bytes32 nameHash, address verifyingContract) internal view returns (bytes32 separator) {
        bytes32 typeHash = DOMAIN_TYPEHASH;
        bytes32 versionHash = VERSION_HASH;
        assembly ("memory-safe") {
            let data := mload(0x40)
            mstore(data, typeHash)
            mstore(add(data, 0x20), nameHash)
            mstore(add(data, 0x40), versionHash)
            mstore(add(data, 0x60), chainid())
            mstore(add(data, 0x80), verifyingContract)
            separator := keccak256(data, 0xa0)
        }
    }
}
