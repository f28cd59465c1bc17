// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {MessageHashUtils} from "@openzeppelin/contracts/utils/cryptography/MessageHashUtils.sol";

import {IAgreementEscrow} from "./interfaces/IAgreementEscrow.sol";
import {IVerdictQuorum} from "./interfaces/IVerdictQuorum.sol";
import {EscrowMessages} from "./libraries/EscrowMessages.sol";
import {TermsLib} from "./libraries/TermsLib.sol";
import {Terms} from "./types/Terms.sol";
import {Outcome, Verdict} from "./types/Verdict.sol";
import {VerdictVerifier} from "./VerdictVerifier.sol";

/// @title Verdict quorum
/// @notice Turns a certificate that enough operators signed into the escrow's payment.
contract VerdictQuorum is IVerdictQuorum, VerdictVerifier {
    using TermsLib for Terms;

    /// @inheritdoc IVerdictQuorum
    function deliverMany(Delivery[] calldata deliveries) external returns (bool[] memory delivered) {
        delivered = new bool[](deliveries.length);
        for (uint256 i; i < deliveries.length; ++i) {
            // A call of its own undoes a failed delivery and nothing else
            try this.deliver(deliveries[i]) {
                delivered[i] = true;
            } catch (bytes memory reason) {
                emit DeliveryFailed(i, deliveries[i].verdict.agreementId, reason);
            }
        }
    }

    /// @inheritdoc IVerdictQuorum
    function deliver(Delivery calldata delivery) external {
        Terms calldata terms = delivery.terms;
        Verdict calldata verdict = delivery.verdict;
        // Check that the terms, which name the operators, are those of the agreement that was judged
        bytes32 agreementId = MessageHashUtils.toTypedDataHash(
            EscrowMessages.domainSeparator(verdict.escrow),
            terms.hash()
        );
        if (verdict.agreementId != agreementId) revert AgreementMismatch(verdict.agreementId, agreementId);
        address[] memory signers = _requireCertified(
            verdict,
            delivery.quorum,
            terms.adjudicatorConfig,
            delivery.signatures
        );

        emit Certified(
            verdict.escrow,
            agreementId,
            verdict.outcome,
            verdict.submissionHash,
            verdict.verdictHash,
            verdict.judge,
            verdict.judgeTx,
            signers
        );
        _settle(terms, verdict);
    }

    /// @dev Tells the escrow what the outcome means.
    function _settle(Terms calldata terms, Verdict calldata verdict) private {
        IAgreementEscrow escrow = IAgreementEscrow(verdict.escrow);
        if (verdict.outcome == Outcome.PASS) {
            escrow.release(terms, verdict.submissionHash, verdict.verdictHash);
        } else if (verdict.outcome == Outcome.FAIL || verdict.outcome == Outcome.WITHHELD) {
            escrow.refund(terms, verdict.submissionHash, verdict.verdictHash);
        } else if (verdict.outcome == Outcome.UNDETERMINED) {
            escrow.conclude(terms, verdict.submissionHash, verdict.verdictHash);
        } else {
            revert OutcomeInvalid(verdict.outcome);
        }
    }
}
