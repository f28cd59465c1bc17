// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Status} from "../types/Status.sol";
import {Terms} from "../types/Terms.sol";

/// @title Agreement escrow
/// @notice Holds the reward of every agreement until a verdict, the parties, or the clock says whose it is.
interface IAgreementEscrow {
    event Funded(bytes32 indexed agreementId, address indexed buyer, address indexed seller, Terms terms);
    event Accepted(bytes32 indexed agreementId);
    event Submitted(bytes32 indexed agreementId, bytes32 submissionHash);
    event Released(bytes32 indexed agreementId, bytes32 submissionHash, bytes32 verdictHash);
    event Refunded(bytes32 indexed agreementId, bytes32 submissionHash, bytes32 verdictHash);
    event Concluded(bytes32 indexed agreementId, bytes32 submissionHash, bytes32 verdictHash, uint256 sellerAmount);
    event Cancelled(bytes32 indexed agreementId);
    event Conceded(bytes32 indexed agreementId, address indexed conceder);
    event Settled(bytes32 indexed agreementId, uint256 sellerAmount);
    event Expired(bytes32 indexed agreementId, uint256 sellerAmount);
    event Credited(bytes32 indexed agreementId, address indexed creditor, uint256 amount);
    event Withdrawn(address indexed creditor, address indexed to, uint256 amount);

    function fund(Terms calldata terms, bytes calldata sellerSignature) external returns (bytes32 agreementId);

    function fundWithPermit(
        Terms calldata terms,
        uint256 permitDeadline,
        bytes calldata permitSignature,
        bytes calldata sellerSignature
    ) external returns (bytes32 agreementId);

    function fundWithAuthorization(
        Terms calldata terms,
        uint256 validAfter,
        uint256 validBefore,
        bytes calldata authorizationSignature,
        bytes calldata sellerSignature
    ) external returns (bytes32 agreementId);

    function accept(Terms calldata terms) external;
    function acceptWithSignature(Terms calldata terms, bytes calldata sellerSignature) external;
    function submit(Terms calldata terms, bytes32 submissionHash) external;
    function submitWithSignature(Terms calldata terms, bytes32 submissionHash, bytes calldata sellerSignature) external;
    function cancel(Terms calldata terms) external;
    function concede(Terms calldata terms) external;
    function settle(
        Terms calldata terms,
        uint256 sellerAmount,
        bytes calldata buyerSignature,
        bytes calldata sellerSignature
    ) external;
    function release(Terms calldata terms, bytes32 submissionHash, bytes32 verdictHash) external;
    function refund(Terms calldata terms, bytes32 submissionHash, bytes32 verdictHash) external;
    function conclude(Terms calldata terms, bytes32 submissionHash, bytes32 verdictHash) external;
    function expire(Terms calldata terms) external;
    function withdraw(address to) external returns (uint256 amount);

    function token() external view returns (address);
    function agreementIdOf(Terms calldata terms) external view returns (bytes32);
    function stateOf(bytes32 agreementId) external view returns (Status status, bytes31 submissionHashPrefix);
    function creditOf(address creditor) external view returns (uint256 amount);
    function noVerdictSharesOf(Terms calldata terms) external pure returns (uint256 sellerAmount, uint256 buyerAmount);
}
