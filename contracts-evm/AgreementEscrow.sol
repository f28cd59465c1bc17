// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {EIP712} from "@openzeppelin/contracts/utils/cryptography/EIP712.sol";
import {MessageHashUtils} from "@openzeppelin/contracts/utils/cryptography/MessageHashUtils.sol";
import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";

import {IAgreementEscrow} from "./interfaces/IAgreementEscrow.sol";
import {IFiatToken} from "./interfaces/IFiatToken.sol";
import {AgreementState, AgreementStateLib} from "./libraries/AgreementState.sol";
import {EscrowMessages} from "./libraries/EscrowMessages.sol";
import {Signatures} from "./libraries/Signatures.sol";
import {TermsLib} from "./libraries/TermsLib.sol";
import {Status} from "./types/Status.sol";
import {Terms} from "./types/Terms.sol";

/// @title Agreement escrow
/// @notice Holds the reward of every agreement until a verdict, the parties, or the clock says whose it is.
contract AgreementEscrow is IAgreementEscrow, EIP712, ReentrancyGuardTransient {
    using SafeERC20 for IFiatToken;
    using Signatures for address;
    using TermsLib for Terms;

    /// @dev One slot for an agreement's whole life.
    struct Agreement {
        AgreementState state;
    }

    IFiatToken private immutable _token;

    mapping(bytes32 agreementId => Agreement agreement) private _agreements;

    mapping(address creditor => uint256 amount) private _credits;

    /// @dev Reverts unless the body brings in exactly `reward`: a token that takes a fee leaves nobody short.
    modifier collects(uint256 reward) {
        uint256 balanceBefore = _balance();
        _;
        uint256 balanceAfter = _balance();
        unchecked {
            // A balance that fell wraps around to something no reward is
            if (balanceAfter - balanceBefore != reward) revert FundingMismatch(balanceBefore, balanceAfter, reward);
        }
    }

    /// @notice Makes an escrow for one token.
    ///
    /// @param token_ Circle's FiatToken V2.2 (USDC), or one with the same interface
    constructor(address token_) EIP712(EscrowMessages.DOMAIN_NAME, EscrowMessages.DOMAIN_VERSION) {
        // Check that there is a token: calls to an address without code would succeed and move nothing
        if (token_.code.length == 0) revert TokenInvalid(token_);
        _token = IFiatToken(token_);
    }

    /// @inheritdoc IAgreementEscrow
    function fund(
        Terms calldata terms,
        bytes calldata sellerSignature
    ) external nonReentrant collects(terms.reward) returns (bytes32 agreementId) {
        _requireCaller(terms.buyer);
        agreementId = _open(terms, sellerSignature);
        _token.safeTransferFrom(terms.buyer, address(this), terms.reward);
    }

    /// @inheritdoc IAgreementEscrow
    function fundWithPermit(
        Terms calldata terms,
        uint256 permitDeadline,
        bytes calldata permitSignature,
        bytes calldata sellerSignature
    ) external nonReentrant collects(terms.reward) returns (bytes32 agreementId) {
        _requireCaller(terms.buyer);
        agreementId = _open(terms, sellerSignature);
        // Whoever sees the permit can use it first; the allowance, not this call, is what counts
        try _token.permit(terms.buyer, address(this), terms.reward, permitDeadline, permitSignature) {} catch (
            bytes memory reason
        ) {
            if (_token.allowance(terms.buyer, address(this)) < terms.reward) revert PermitRejected(reason);
        }
        _token.safeTransferFrom(terms.buyer, address(this), terms.reward);
    }

    /// @inheritdoc IAgreementEscrow
    function fundWithAuthorization(
        Terms calldata terms,
        uint256 validAfter,
        uint256 validBefore,
        bytes calldata authorizationSignature,
        bytes calldata sellerSignature
    ) external nonReentrant collects(terms.reward) returns (bytes32 agreementId) {
        agreementId = _open(terms, sellerSignature);
        _token.receiveWithAuthorization(
            terms.buyer,
            address(this),
            terms.reward,
            validAfter,
            validBefore,
            agreementId,
            authorizationSignature
        );
    }

    /// @inheritdoc IAgreementEscrow
    function accept(Terms calldata terms) external nonReentrant {
        _requireCaller(terms.seller);
        _accept(agreementIdOf(terms));
    }

    /// @inheritdoc IAgreementEscrow
    function acceptWithSignature(Terms calldata terms, bytes calldata sellerSignature) external nonReentrant {
        bytes32 agreementId = agreementIdOf(terms);
        _requireSignature(terms.seller, EscrowMessages.hashAcceptance(agreementId), sellerSignature);
        _accept(agreementId);
    }

    /// @inheritdoc IAgreementEscrow
    function submit(Terms calldata terms, bytes32 submissionHash) external nonReentrant {
        _requireCaller(terms.seller);
        _submit(terms, agreementIdOf(terms), submissionHash);
    }

    /// @inheritdoc IAgreementEscrow
    function submitWithSignature(
        Terms calldata terms,
        bytes32 submissionHash,
        bytes calldata sellerSignature
    ) external nonReentrant {
        bytes32 agreementId = agreementIdOf(terms);
        _requireSignature(terms.seller, EscrowMessages.hashSubmission(agreementId, submissionHash), sellerSignature);
        _submit(terms, agreementId, submissionHash);
    }

    /// @inheritdoc IAgreementEscrow
    function cancel(Terms calldata terms) external nonReentrant {
        _requireCaller(terms.buyer);
        bytes32 agreementId = agreementIdOf(terms);
        // Check that the seller hasn't consented
        Agreement storage agreement = _agreements[agreementId];
        Status status = agreement.state.status();
        if (status != Status.Funded) revert StatusUnexpected(agreementId, status);

        agreement.state = agreement.state.withStatus(Status.Refunded);
        emit Cancelled(agreementId);
        _pay(agreementId, terms.buyer, terms.reward);
    }

    /// @inheritdoc IAgreementEscrow
    function concede(Terms calldata terms) external nonReentrant {
        // Check that a party gives up what could be its own
        bool byBuyer = msg.sender == terms.buyer;
        if (!byBuyer && msg.sender != terms.seller) revert CallerNotParty(msg.sender, terms.buyer, terms.seller);
        bytes32 agreementId = agreementIdOf(terms);
        _requireLive(agreementId);

        _transition(agreementId, byBuyer ? Status.Released : Status.Refunded);
        emit Conceded(agreementId, msg.sender);
        _pay(agreementId, byBuyer ? terms.seller : terms.buyer, terms.reward);
    }

    /// @inheritdoc IAgreementEscrow
    function settle(
        Terms calldata terms,
        uint256 sellerAmount,
        bytes calldata buyerSignature,
        bytes calldata sellerSignature
    ) external nonReentrant {
        bytes32 agreementId = agreementIdOf(terms);
        _requireLive(agreementId);
        // Check that there is enough to divide
        if (sellerAmount > terms.reward) revert SellerAmountExceedsReward(sellerAmount, terms.reward);
        bytes32 structHash = EscrowMessages.hashSettlement(agreementId, sellerAmount);
        _requireSignature(terms.buyer, structHash, buyerSignature);
        _requireSignature(terms.seller, structHash, sellerSignature);

        _transition(agreementId, Status.Split);
        emit Settled(agreementId, sellerAmount);
        _paySplit(agreementId, terms, sellerAmount);
    }

    /// @inheritdoc IAgreementEscrow
    function release(Terms calldata terms, bytes32 submissionHash, bytes32 verdictHash) external nonReentrant {
        bytes32 agreementId = _adjudicate(terms, submissionHash, Status.Released);
        emit Released(agreementId, submissionHash, verdictHash);
        _pay(agreementId, terms.seller, terms.reward);
    }

    /// @inheritdoc IAgreementEscrow
    function refund(Terms calldata terms, bytes32 submissionHash, bytes32 verdictHash) external nonReentrant {
        bytes32 agreementId = _adjudicate(terms, submissionHash, Status.Refunded);
        emit Refunded(agreementId, submissionHash, verdictHash);
        _pay(agreementId, terms.buyer, terms.reward);
    }

    /// @inheritdoc IAgreementEscrow
    function conclude(Terms calldata terms, bytes32 submissionHash, bytes32 verdictHash) external nonReentrant {
        bytes32 agreementId = _adjudicate(terms, submissionHash, Status.Split);
        (uint256 sellerAmount, ) = terms.noVerdictShares();
        emit Concluded(agreementId, submissionHash, verdictHash, sellerAmount);
        _paySplit(agreementId, terms, sellerAmount);
    }

    /// @inheritdoc IAgreementEscrow
    function expire(Terms calldata terms) external nonReentrant {
        bytes32 agreementId = agreementIdOf(terms);
        uint256 sellerAmount;
        if (_requireLive(agreementId) == Status.Submitted) {
            // Check that no verdict can come any more
            if (block.timestamp <= terms.adjudicateBy) {
                revert BeforeAdjudicationExpiry(block.timestamp, terms.adjudicateBy);
            }
            (sellerAmount, ) = terms.noVerdictShares();
            _transition(agreementId, Status.Split);
        } else {
            // Check that no submission can come any more
            if (block.timestamp <= terms.deliverBy) revert BeforeDeliveryExpiry(block.timestamp, terms.deliverBy);
            _transition(agreementId, Status.Refunded);
        }
        emit Expired(agreementId, sellerAmount);
        _paySplit(agreementId, terms, sellerAmount);
    }

    /// @inheritdoc IAgreementEscrow
    function withdraw(address to) external nonReentrant returns (uint256 amount) {
        // Check that the money doesn't go where nobody could fetch it
        if (to == address(0) || to == address(this) || to == address(_token)) revert RecipientInvalid(to);
        amount = _credits[msg.sender];
        if (amount == 0) revert CreditMissing(msg.sender);

        delete _credits[msg.sender];
        emit Withdrawn(msg.sender, to, amount);
        _token.safeTransfer(to, amount);
    }

    /// @inheritdoc IAgreementEscrow
    function token() external view returns (address) {
        return address(_token);
    }

    /// @inheritdoc IAgreementEscrow
    function stateOf(bytes32 agreementId) external view returns (Status status, bytes31 submissionHashPrefix) {
        AgreementState state = _agreements[agreementId].state;
        return (state.status(), state.submissionHashPrefix());
    }

    /// @inheritdoc IAgreementEscrow
    function creditOf(address creditor) external view returns (uint256 amount) {
        return _credits[creditor];
    }

    /// @inheritdoc IAgreementEscrow
    function noVerdictSharesOf(Terms calldata terms) external pure returns (uint256 sellerAmount, uint256 buyerAmount) {
        return terms.noVerdictShares();
    }

    /// @inheritdoc IAgreementEscrow
    function agreementIdOf(Terms calldata terms) public view returns (bytes32) {
        return _hashTypedDataV4(terms.hash());
    }

    /// @dev None → Funded, or Accepted with the seller's signature. The caller collects the reward afterwards.
    function _open(Terms calldata terms, bytes calldata sellerSignature) private returns (bytes32 agreementId) {
        terms.requireFundable(address(this), address(_token));
        bytes32 domainSeparator = _domainSeparatorV4();
        agreementId = MessageHashUtils.toTypedDataHash(domainSeparator, terms.hash());
        // Check that these terms are new: an id lives once
        Agreement storage agreement = _agreements[agreementId];
        AgreementState state = agreement.state;
        if (!state.isNone()) revert StatusUnexpected(agreementId, state.status());

        if (sellerSignature.length == 0) {
            agreement.state = AgreementStateLib.pack(Status.Funded, 0);
            _emitFunded(agreementId, terms);
        } else {
            bytes32 digest = MessageHashUtils.toTypedDataHash(
                domainSeparator,
                EscrowMessages.hashAcceptance(agreementId)
            );
            _requireSigned(terms.seller, digest, sellerSignature);

            agreement.state = AgreementStateLib.pack(Status.Accepted, 0);
            _emitFunded(agreementId, terms);
            emit Accepted(agreementId);
        }
    }

    /// @dev Emits {Funded} with the terms as they stand in calldata; `requireFundable` has read every narrow field.
    function _emitFunded(bytes32 agreementId, Terms calldata terms) private {
        bytes32 topic = Funded.selector;
        address buyer = terms.buyer;
        address seller = terms.seller;
        assembly ("memory-safe") {
            let data := mload(0x40)
            calldatacopy(data, terms, 0x140)
            log4(data, 0x140, topic, agreementId, buyer, seller)
        }
    }

    /// @dev What the token says this contract holds.
    function _balance() private view returns (uint256 amount) {
        address token_ = address(_token);
        bytes4 selector = IERC20.balanceOf.selector;
        assembly ("memory-safe") {
            mstore(0x00, selector)
            mstore(0x04, address())
            let success := staticcall(gas(), token_, 0x00, 0x24, 0x00, 0x20)
            if iszero(and(success, gt(returndatasize(), 0x1f))) {
                revert(0, 0)
            }
            amount := mload(0x00)
        }
    }

    /// @dev Funded → Accepted.
    function _accept(bytes32 agreementId) private {
        // Check that consent is what is missing
        Agreement storage agreement = _agreements[agreementId];
        Status status = agreement.state.status();
        if (status != Status.Funded) revert StatusUnexpected(agreementId, status);

        agreement.state = AgreementStateLib.pack(Status.Accepted, 0);
        emit Accepted(agreementId);
    }

    /// @dev Funded or Accepted → Submitted.
    function _submit(Terms calldata terms, bytes32 agreementId, bytes32 submissionHash) private {
        // Check that a submission is what is missing
        Agreement storage agreement = _agreements[agreementId];
        Status status = agreement.state.status();
        if (status != Status.Funded && status != Status.Accepted) revert StatusUnexpected(agreementId, status);
        // Check that it comes in time
        if (block.timestamp > terms.deliverBy) revert AfterDeliveryExpiry(block.timestamp, terms.deliverBy);
        // Check that it is the hash of something
        if (submissionHash == 0) revert SubmissionHashInvalid(submissionHash);

        agreement.state = AgreementStateLib.pack(Status.Submitted, submissionHash);
        emit Submitted(agreementId, submissionHash);
    }

    /// @dev Submitted → a terminal status, by the adjudicator, for the submission that was made.
    function _adjudicate(
        Terms calldata terms,
        bytes32 submissionHash,
        Status outcome
    ) private returns (bytes32 agreementId) {
        // Check that the verdict comes from whom both parties named
        if (msg.sender != terms.adjudicator) revert CallerUnexpected(msg.sender, terms.adjudicator);
        agreementId = agreementIdOf(terms);
        // Check that this submission is waiting for its verdict
        Agreement storage agreement = _agreements[agreementId];
        AgreementState state = agreement.state;
        if (!state.equals(AgreementStateLib.pack(Status.Submitted, submissionHash))) {
            if (state.status() != Status.Submitted) revert StatusUnexpected(agreementId, state.status());
            revert SubmissionHashMismatch(agreementId, submissionHash, state.submissionHashPrefix());
        }
        // Check that it comes in time
        if (block.timestamp > terms.adjudicateBy) revert AfterAdjudicationExpiry(block.timestamp, terms.adjudicateBy);

        agreement.state = AgreementStateLib.pack(outcome, submissionHash);
    }

    /// @dev Changes the status and keeps the submission's hash.
    function _transition(bytes32 agreementId, Status status) private {
        Agreement storage agreement = _agreements[agreementId];
        agreement.state = agreement.state.withStatus(status);
    }

    /// @dev Divides the reward: the seller's amount to the seller, the rest to the buyer.
    function _paySplit(bytes32 agreementId, Terms calldata terms, uint256 sellerAmount) private {
        uint256 buyerAmount = terms.reward - sellerAmount;
        if (sellerAmount != 0) _pay(agreementId, terms.seller, sellerAmount);
        if (buyerAmount != 0) _pay(agreementId, terms.buyer, buyerAmount);
    }

    /// @dev Pays an amount that isn't zero, or credits what the token refuses to move. Out of gas in the token can't be
    /// mistaken for a refusal: the 1/64 of gas left behind (EIP-150) doesn't pay for the credit.
    function _pay(bytes32 agreementId, address payee, uint256 amount) private {
        if (!_token.trySafeTransfer(payee, amount)) {
            _credits[payee] += amount;
            emit Credited(agreementId, payee, amount);
        }
    }

    /// @dev Reverts unless the reward is still here; returns the status.
    function _requireLive(bytes32 agreementId) private view returns (Status status) {
        status = _agreements[agreementId].state.status();
        if (status != Status.Funded && status != Status.Accepted && status != Status.Submitted) {
            revert StatusUnexpected(agreementId, status);
        }
    }

    /// @dev Reverts unless `expected` is calling.
    function _requireCaller(address expected) private view {
        if (msg.sender != expected) revert CallerUnexpected(msg.sender, expected);
    }

    /// @dev Reverts unless `signer` signed the struct in this contract's domain.
    function _requireSignature(address signer, bytes32 structHash, bytes calldata signature) private view {
        _requireSigned(signer, _hashTypedDataV4(structHash), signature);
    }

    /// @dev Reverts unless `signer` signed the digest.
    function _requireSigned(address signer, bytes32 digest, bytes calldata signature) private view {
        if (!signer.isSignedBy(digest, signature)) revert SignatureInvalid(signer, digest);
    }
}
