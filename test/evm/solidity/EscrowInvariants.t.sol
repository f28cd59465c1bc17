// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Status} from "../../../contracts-evm/types/Status.sol";
import {EscrowHandler} from "./support/EscrowHandler.sol";

/// @notice What must hold after any sequence of actions.
contract EscrowInvariantsTest {
    EscrowHandler private _handler;

    function setUp() external {
        _handler = new EscrowHandler();
    }

    /// @dev The fuzzer calls the handler, and only what is an action.
    function targetContracts() external view returns (address[] memory targets) {
        targets = new address[](1);
        targets[0] = address(_handler);
    }

    struct FuzzSelector {
        address addr;
        bytes4[] selectors;
    }

    function targetSelectors() external view returns (FuzzSelector[] memory targets) {
        targets = new FuzzSelector[](1);
        targets[0].addr = address(_handler);
        targets[0].selectors = new bytes4[](20);
        bytes4[] memory selectors = targets[0].selectors;
        // What builds agreements up comes more often than what tears them down
        selectors[0] = _handler.fund.selector;
        selectors[1] = _handler.fund.selector;
        selectors[2] = _handler.fund.selector;
        selectors[3] = _handler.submit.selector;
        selectors[4] = _handler.submit.selector;
        selectors[5] = _handler.deliver.selector;
        selectors[6] = _handler.deliver.selector;
        selectors[7] = _handler.accept.selector;
        selectors[8] = _handler.cancel.selector;
        selectors[9] = _handler.concede.selector;
        selectors[10] = _handler.settle.selector;
        selectors[11] = _handler.judgeDirectly.selector;
        selectors[12] = _handler.expire.selector;
        selectors[13] = _handler.withdraw.selector;
        selectors[14] = _handler.revokeOperator.selector;
        selectors[15] = _handler.warp.selector;
        selectors[16] = _handler.warpToDeadline.selector;
        selectors[17] = _handler.donate.selector;
        selectors[18] = _handler.setBlacklisted.selector;
        selectors[19] = _handler.setPaused.selector;
    }

    /// @dev One campaign for all, because each function of this prefix would run its own.
    function invariant_escrow() external view {
        _checkSolvent();
        _checkPaysOnce();
        _checkStates();
        _checkNobodyElseIsPaid();
    }

    /// @notice The handler's actions succeed often enough for the invariants to mean something.
    function test_everyActionIsReached() external {
        string[10] memory names = [
            "fund",
            "accept",
            "submit",
            "cancel",
            "concede",
            "settle",
            "deliver",
            "expire",
            "withdraw",
            "revoke"
        ];
        uint256[10] memory counts;
        bytes4[] memory selectors = this.targetSelectors()[0].selectors;
        for (uint256 run; run < 8; ++run) {
            EscrowHandler handler = new EscrowHandler();
            for (uint256 step; step < 128; ++step) {
                uint256 seed = uint256(keccak256(abi.encode(run, step)));
                // Seven words are more than any action takes
                bytes memory call = abi.encodePacked(
                    selectors[seed % selectors.length],
                    abi.encode(_word(seed, 1), _word(seed, 2), _word(seed, 3), _word(seed, 4)),
                    abi.encode(_word(seed, 5), _word(seed, 6), _word(seed, 7))
                );
                (bool success, ) = address(handler).call(call);
                require(success, "an action reverts");
            }
            for (uint256 i; i < names.length; ++i) counts[i] += handler.done(keccak256(bytes(names[i])));
        }
        for (uint256 i; i < names.length; ++i) require(counts[i] != 0, names[i]);
    }

    function _word(uint256 seed, uint256 i) private pure returns (uint256) {
        return uint256(keccak256(abi.encode(seed, i)));
    }

    /// @notice The escrow holds what it owes: live rewards and credits, and donations on top, to the unit.
    function _checkSolvent() private view {
        uint256 owed = _handler.donated();
        for (uint256 i; i < _handler.cases(); ++i) {
            EscrowHandler.Case memory case_ = _handler.caseAt(i);
            owed += case_.received - case_.paid;
        }
        for (uint256 i; i < 3; ++i) {
            owed += _handler.escrow().creditOf(_handler.buyer(i)) + _handler.escrow().creditOf(_handler.seller(i));
        }
        assert(_handler.token().balanceOf(address(_handler.escrow())) == owed);
    }

    /// @notice For every agreement, nothing is paid before its end, and everything it received is paid at its end, once.
    function _checkPaysOnce() private view {
        for (uint256 i; i < _handler.cases(); ++i) {
            EscrowHandler.Case memory case_ = _handler.caseAt(i);
            assert(case_.paid == (_ended(case_.status) ? case_.received : 0));
            assert(case_.endings == (_ended(case_.status) ? 1 : 0));
        }
    }

    /// @notice The escrow is where the model is: a terminal state never changes, a submission's hash neither.
    function _checkStates() private view {
        for (uint256 i; i < _handler.cases(); ++i) {
            EscrowHandler.Case memory case_ = _handler.caseAt(i);
            (Status status, bytes31 prefix) = _handler.escrow().stateOf(_handler.escrow().agreementIdOf(case_.terms));
            assert(status == case_.status);
            assert(prefix == bytes31(case_.submissionHash));
        }
    }

    /// @notice Nobody but buyers and sellers, and whom they withdraw to, ever receives anything.
    function _checkNobodyElseIsPaid() private view {
        assert(_handler.token().balanceOf(address(_handler.quorum())) == 0);
        assert(_handler.token().balanceOf(address(_handler)) == 0);
        assert(_handler.escrow().creditOf(_handler.stranger()) == 0);
        assert(_handler.escrow().creditOf(address(_handler.quorum())) == 0);
    }

    /// @notice Every live state has an exit within its clocks, after which everybody has everything.
    function afterInvariant() external {
        _handler.windUp();
        for (uint256 i; i < _handler.cases(); ++i) {
            assert(_ended(_handler.caseAt(i).status));
        }
        assert(_handler.token().balanceOf(address(_handler.escrow())) == _handler.donated());
    }

    function _ended(Status status) private pure returns (bool) {
        return status == Status.Released || status == Status.Refunded || status == Status.Split;
    }
}
