// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

/// @notice The cheat codes of Hardhat's Solidity tests that these tests use.
interface Vm {
    function warp(uint256 timestamp) external;
    function prank(address sender) external;
    function sign(uint256 key, bytes32 digest) external pure returns (uint8 v, bytes32 r, bytes32 s);
    function addr(uint256 key) external pure returns (address);
    function assume(bool condition) external pure;
}

/// @dev Where the cheat codes live.
Vm constant vm = Vm(address(uint160(uint256(keccak256("hevm cheat code")))));
