// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {AgreementEscrow} from "../../../contracts-evm/AgreementEscrow.sol";
import {ExecutionProofGate} from "../../../contracts-evm/ExecutionProofGate.sol";
import {Exchange, ExecutionProof, Step} from "../../../contracts-evm/types/Execution.sol";
import {Status} from "../../../contracts-evm/types/Status.sol";
import {Terms} from "../../../contracts-evm/types/Terms.sol";
import {TestUsd} from "./support/TestUsd.sol";
import {vm} from "./support/Vm.sol";

/// @notice The chain against its definition, and the gate against every proof but the agreed one, on arbitrary values.
contract ExecutionProofTest {
    uint256 private constant RECORDER_KEY = 77;
    uint256 private constant KINDS_OF_CHANGES = 14;

    address private constant BUYER = address(0xB0B);
    address private constant SELLER = address(0x5E11E4);

    TestUsd private _token;
    AgreementEscrow private _escrow;
    ExecutionProofGate private _gate;

    function setUp() external {
        _token = new TestUsd();
        _escrow = new AgreementEscrow(address(_token));
        _gate = new ExecutionProofGate();
        _token.mint(BUYER, 1e24);
        vm.prank(BUYER);
        _token.approve(address(_escrow), type(uint256).max);
    }

    /// @notice A walk ends where folding its attestations one by one ends.
    function testFuzz_replayIsTheDefinition(bytes32 nonce, uint256 seed, uint256 length) external view {
        (Step[] memory steps, Exchange[] memory exchanges) = _walk(seed, 1 + (length % 12));
        (bytes32 root, bytes32 terminal) = _gate.replay(nonce, steps, exchanges);
        bytes32 chain = keccak256(abi.encode(nonce, keccak256(abi.encode(steps))));
        assert(root == chain);
        for (uint256 i; i < steps.length; ++i) {
            bytes32 attestation = keccak256(
                abi.encode(
                    i,
                    steps[i].method,
                    steps[i].pathTemplate,
                    exchanges[i].requestHash,
                    exchanges[i].responseHash,
                    keccak256(abi.encode(nonce, i))
                )
            );
            chain = keccak256(abi.encode(chain, attestation));
        }
        assert(terminal == chain);
    }

    /// @notice The agreed proof pays the seller the whole reward, once.
    function testFuzz_theAgreedProofPays(bytes32 nonce, uint256 seed, uint256 length, uint256 reward) external {
        ExecutionProof memory proof = _prove(nonce, seed, 1 + (length % 8), 1 + (reward % 1e12));
        _gate.deliver(proof);
        assert(_token.balanceOf(SELLER) == proof.terms.reward);
        assert(_statusOf(_escrow.agreementIdOf(proof.terms)) == Status.Released);
        (bool again, ) = address(_gate).call(abi.encodeCall(_gate.deliver, (proof)));
        assert(!again);
        assert(_token.balanceOf(SELLER) == proof.terms.reward);
    }

    /// @notice One change anywhere in the proof, and nothing moves.
    function testFuzz_noOtherProofPays(bytes32 nonce, uint256 seed, uint256 length, uint256 change) external {
        ExecutionProof memory proof = _prove(nonce, seed, 1 + (length % 8), 1_000_000);
        bytes32 agreementId = _escrow.agreementIdOf(proof.terms);
        bytes32 before = keccak256(abi.encode(proof));
        _change(proof, change);
        vm.assume(keccak256(abi.encode(proof)) != before);
        (bool paid, ) = address(_gate).call(abi.encodeCall(_gate.deliver, (proof)));
        assert(!paid);
        assert(_token.balanceOf(SELLER) == 0);
        assert(_statusOf(agreementId) == Status.Submitted);
    }

    /// @notice Whoever else signs, nothing moves.
    function testFuzz_noOtherKeyPays(uint256 key, uint256 seed) external {
        ExecutionProof memory proof = _prove(bytes32(seed), seed, 3, 1_000_000);
        key = 1 + (key % 1e30);
        vm.assume(key != RECORDER_KEY);
        proof.signature = _sign(key, proof);
        (bool paid, ) = address(_gate).call(abi.encodeCall(_gate.deliver, (proof)));
        assert(!paid);
        assert(_token.balanceOf(SELLER) == 0);
    }

    /// @dev Funds an agreement about a walk, submits its end, and makes the proof.
    function _prove(
        bytes32 nonce,
        uint256 seed,
        uint256 length,
        uint256 reward
    ) private returns (ExecutionProof memory proof) {
        proof.escrow = address(_escrow);
        proof.recorder = vm.addr(RECORDER_KEY);
        proof.nonce = nonce;
        (proof.steps, proof.exchanges) = _walk(seed, length);
        (bytes32 root, bytes32 terminal) = _gate.replay(nonce, proof.steps, proof.exchanges);
        proof.terms = Terms({
            buyer: BUYER,
            seller: SELLER,
            reward: reward,
            agreementHash: keccak256("agreement"),
            adjudicator: address(_gate),
            adjudicatorConfig: _gate.configOf(root, proof.recorder),
            deliverBy: uint48(block.timestamp + 1 days),
            adjudicateBy: uint48(block.timestamp + 2 days),
            noVerdictSellerBps: 0,
            salt: seed
        });
        vm.prank(BUYER);
        _escrow.fund(proof.terms, "");
        vm.prank(SELLER);
        _escrow.submit(proof.terms, terminal);
        proof.signature = _sign(RECORDER_KEY, proof);
    }

    function _sign(uint256 key, ExecutionProof memory proof) private view returns (bytes memory) {
        (bytes32 root, bytes32 terminal) = _gate.replay(proof.nonce, proof.steps, proof.exchanges);
        bytes32 digest = _gate.digestOf(proof.escrow, _escrow.agreementIdOf(proof.terms), root, terminal);
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(key, digest);
        return abi.encodePacked(r, s, v);
    }

    /// @dev Steps and exchanges that follow from a seed; texts are up to 69 bytes long.
    function _walk(
        uint256 seed,
        uint256 length
    ) private pure returns (Step[] memory steps, Exchange[] memory exchanges) {
        steps = new Step[](length);
        exchanges = new Exchange[](length);
        for (uint256 i; i < length; ++i) {
            bytes32 random = keccak256(abi.encode(seed, i));
            steps[i] = Step({
                index: i,
                method: string(new bytes(1 + (uint8(random[0]) % 40))),
                pathTemplate: string(new bytes(1 + (uint8(random[1]) % 69))),
                auth: uint8(random[2]) % 2 == 0
            });
            exchanges[i] = Exchange({
                requestHash: keccak256(abi.encode(random, 0)),
                responseHash: keccak256(abi.encode(random, 1))
            });
        }
    }

    /// @dev Changes one thing. Some changes of some proofs change nothing; the caller leaves those out.
    function _change(ExecutionProof memory proof, uint256 change) private pure {
        uint256 kind = change % KINDS_OF_CHANGES;
        uint256 i = (change >> 8) % proof.steps.length;
        uint256 j = (change >> 16) % proof.steps.length;
        bytes32 other = keccak256(abi.encode(change));
        if (kind == 0) proof.nonce = other;
        if (kind == 1) proof.recorder = address(uint160(uint256(other)));
        if (kind == 2) proof.exchanges[i].requestHash = other;
        if (kind == 3) proof.exchanges[i].responseHash = other;
        if (kind == 4) proof.steps[i].method = string(abi.encodePacked(proof.steps[i].method, bytes1(0)));
        if (kind == 5) proof.steps[i].pathTemplate = string(abi.encodePacked(proof.steps[i].pathTemplate, bytes1(0)));
        if (kind == 6) proof.steps[i].auth = !proof.steps[i].auth;
        if (kind == 7) proof.steps[i].index = uint256(other);
        if (kind == 8) (proof.exchanges[i], proof.exchanges[j]) = (proof.exchanges[j], proof.exchanges[i]);
        if (kind == 9) (proof.steps[i], proof.steps[j]) = (proof.steps[j], proof.steps[i]);
        if (kind == 10) (proof.steps, proof.exchanges) = _walk(change, proof.steps.length + 1);
        if (kind == 11) (proof.steps, proof.exchanges) = (new Step[](0), new Exchange[](0));
        if (kind == 12) proof.terms.salt = uint256(other);
        if (kind == 13) proof.signature[i % 65] = proof.signature[i % 65] ^ bytes1(uint8(1 + ((change >> 24) % 255)));
    }

    function _statusOf(bytes32 agreementId) private view returns (Status status) {
        (status, ) = _escrow.stateOf(agreementId);
    }
}
