// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

/// @title Quorum library
/// @notice Hashing of the operators that terms commit to.
library QuorumLib {
    /// @notice keccak256(abi.encode(members, threshold)), as the members stand in calldata.
    ///
    /// @dev The compiler's encoder would check and copy members one by one. A member with dirty upper bits hashes to a
    /// quorum that nobody agreed on.
    ///
    /// @param members The operators
    /// @param threshold How many must sign
    ///
    /// @return digest The hash
    function hash(address[] calldata members, uint256 threshold) internal pure returns (bytes32 digest) {
        assembly ("memory-safe") {
            let data := mload(0x40)
            let size := shl(5, members.length)
            mstore(data, 0x40)
            mstore(add(data, 0x20), threshold)
            mstore(add(data, 0x40), members.length)
            calldatacopy(add(data, 0x60), members.offset, size)
            digest := keccak256(data, add(size, 0x60))
        }
    }
}
