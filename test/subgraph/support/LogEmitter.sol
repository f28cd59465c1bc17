// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

/// @title Log emitter
/// @notice Emits whatever logs it is asked for, so that the index can be tested with any history of events.
contract LogEmitter {
    /// @notice A log, and which emitter's it is.
    struct Log {
        LogEmitter emitter;
        bytes32[] topics;
        bytes data;
    }

    /// @notice Has logs emitted in order, in one transaction.
    function emitLogs(Log[] calldata logs) external {
        for (uint256 i; i < logs.length; ++i) logs[i].emitter.emitLog(logs[i].topics, logs[i].data);
    }

    /// @notice Emits one log of two to four topics.
    function emitLog(bytes32[] memory topics, bytes memory data) external {
        require(topics.length >= 2 && topics.length <= 4, "two to four topics");
        assembly ("memory-safe") {
            let start := add(data, 32)
            let size := mload(data)
            let first := mload(add(topics, 32))
            let second := mload(add(topics, 64))
            switch mload(topics)
            case 2 {
                log2(start, size, first, second)
            }
            case 3 {
                log3(start, size, first, second, mload(add(topics, 96)))
            }
            case 4 {
                log4(start, size, first, second, mload(add(topics, 96)), mload(add(topics, 128)))
            }
        }
    }
}
