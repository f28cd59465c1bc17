// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

/// @notice What an EIP-7702 account may delegate to: it batches calls and knows no ERC-1271.
contract PlainDelegate {
    function execute(address target, bytes calldata data) external {
        require(msg.sender == address(this), "not the account");
        (bool success, ) = target.call(data);
        require(success, "call failed");
    }
}
