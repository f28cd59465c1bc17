// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Terms} from "./Terms.sol";

/// @notice One call that a mission commits to before it begins.
struct Step {
    /// @dev Its place in the sequence, from zero.
    uint256 index;
    /// @dev HTTP method.
    string method;
    /// @dev Path, with a name in braces for every segment that is chosen during the walk.
    string pathTemplate;
    /// @dev Whether the call carries credentials.
    bool auth;
}

/// @notice What binds the bytes of one call that was made.
struct Exchange {
    /// @dev SHA-256 of method, target and the SHA-256 of the request's body.
    bytes32 requestHash;
    /// @dev SHA-256 of status and the SHA-256 of the answer's body.
    bytes32 responseHash;
}

/// @notice Everything that shows that the committed steps were walked for one agreement.
struct ExecutionProof {
    /// @dev The contract that holds the agreement.
    address escrow;
    /// @dev The agreement's terms; `adjudicatorConfig` is keccak256(abi.encode(committedRoot, recorder)).
    Terms terms;
    /// @dev Who saw the calls, and whose word it is that they were these.
    address recorder;
    /// @dev The mission's nonce.
    bytes32 nonce;
    /// @dev The committed steps, in order.
    Step[] steps;
    /// @dev One for each step, in the same order.
    Exchange[] exchanges;
    /// @dev The recorder's, over the terminal: ECDSA (65 bytes) or ERC-1271.
    bytes signature;
}
