// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IVerdictQuorum} from "../../../../contracts-evm/interfaces/IVerdictQuorum.sol";

/// @notice Writes deliveries in the packed form.
library Packed {
    function pack(IVerdictQuorum.Delivery memory delivery) internal pure returns (bytes memory packed) {
        packed = abi.encodePacked(
            delivery.verdict.escrow,
            delivery.terms.buyer,
            delivery.terms.seller,
            uint128(delivery.terms.reward),
            delivery.terms.agreementHash,
            delivery.terms.deliverBy,
            delivery.terms.adjudicateBy,
            delivery.terms.noVerdictSellerBps,
            delivery.terms.salt
        );
        packed = bytes.concat(
            packed,
            abi.encodePacked(
                delivery.verdict.submissionHash,
                delivery.verdict.outcome,
                delivery.verdict.verdictHash,
                delivery.verdict.judge,
                delivery.verdict.judgeTx,
                uint8(delivery.quorum.threshold),
                uint8(delivery.quorum.members.length)
            )
        );
        for (uint256 i; i < delivery.quorum.members.length; ++i) {
            packed = bytes.concat(packed, abi.encodePacked(delivery.quorum.members[i]));
        }
        for (uint256 i; i < delivery.signatures.length; ++i) {
            packed = bytes.concat(
                packed,
                abi.encodePacked(uint8(delivery.signatures[i].length), delivery.signatures[i])
            );
        }
    }
}
