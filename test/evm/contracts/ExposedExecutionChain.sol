// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {ExecutionChain} from "../../../contracts-evm/libraries/ExecutionChain.sol";
import {Exchange, Step} from "../../../contracts-evm/types/Execution.sol";

/// @notice The parts of the chain, for a look at each.
contract ExposedExecutionChain {
    function sequenceHash(Step[] calldata steps) external pure returns (bytes32) {
        return ExecutionChain.sequenceHash(steps);
    }

    function committedRoot(bytes32 nonce, bytes32 sequence) external pure returns (bytes32) {
        return ExecutionChain.committedRoot(nonce, sequence);
    }

    function stepNonce(bytes32 nonce, uint256 index) external pure returns (bytes32) {
        return ExecutionChain.stepNonce(nonce, index);
    }

    function attestation(
        Step calldata step,
        Exchange calldata exchange,
        bytes32 stepNonce_
    ) external pure returns (bytes32) {
        return ExecutionChain.attestation(step, exchange, stepNonce_);
    }

    function fold(bytes32 chain, bytes32 attestation_) external pure returns (bytes32) {
        return ExecutionChain.fold(chain, attestation_);
    }
}
