// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

/// @notice Tells what a call costs without what its transaction costs: neither intrinsic gas nor calldata.
contract GasMeter {
    function measure(address target, bytes memory data) external returns (uint256 gasUsed) {
        uint256 gasBefore = gasleft();
        (bool success, bytes memory result) = target.call(data);
        gasUsed = gasBefore - gasleft();
        if (!success) {
            assembly ("memory-safe") {
                revert(add(result, 0x20), mload(result))
            }
        }
    }
}
