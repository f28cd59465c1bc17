// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

/// @notice A token with an address for an allowance that misbehaves in one way at a time. It checks no signature.
contract HostileToken {
    enum Behaviour {
        None,
        ReturnFalse,
        ReturnNothing,
        Revert,
        BurnGas,
        TakeFee,
        DeliverMore,
        DeliverNothing,
        LoseMore,
        Reenter
    }

    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;

    Behaviour public behaviour;
    address public target;
    bytes public call;
    bytes public reentryResult;
    bool public reentrySucceeded;

    function setBehaviour(Behaviour behaviour_) external {
        behaviour = behaviour_;
    }

    /// @dev What to call back, once, in the middle of the next movement.
    function setReentry(address target_, bytes calldata call_) external {
        behaviour = Behaviour.Reenter;
        target = target_;
        call = call_;
    }

    function mint(address to, uint256 amount) external {
        balanceOf[to] += amount;
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

    function receiveWithAuthorization(
        address from,
        address to,
        uint256 amount,
        uint256,
        uint256,
        bytes32,
        bytes calldata
    ) external {
        _move(from, to, amount);
    }

    function permit(address owner, address spender, uint256 amount, uint256, bytes calldata) external {
        allowance[owner][spender] = amount;
    }

    function _move(address from, address to, uint256 amount) private returns (bool) {
        if (behaviour == Behaviour.Revert) revert("refused");
        if (behaviour == Behaviour.BurnGas) {
            for (;;) {}
        }
        if (behaviour == Behaviour.ReturnFalse) return false;
        if (behaviour == Behaviour.Reenter) {
            behaviour = Behaviour.None;
            (reentrySucceeded, reentryResult) = target.call(call);
        }
        balanceOf[from] -= amount;
        if (behaviour == Behaviour.LoseMore) balanceOf[to] = 0;
        else if (behaviour == Behaviour.TakeFee) balanceOf[to] += amount - 1;
        else if (behaviour == Behaviour.DeliverMore) balanceOf[to] += amount + 1;
        else if (behaviour != Behaviour.DeliverNothing) balanceOf[to] += amount;
        if (behaviour == Behaviour.ReturnNothing) {
            assembly ("memory-safe") {
                return(0, 0)
            }
        }
        return true;
    }
}
