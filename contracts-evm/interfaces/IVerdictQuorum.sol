// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Terms} from "../types/Terms.sol";
import {Quorum, Verdict} from "../types/Verdict.sol";

/// @title Verdict quorum
/// @notice Turns a certificate that enough operators signed into the escrow's payment.
interface IVerdictQuorum {
    /// @dev One certificate with everything needed to deliver it. `signatures[i]` is `quorum.members[i]`'s, empty when that member did not sign.
    struct Delivery {
        Terms terms;
        Verdict verdict;
        Quorum quorum;
        bytes[] signatures;
    }

    event Certified(
        address indexed escrow,
        bytes32 indexed agreementId,
        uint8 indexed outcome,
        bytes32 submissionHash,
        bytes32 verdictHash,
        address judge,
        bytes32 judgeTx,
        address[] signers
    );
    event DeliveryFailed(uint256 indexed index, bytes32 indexed agreementId, bytes reason);
    event OperatorRevoked(address indexed operator);

    function deliver(Delivery calldata delivery) external;
    function deliverMany(Delivery[] calldata deliveries) external returns (bool[] memory delivered);
    function revoke() external;

    function isRevoked(address operator) external view returns (bool);
    function digestOf(Verdict calldata verdict) external view returns (bytes32);
}
