// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IExecutionProofGate} from "../interfaces/IExecutionProofGate.sol";
import {Exchange, Step} from "../types/Execution.sol";

/// @title Execution chain
/// @notice The hash chain that a walk along committed steps makes: keccak-256 over standard ABI encoding, never packed.
library ExecutionChain {
    /// @notice Walks the chain again, from its root to its terminal.
    ///
    /// @dev Nothing is taken on trust: neither attestations nor values of the chain are given. Reverts as
    /// {IExecutionProofGate.replay}.
    ///
    /// @param nonce The mission's nonce
    /// @param steps The committed steps, in order
    /// @param exchanges What binds the bytes of each step's call
    ///
    /// @return root What these steps and this nonce commit to
    /// @return terminal The chain after the last step
    function replay(
        bytes32 nonce,
        Step[] calldata steps,
        Exchange[] calldata exchanges
    ) internal pure returns (bytes32 root, bytes32 terminal) {
        // Check that there is something to prove, and one call for each step
        uint256 length = steps.length;
        if (length == 0) revert IExecutionProofGate.SequenceEmpty();
        if (exchanges.length != length) revert IExecutionProofGate.ExchangeCountMismatch(exchanges.length, length);

        root = committedRoot(nonce, sequenceHash(steps));
        terminal = root;
        for (uint256 i; i < length; ++i) {
            // Check that the index, which the attestation binds, is the step's place
            if (steps[i].index != i) revert IExecutionProofGate.StepMisplaced(i, steps[i].index);
            terminal = fold(terminal, attestation(steps[i], exchanges[i], stepNonce(nonce, i)));
        }
    }

    /// @notice What stands for the steps of a mission, whatever its nonce.
    ///
    /// @param steps The steps, in order
    ///
    /// @return keccak256(abi.encode(steps))
    function sequenceHash(Step[] calldata steps) internal pure returns (bytes32) {
        return keccak256(abi.encode(steps));
    }

    /// @notice What is committed to before the first step; the chain's first value.
    ///
    /// @param nonce The mission's nonce
    /// @param sequence Hash of its steps
    ///
    /// @return keccak256(abi.encode(nonce, sequence))
    function committedRoot(bytes32 nonce, bytes32 sequence) internal pure returns (bytes32) {
        return keccak256(abi.encode(nonce, sequence));
    }

    /// @notice What ties an attestation to its mission and to its place in it.
    ///
    /// @param nonce The mission's nonce
    /// @param index The step's place
    ///
    /// @return keccak256(abi.encode(nonce, index))
    function stepNonce(bytes32 nonce, uint256 index) internal pure returns (bytes32) {
        return keccak256(abi.encode(nonce, index));
    }

    /// @notice What attests one step.
    ///
    /// @param step The committed step
    /// @param exchange What binds the bytes of its call
    /// @param stepNonce_ The step's nonce
    ///
    /// @return keccak256(abi.encode(index, method, pathTemplate, requestHash, responseHash, stepNonce))
    function attestation(
        Step calldata step,
        Exchange calldata exchange,
        bytes32 stepNonce_
    ) internal pure returns (bytes32) {
        return
            keccak256(
                abi.encode(
                    step.index,
                    step.method,
                    step.pathTemplate,
                    exchange.requestHash,
                    exchange.responseHash,
                    stepNonce_
                )
            );
    }

    /// @notice The chain after one more step.
    ///
    /// @param chain The chain before it
    /// @param attestation_ The step's attestation
    ///
    /// @return keccak256(abi.encode(chain, attestation))
    function fold(bytes32 chain, bytes32 attestation_) internal pure returns (bytes32) {
        return keccak256(abi.encode(chain, attestation_));
    }
}
