// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Exchange, ExecutionProof, Step} from "../types/Execution.sol";

/// @title Execution proof gate
/// @notice Releases an agreement's reward when its committed steps were walked, in order, and the recorder says so.
///
/// @dev An adjudicator without a model and without operators. It holds nothing, stores nothing and has no owner. What
/// must have been walked and whose word counts is fixed in the terms: `adjudicatorConfig` is
/// keccak256(abi.encode(bytes32 committedRoot, address recorder)). What the seller submits to the escrow is the terminal
/// itself, so that a walk that ends after `deliverBy` is late like any other work. The gate only ever releases: without
/// a proof the agreement expires as its terms say. A proof shows order and bytes of the calls, not that their content is
/// right.
interface IExecutionProofGate {
    /// @notice The committed steps of an agreement were walked, and the contract that holds it took that as a PASS.
    ///
    /// @dev Anybody can name any contract as the escrow: only for an escrow that the reader knows does this event mean
    /// that an agreement was settled.
    ///
    /// @param escrow The contract that holds the agreement
    /// @param agreementId The agreement
    /// @param recorder Who signed the terminal
    /// @param committedRoot What was committed to before the first step
    /// @param terminal The chain after the last step; the submission
    /// @param steps How many steps were walked
    /// @param verdictHash What the escrow reports; see {verdictHashOf}
    event ExecutionProven(
        address indexed escrow,
        bytes32 indexed agreementId,
        address indexed recorder,
        bytes32 committedRoot,
        bytes32 terminal,
        uint256 steps,
        bytes32 verdictHash
    );

    /// @notice A sequence without steps proves nothing.
    error SequenceEmpty();

    /// @notice A step stands at another place than its index says.
    ///
    /// @param position The place at which it stands
    /// @param index The index that it carries
    error StepMisplaced(uint256 position, uint256 index);

    /// @notice There isn't one exchange for each step.
    ///
    /// @param exchanges How many were given
    /// @param steps How many steps there are
    error ExchangeCountMismatch(uint256 exchanges, uint256 steps);

    /// @notice The recorder is nobody, or the seller, whose word about its own work is worth nothing.
    ///
    /// @param recorder The recorder given
    error RecorderInvalid(address recorder);

    /// @notice Nonce, steps and recorder aren't the ones that were agreed on.
    ///
    /// @param committedRoot What the nonce and steps given commit to
    /// @param recorder The recorder given
    /// @param config keccak256(abi.encode(committedRoot, recorder)) of both
    /// @param expected The one agreed on
    error CommitmentMismatch(bytes32 committedRoot, address recorder, bytes32 config, bytes32 expected);

    /// @notice The recorder didn't sign that this agreement's walk ended like this.
    ///
    /// @param recorder Who should have signed
    /// @param terminal What the exchanges given end in
    /// @param digest EIP-712 digest that should have been signed
    error TerminalNotSigned(address recorder, bytes32 terminal, bytes32 digest);

    /// @notice Delivers a proof: replays the chain, checks the recorder's signature and releases the reward.
    ///
    /// @dev Called by anyone, until the terms' `adjudicateBy`. Emits {ExecutionProven}. Reverts with
    /// {RecorderInvalid}, {SequenceEmpty}, {ExchangeCountMismatch}, {StepMisplaced}, {CommitmentMismatch},
    /// {TerminalNotSigned}, or what the escrow reverts with.
    ///
    /// @param proof The proof
    function deliver(ExecutionProof calldata proof) external;

    /// @notice Walks a chain again, from its root to its terminal.
    ///
    /// @dev Reverts with {SequenceEmpty}, {ExchangeCountMismatch}, {StepMisplaced}.
    ///
    /// @param nonce The mission's nonce
    /// @param steps The committed steps, in order
    /// @param exchanges What binds the bytes of each step's call
    ///
    /// @return committedRoot What these steps and this nonce commit to
    /// @return terminal The chain after the last step
    function replay(
        bytes32 nonce,
        Step[] calldata steps,
        Exchange[] calldata exchanges
    ) external pure returns (bytes32 committedRoot, bytes32 terminal);

    /// @notice What terms carry as `adjudicatorConfig` so that this gate adjudicates them.
    ///
    /// @param committedRoot What is committed to before the first step
    /// @param recorder Whose word counts
    ///
    /// @return keccak256(abi.encode(committedRoot, recorder))
    function configOf(bytes32 committedRoot, address recorder) external pure returns (bytes32);

    /// @notice What a recorder signs: the EIP-712 digest of
    /// `ExecutionTerminal(bytes32 agreementId,bytes32 committedRoot,bytes32 terminal)` in the domain
    /// `{"Assay Execution", "1", this chain, escrow}`.
    ///
    /// @param escrow The contract that holds the agreement
    /// @param agreementId The agreement
    /// @param committedRoot What was committed to before the first step
    /// @param terminal The chain after the last step
    ///
    /// @return The digest
    function digestOf(
        address escrow,
        bytes32 agreementId,
        bytes32 committedRoot,
        bytes32 terminal
    ) external view returns (bytes32);

    /// @notice What the escrow reports as `verdictHash` of a release by this gate: the EIP-712 struct hash of
    /// `ExecutionVerdict(bytes32 agreementId,bytes32 committedRoot,bytes32 terminal,address recorder)`.
    ///
    /// @param agreementId The agreement
    /// @param committedRoot What was committed to before the first step
    /// @param terminal The chain after the last step
    /// @param recorder Who signed it
    ///
    /// @return The hash
    function verdictHashOf(
        bytes32 agreementId,
        bytes32 committedRoot,
        bytes32 terminal,
        address recorder
    ) external pure returns (bytes32);
}
