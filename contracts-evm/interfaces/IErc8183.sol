// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

/// @title ERC-8183, the evaluator's part
/// @notice The two functions that an evaluator calls; all generations of the standard share their selectors.
interface IErc8183 {
    /// @notice Accepts a submitted job and pays its provider.
    ///
    /// @param jobId The job
    /// @param reason What the evaluator attests; here keccak256 of the verdict record
    /// @param optParams For hooks; here empty
    function complete(uint256 jobId, bytes32 reason, bytes calldata optParams) external;

    /// @notice Rejects a job and refunds its client.
    ///
    /// @param jobId The job
    /// @param reason What the evaluator attests; here keccak256 of the verdict record
    /// @param optParams For hooks; here empty
    function reject(uint256 jobId, bytes32 reason, bytes calldata optParams) external;
}
