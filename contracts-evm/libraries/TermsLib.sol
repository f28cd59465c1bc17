// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IAgreementEscrow} from "../interfaces/IAgreementEscrow.sol";
import {Terms} from "../types/Terms.sol";

/// @title Terms library
/// @notice What follows from terms alone: their hash, whether an escrow takes them, how a split falls.
library TermsLib {
    /// @dev Basis points of the whole.
    uint256 internal constant BPS = 10_000;

    /// @dev A seller has at least this long to deliver, counted from funding.
    uint256 internal constant MIN_DELIVERY_WINDOW = 10 minutes;

    /// @dev A buyer's money waits at most this long for a delivery, counted from funding.
    uint256 internal constant MAX_DELIVERY_WINDOW = 365 days;

    /// @dev Adjudication has at least this long, counted from `deliverBy`.
    uint256 internal constant MIN_ADJUDICATION_WINDOW = 1 hours;

    /// @dev Both parties wait at most this long for a verdict, counted from `deliverBy`.
    uint256 internal constant MAX_ADJUDICATION_WINDOW = 90 days;

    /// @dev EIP-712 type of `Terms`.
    bytes32 internal constant TERMS_TYPEHASH = keccak256(
        "Terms(address buyer,address seller,uint256 reward,bytes32 agreementHash,address adjudicator,bytes32 adjudicatorConfig,uint48 deliverBy,uint48 adjudicateBy,uint16 noVerdictSellerBps,uint256 salt)"
    );

    /// @notice EIP-712 struct hash of the terms, as they stand in calldata.
    ///
    /// @dev Dirty upper bits make another hash. {requireFundable} refuses them, so no agreement has such an id.
    ///
    /// @param terms The terms
    ///
    /// @return digest The hash
    function hash(Terms calldata terms) internal pure returns (bytes32 digest) {
        bytes32 typeHash = TERMS_TYPEHASH;
        assembly ("memory-safe") {
            let data := mload(0x40)
            mstore(data, typeHash)
            calldatacopy(add(data, 0x20), terms, 0x140)
            digest := keccak256(data, 0x160)
        }
    }

    /// @notice Reverts unless an escrow takes these terms now.
    ///
    /// @dev Reads every field narrower than a word, so that terms with dirty upper bits, whose raw hash would be another
    /// id, are never funded. The sums can't overflow: their addends are 48 bits wide, or small constants.
    ///
    /// @param terms The terms
    /// @param escrow The escrow
    /// @param token The escrow's token
    function requireFundable(Terms calldata terms, address escrow, address token) internal view {
        // Check that there is something to hold
        if (terms.reward == 0) revert IAgreementEscrow.RewardInvalid(terms.reward);

        _requireDistinctRoles(terms.buyer, terms.seller, terms.adjudicator, escrow, token);

        unchecked {
            // Check that the seller has time to deliver, and the buyer an end in sight
            uint256 deliverBy = terms.deliverBy;
            uint256 earliest = block.timestamp + MIN_DELIVERY_WINDOW;
            uint256 latest = block.timestamp + MAX_DELIVERY_WINDOW;
            if (deliverBy < earliest) revert IAgreementEscrow.DeliverByOutOfRange(deliverBy, earliest, latest);
            if (deliverBy > latest) revert IAgreementEscrow.DeliverByOutOfRange(deliverBy, earliest, latest);

            // Check that even a submission in the last second can be judged in time
            uint256 adjudicateBy = terms.adjudicateBy;
            earliest = deliverBy + MIN_ADJUDICATION_WINDOW;
            latest = deliverBy + MAX_ADJUDICATION_WINDOW;
            if (adjudicateBy < earliest) revert IAgreementEscrow.AdjudicateByOutOfRange(adjudicateBy, earliest, latest);
            if (adjudicateBy > latest) revert IAgreementEscrow.AdjudicateByOutOfRange(adjudicateBy, earliest, latest);
        }

        // Check that the default split can be computed when it is needed
        _requireShare(terms.noVerdictSellerBps);
    }

    /// @notice How the reward falls when no verdict comes; the odd unit goes to the seller.
    ///
    /// @dev The whole and the remainder of the reward are divided apart, so that no reward overflows.
    ///
    /// @param terms The terms
    ///
    /// @return sellerAmount What the seller gets, in base units
    /// @return buyerAmount What the buyer gets, in base units
    function noVerdictShares(Terms calldata terms) internal pure returns (uint256 sellerAmount, uint256 buyerAmount) {
        _requireShare(terms.noVerdictSellerBps);
        uint256 buyerBps = BPS - terms.noVerdictSellerBps;
        buyerAmount = (terms.reward / BPS) * buyerBps + ((terms.reward % BPS) * buyerBps) / BPS;
        sellerAmount = terms.reward - buyerAmount;
    }

    /// @dev Reverts if a role is empty, or if buyer, seller, adjudicator, escrow and token aren't pairwise distinct.
    function _requireDistinctRoles(
        address buyer,
        address seller,
        address adjudicator,
        address escrow,
        address token
    ) private pure {
        if (buyer == address(0)) revert IAgreementEscrow.RoleInvalid(buyer);
        if (buyer == escrow) revert IAgreementEscrow.RoleInvalid(buyer);
        if (buyer == token) revert IAgreementEscrow.RoleInvalid(buyer);
        if (seller == address(0)) revert IAgreementEscrow.RoleInvalid(seller);
        if (seller == escrow) revert IAgreementEscrow.RoleInvalid(seller);
        if (seller == token) revert IAgreementEscrow.RoleInvalid(seller);
        if (seller == buyer) revert IAgreementEscrow.RoleInvalid(seller);
        if (adjudicator == address(0)) revert IAgreementEscrow.RoleInvalid(adjudicator);
        if (adjudicator == escrow) revert IAgreementEscrow.RoleInvalid(adjudicator);
        if (adjudicator == token) revert IAgreementEscrow.RoleInvalid(adjudicator);
        if (adjudicator == buyer) revert IAgreementEscrow.RoleInvalid(adjudicator);
        if (adjudicator == seller) revert IAgreementEscrow.RoleInvalid(adjudicator);
    }

    /// @dev Reverts if the seller's share is more than the whole.
    function _requireShare(uint16 bps) private pure {
        if (bps > BPS) revert IAgreementEscrow.SellerShareInvalid(bps, BPS);
    }
}
