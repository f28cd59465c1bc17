// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Terms} from "../../../contracts-evm/types/Terms.sol";

/// @notice Something that calls itself an escrow and calls back whoever releases from it.
contract HostileEscrow {
    bytes public call;
    bool public reentrySucceeded;

    function setCall(bytes calldata call_) external {
        call = call_;
    }

    function release(Terms calldata, bytes32, bytes32) external {
        if (call.length != 0) {
            (reentrySucceeded, ) = msg.sender.call(call);
        }
    }

    function refund(Terms calldata, bytes32, bytes32) external pure {
        revert("no refund here");
    }
}
