// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

/// @notice A token that can refuse like USDC: paused, or blacklisted sender or recipient. It checks no signature.
contract TestUsd {
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;
    mapping(address => bool) public blacklisted;
    bool public paused;

    function mint(address to, uint256 amount) external {
        balanceOf[to] += amount;
    }

    function setPaused(bool paused_) external {
        paused = paused_;
    }

    function setBlacklisted(address account, bool blacklisted_) external {
        blacklisted[account] = blacklisted_;
    }

    function approve(address spender, uint256 amount) external returns (bool) {
        allowance[msg.sender][spender] = amount;
        return true;
    }

    function transfer(address to, uint256 amount) external returns (bool) {
        return _move(msg.sender, to, amount);
    }

    function transferFrom(address from, address to, uint256 amount) external returns (bool) {
        allowance[from][msg.sender] -= amount;
        return _move(from, to, amount);
    }

    function permit(address owner, address spender, uint256 amount, uint256, bytes calldata) external {
        require(!paused, "paused");
        allowance[owner][spender] = amount;
    }

    function receiveWithAuthorization(
        address from,
        address to,
        uint256 amount,
        uint256,
        uint256,
        bytes32,
        bytes calldata
    ) external {
        require(to == msg.sender, "caller must be the payee");
        _move(from, to, amount);
    }

    function _move(address from, address to, uint256 amount) private returns (bool) {
        require(!paused, "paused");
        require(!blacklisted[from] && !blacklisted[to], "blacklisted");
        balanceOf[from] -= amount;
        balanceOf[to] += amount;
        return true;
    }
}
