// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

/// @notice What the FiatToken proxy could be upgraded to: the same storage, and 1 % of every transfer is kept back.
contract FeeFiatToken {
    /// @dev Slots 0 to 8 of FiatToken V1: owner, pauser, blacklister, names, master minter.
    uint256[9] private _before;
    mapping(address => uint256) private _balances;
    mapping(address => mapping(address => uint256)) private _allowances;

    function balanceOf(address account) external view returns (uint256) {
        return _balances[account];
    }

    function transfer(address to, uint256 amount) external returns (bool) {
        return _move(msg.sender, to, amount);
    }

    function transferFrom(address from, address to, uint256 amount) external returns (bool) {
        _allowances[from][msg.sender] -= amount;
        return _move(from, to, amount);
    }

    function _move(address from, address to, uint256 amount) private returns (bool) {
        _balances[from] -= amount;
        _balances[to] += amount - amount / 100;
        return true;
    }
}
