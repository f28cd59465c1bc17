// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {MessageHashUtils} from "@openzeppelin/contracts/utils/cryptography/MessageHashUtils.sol";

import {IAgreementEscrow} from "./interfaces/IAgreementEscrow.sol";
import {IExecutionProofGate} from "./interfaces/IExecutionProofGate.sol";
import {EscrowMessages} from "./libraries/EscrowMessages.sol";
import {ExecutionChain} from "./libraries/ExecutionChain.sol";
import {ExecutionMessages} from "./libraries/ExecutionMessages.sol";
import {Signatures} from "./libraries/Signatures.sol";
import {TermsLib} from "./libraries/TermsLib.sol";
import {Exchange, ExecutionProof, Step} from "./types/Execution.sol";
import {Terms} from "./types/Terms.sol";

/// @title Execution proof gate
/// @notice Releases an agreement's reward when its committed steps were walked, in order, and the recorder says so.
contract ExecutionProofGate is IExecutionProofGate {
    using Signatures for address;
    using TermsLib for Terms;

    /// @inheritdoc IExecutionProofGate
    function deliver(ExecutionProof calldata proof) external {
        address recorder = proof.recorder;
        // Check that somebody else than the one who is paid saw the calls
        if (recorder == address(0) || recorder == proof.terms.seller) revert RecorderInvalid(recorder);

        (bytes32 root, bytes32 terminal) = replay(proof.nonce, proof.steps, proof.exchanges);
        // Check that these steps, and this recorder, are what was agreed on
        bytes32 config = configOf(root, recorder);
        bytes32 expected = proof.terms.adjudicatorConfig;
        if (config != expected) revert CommitmentMismatch(root, recorder, config, expected);

        bytes32 agreementId = MessageHashUtils.toTypedDataHash(
            EscrowMessages.domainSeparator(proof.escrow),
            proof.terms.hash()
        );
        // Check that the walk ended like this, and was for this agreement
        bytes32 digest = digestOf(proof.escrow, agreementId, root, terminal);
        if (!recorder.isSignedBy(digest, proof.signature)) revert TerminalNotSigned(recorder, terminal, digest);

        bytes32 verdictHash = verdictHashOf(agreementId, root, terminal, recorder);
        emit ExecutionProven(proof.escrow, agreementId, recorder, root, terminal, proof.steps.length, verdictHash);
        // The submission that this releases for is the walk's end, and no other
        IAgreementEscrow(proof.escrow).release(proof.terms, terminal, verdictHash);
    }

    /// @inheritdoc IExecutionProofGate
    function replay(
        bytes32 nonce,
        Step[] calldata steps,
        Exchange[] calldata exchanges
    ) public pure returns (bytes32 committedRoot, bytes32 terminal) {
        return ExecutionChain.replay(nonce, steps, exchanges);
    }

    /// @inheritdoc IExecutionProofGate
    function configOf(bytes32 committedRoot, address recorder) public pure returns (bytes32) {
        return keccak256(abi.encode(committedRoot, recorder));
    }

    /// @inheritdoc IExecutionProofGate
    function digestOf(
        address escrow,
        bytes32 agreementId,
        bytes32 committedRoot,
        bytes32 terminal
    ) public view returns (bytes32) {
        return ExecutionMessages.terminalDigest(escrow, agreementId, committedRoot, terminal);
    }

    /// @inheritdoc IExecutionProofGate
    function verdictHashOf(
        bytes32 agreementId,
        bytes32 committedRoot,
        bytes32 terminal,
        address recorder
    ) public pure returns (bytes32) {
        return ExecutionMessages.hashVerdict(agreementId, committedRoot, terminal, recorder);
    }
}
