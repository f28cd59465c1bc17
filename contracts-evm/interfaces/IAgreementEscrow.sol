// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Status} from "../types/Status.sol";
import {Terms} from "../types/Terms.sol";

/// @title Agreement escrow
/// @notice Holds the reward of every agreement until a verdict, the parties, or the clock says whose it is.
///
/// @dev One token for ever; no owner, no upgrade, no pause. An agreement is named by the EIP-712 digest of its terms in
/// this contract's domain ("Assay Escrow", "1"). Terms travel in calldata: a function given other terms than the ones
/// funded computes another id and finds no agreement there. Amounts are token base units, times are Unix seconds, and
/// both deadlines are inclusive. Signatures are ECDSA (65 bytes) or ERC-1271.
///
/// A payout that the token refuses becomes a credit of its payee, who withdraws it to any address; it never reverts the
/// operation and never keeps the other party waiting.
interface IAgreementEscrow {
    /// @notice The reward arrived and the agreement lives.
    ///
    /// @param agreementId EIP-712 digest of the terms
    /// @param buyer Who paid
    /// @param seller Who is to deliver
    /// @param terms The terms, whole
    event Funded(bytes32 indexed agreementId, address indexed buyer, address indexed seller, Terms terms);

    /// @notice The seller consented; the buyer can't cancel any more.
    ///
    /// @param agreementId The agreement
    event Accepted(bytes32 indexed agreementId);

    /// @notice The seller delivered; the clock of adjudication decides from here.
    ///
    /// @param agreementId The agreement
    /// @param submissionHash SHA-256 of the submission's canonical bytes
    event Submitted(bytes32 indexed agreementId, bytes32 submissionHash);

    /// @notice A verdict gave the whole reward to the seller.
    ///
    /// @param agreementId The agreement
    /// @param submissionHash The submission that was judged
    /// @param verdictHash keccak256 of the verdict record
    event Released(bytes32 indexed agreementId, bytes32 submissionHash, bytes32 verdictHash);

    /// @notice A verdict gave the whole reward back to the buyer.
    ///
    /// @param agreementId The agreement
    /// @param submissionHash The submission that was judged
    /// @param verdictHash keccak256 of the verdict record
    event Refunded(bytes32 indexed agreementId, bytes32 submissionHash, bytes32 verdictHash);

    /// @notice The adjudicator found no answer; the agreed default applied.
    ///
    /// @param agreementId The agreement
    /// @param submissionHash The submission that was judged
    /// @param verdictHash keccak256 of the verdict record
    /// @param sellerAmount The seller's share, in base units; the rest went to the buyer
    event Concluded(bytes32 indexed agreementId, bytes32 submissionHash, bytes32 verdictHash, uint256 sellerAmount);

    /// @notice The buyer took the reward back before the seller consented.
    ///
    /// @param agreementId The agreement
    event Cancelled(bytes32 indexed agreementId);

    /// @notice A party gave the whole reward to the other one.
    ///
    /// @param agreementId The agreement
    /// @param conceder The buyer (the seller was paid) or the seller (the buyer was refunded)
    event Conceded(bytes32 indexed agreementId, address indexed conceder);

    /// @notice Both parties signed a split.
    ///
    /// @param agreementId The agreement
    /// @param sellerAmount The seller's share, in base units; the rest went to the buyer
    event Settled(bytes32 indexed agreementId, uint256 sellerAmount);

    /// @notice A deadline passed: without a submission the buyer was refunded, without a verdict the default applied.
    ///
    /// @param agreementId The agreement
    /// @param sellerAmount The seller's share, in base units; the rest went to the buyer
    event Expired(bytes32 indexed agreementId, uint256 sellerAmount);

    /// @notice The token refused a payout, which became a credit.
    ///
    /// @param agreementId The agreement that owed it
    /// @param creditor Who may withdraw it
    /// @param amount Base units
    event Credited(bytes32 indexed agreementId, address indexed creditor, uint256 amount);

    /// @notice A creditor withdrew all credits.
    ///
    /// @param creditor Whose credits they were
    /// @param to Where they went
    /// @param amount Base units
    event Withdrawn(address indexed creditor, address indexed to, uint256 amount);

    /// @notice The token of a new escrow has no code.
    ///
    /// @param token The address given
    error TokenInvalid(address token);

    /// @notice The reward is zero.
    ///
    /// @param reward The reward given
    error RewardInvalid(uint256 reward);

    /// @notice An account is zero, or is already another one of buyer, seller, adjudicator, escrow and token.
    ///
    /// @param account The account
    error RoleInvalid(address account);

    /// @notice `deliverBy` is less than 10 minutes or more than 365 days away.
    ///
    /// @param deliverBy The deadline given
    /// @param earliest Earliest deadline taken in this block
    /// @param latest Latest deadline taken in this block
    error DeliverByOutOfRange(uint256 deliverBy, uint256 earliest, uint256 latest);

    /// @notice `adjudicateBy` is less than 1 hour or more than 90 days after `deliverBy`.
    ///
    /// @param adjudicateBy The deadline given
    /// @param earliest Earliest deadline taken
    /// @param latest Latest deadline taken
    error AdjudicateByOutOfRange(uint256 adjudicateBy, uint256 earliest, uint256 latest);

    /// @notice The seller's share without a verdict is more than the whole.
    ///
    /// @param noVerdictSellerBps The share given, in basis points
    /// @param maximum The whole, in basis points
    error SellerShareInvalid(uint16 noVerdictSellerBps, uint256 maximum);

    /// @notice The agreement's status doesn't allow the operation. `None`: no agreement has these terms here.
    ///
    /// @param agreementId The agreement
    /// @param status Where it stands
    error StatusUnexpected(bytes32 agreementId, Status status);

    /// @notice Only one account may call this.
    ///
    /// @param caller Who called
    /// @param expected Who may
    error CallerUnexpected(address caller, address expected);

    /// @notice Only the two parties may call this.
    ///
    /// @param caller Who called
    /// @param buyer One who may
    /// @param seller The other one
    error CallerNotParty(address caller, address buyer, address seller);

    /// @notice A signature isn't the signer's over the digest.
    ///
    /// @param signer Who should have signed
    /// @param digest EIP-712 digest that should have been signed
    error SignatureInvalid(address signer, bytes32 digest);

    /// @notice The time to deliver is over.
    ///
    /// @param timestamp Time of this block
    /// @param deliverBy Last second in which a submission is taken
    error AfterDeliveryExpiry(uint256 timestamp, uint48 deliverBy);

    /// @notice The time to deliver isn't over.
    ///
    /// @param timestamp Time of this block
    /// @param deliverBy Last second in which a submission is taken
    error BeforeDeliveryExpiry(uint256 timestamp, uint48 deliverBy);

    /// @notice The time to judge is over.
    ///
    /// @param timestamp Time of this block
    /// @param adjudicateBy Last second in which a verdict is taken
    error AfterAdjudicationExpiry(uint256 timestamp, uint48 adjudicateBy);

    /// @notice The time to judge isn't over.
    ///
    /// @param timestamp Time of this block
    /// @param adjudicateBy Last second in which a verdict is taken
    error BeforeAdjudicationExpiry(uint256 timestamp, uint48 adjudicateBy);

    /// @notice A submission's hash is zero.
    ///
    /// @param submissionHash The hash given
    error SubmissionHashInvalid(bytes32 submissionHash);

    /// @notice The verdict is about another submission than the one made.
    ///
    /// @param agreementId The agreement
    /// @param submissionHash The hash given
    /// @param submissionHashPrefix First 31 bytes of the hash submitted
    error SubmissionHashMismatch(bytes32 agreementId, bytes32 submissionHash, bytes31 submissionHashPrefix);

    /// @notice The escrow's balance didn't grow by the reward exactly.
    ///
    /// @param balanceBefore The balance before the reward was collected, in base units
    /// @param balanceAfter The balance after it was, in base units
    /// @param reward By how much it should have grown, in base units
    error FundingMismatch(uint256 balanceBefore, uint256 balanceAfter, uint256 reward);

    /// @notice The token refused the permit, and the allowance doesn't cover the reward without it.
    ///
    /// @param reason What the token reverted with
    error PermitRejected(bytes reason);

    /// @notice A settlement gives the seller more than there is.
    ///
    /// @param sellerAmount The share given, in base units
    /// @param reward The whole, in base units
    error SellerAmountExceedsReward(uint256 sellerAmount, uint256 reward);

    /// @notice An account has nothing to withdraw.
    ///
    /// @param creditor The account
    error CreditMissing(address creditor);

    /// @notice Credits can't go to this address: it is zero, the escrow or the token, where they would be lost.
    ///
    /// @param to The address given
    error RecipientInvalid(address to);

    /// @notice Funds an agreement from the buyer's allowance to this contract.
    ///
    /// @dev Called by the buyer. The path that every account has, EIP-7702 delegations and contracts included.
    /// None → Funded, or Accepted with the seller's signature. Emits {Funded}, then {Accepted} if consented.
    /// Reverts with {CallerUnexpected}, {RewardInvalid}, {RoleInvalid}, {DeliverByOutOfRange}, {AdjudicateByOutOfRange},
    /// {SellerShareInvalid}, {StatusUnexpected}, {SignatureInvalid}, {FundingMismatch}, or what the token reverts with.
    ///
    /// @param terms What the parties agree on
    /// @param sellerSignature The seller's `Acceptance(agreementId)`, or empty to let the seller consent later
    ///
    /// @return agreementId The agreement's id
    function fund(Terms calldata terms, bytes calldata sellerSignature) external returns (bytes32 agreementId);

    /// @notice Funds an agreement after using the buyer's EIP-2612 permit for the reward.
    ///
    /// @dev Called by the buyer. A permit that fails, because somebody else has used it already, is no obstacle while
    /// the allowance suffices. Otherwise as {fund}; also reverts with {PermitRejected}.
    ///
    /// @param terms What the parties agree on
    /// @param permitDeadline The permit's deadline (Unix time)
    /// @param permitSignature The buyer's permit of `terms.reward` to this contract
    /// @param sellerSignature The seller's `Acceptance(agreementId)`, or empty to let the seller consent later
    ///
    /// @return agreementId The agreement's id
    function fundWithPermit(
        Terms calldata terms,
        uint256 permitDeadline,
        bytes calldata permitSignature,
        bytes calldata sellerSignature
    ) external returns (bytes32 agreementId);

    /// @notice Funds an agreement by the buyer's ERC-3009 authorization, whose nonce is the agreement's id: one
    /// signature pays and fixes every term.
    ///
    /// @dev Called by anyone. A relayer may leave the seller's signature out; {acceptWithSignature} then makes up for
    /// it. Otherwise as {fund}, without {CallerUnexpected}.
    ///
    /// @param terms What the parties agree on
    /// @param validAfter The authorization counts strictly after this second
    /// @param validBefore The authorization counts strictly before this second
    /// @param authorizationSignature The buyer's `ReceiveWithAuthorization` to this contract, nonce = agreementId
    /// @param sellerSignature The seller's `Acceptance(agreementId)`, or empty to let the seller consent later
    ///
    /// @return agreementId The agreement's id
    function fundWithAuthorization(
        Terms calldata terms,
        uint256 validAfter,
        uint256 validBefore,
        bytes calldata authorizationSignature,
        bytes calldata sellerSignature
    ) external returns (bytes32 agreementId);

    /// @notice Consents to an agreement.
    ///
    /// @dev Called by the seller. Funded → Accepted. Emits {Accepted}. Reverts with {CallerUnexpected},
    /// {StatusUnexpected}.
    ///
    /// @param terms The agreement's terms
    function accept(Terms calldata terms) external;

    /// @notice Consents to an agreement by the seller's signature.
    ///
    /// @dev Called by anyone. Funded → Accepted. Emits {Accepted}. Reverts with {StatusUnexpected}, {SignatureInvalid}.
    ///
    /// @param terms The agreement's terms
    /// @param sellerSignature The seller's `Acceptance(agreementId)`
    function acceptWithSignature(Terms calldata terms, bytes calldata sellerSignature) external;

    /// @notice Delivers, once, until `deliverBy`. Submitting is accepting.
    ///
    /// @dev Called by the seller. Funded or Accepted → Submitted. Emits {Submitted}. Reverts with {CallerUnexpected},
    /// {StatusUnexpected}, {AfterDeliveryExpiry}, {SubmissionHashInvalid}.
    ///
    /// @param terms The agreement's terms
    /// @param submissionHash SHA-256 of the submission's canonical bytes, not zero
    function submit(Terms calldata terms, bytes32 submissionHash) external;

    /// @notice Delivers by the seller's signature.
    ///
    /// @dev Called by anyone. Otherwise as {submit}, with {SignatureInvalid} instead of {CallerUnexpected}.
    ///
    /// @param terms The agreement's terms
    /// @param submissionHash SHA-256 of the submission's canonical bytes, not zero
    /// @param sellerSignature The seller's `Submission(agreementId, submissionHash)`
    function submitWithSignature(Terms calldata terms, bytes32 submissionHash, bytes calldata sellerSignature) external;

    /// @notice Takes the reward back before the seller consents.
    ///
    /// @dev Called by the buyer. Funded → Refunded. Emits {Cancelled}. Reverts with {CallerUnexpected},
    /// {StatusUnexpected}.
    ///
    /// @param terms The agreement's terms
    function cancel(Terms calldata terms) external;

    /// @notice Gives the whole reward to the other party.
    ///
    /// @dev Called by the buyer (→ Released) or the seller (→ Refunded), from Funded, Accepted or Submitted. Emits
    /// {Conceded}. Reverts with {CallerNotParty}, {StatusUnexpected}.
    ///
    /// @param terms The agreement's terms
    function concede(Terms calldata terms) external;

    /// @notice Divides the reward as both parties signed.
    ///
    /// @dev Called by anyone. Funded, Accepted or Submitted → Split. Emits {Settled}. A signed settlement stands until
    /// the agreement ends. Reverts with {StatusUnexpected}, {SellerAmountExceedsReward}, {SignatureInvalid}.
    ///
    /// @param terms The agreement's terms
    /// @param sellerAmount The seller's share, in base units; the buyer gets the rest
    /// @param buyerSignature The buyer's `Settlement(agreementId, sellerAmount)`
    /// @param sellerSignature The seller's `Settlement(agreementId, sellerAmount)`
    function settle(
        Terms calldata terms,
        uint256 sellerAmount,
        bytes calldata buyerSignature,
        bytes calldata sellerSignature
    ) external;

    /// @notice Pays the seller: the submission passed.
    ///
    /// @dev Called by the adjudicator, until `adjudicateBy`. Submitted → Released. Emits {Released}. Reverts with
    /// {CallerUnexpected}, {StatusUnexpected}, {SubmissionHashMismatch}, {AfterAdjudicationExpiry}.
    ///
    /// @param terms The agreement's terms
    /// @param submissionHash The submission that was judged
    /// @param verdictHash keccak256 of the verdict record
    function release(Terms calldata terms, bytes32 submissionHash, bytes32 verdictHash) external;

    /// @notice Pays the buyer back: the submission failed, or its document was withheld.
    ///
    /// @dev Called by the adjudicator, until `adjudicateBy`. Submitted → Refunded. Emits {Refunded}. Reverts as
    /// {release}.
    ///
    /// @param terms The agreement's terms
    /// @param submissionHash The submission that was judged
    /// @param verdictHash keccak256 of the verdict record
    function refund(Terms calldata terms, bytes32 submissionHash, bytes32 verdictHash) external;

    /// @notice Applies the agreed default: the adjudicator found no answer.
    ///
    /// @dev Called by the adjudicator, until `adjudicateBy`. Submitted → Split. Emits {Concluded}. Reverts as {release}.
    ///
    /// @param terms The agreement's terms
    /// @param submissionHash The submission that was judged
    /// @param verdictHash keccak256 of the verdict record
    function conclude(Terms calldata terms, bytes32 submissionHash, bytes32 verdictHash) external;

    /// @notice Ends an agreement whose deadline passed.
    ///
    /// @dev Called by anyone. Funded or Accepted, after `deliverBy` → Refunded; Submitted, after `adjudicateBy` → Split
    /// by `noVerdictSellerBps`. Emits {Expired}. Reverts with {StatusUnexpected}, {BeforeDeliveryExpiry},
    /// {BeforeAdjudicationExpiry}.
    ///
    /// @param terms The agreement's terms
    function expire(Terms calldata terms) external;

    /// @notice Pays the caller's credits out, whole, to any address.
    ///
    /// @dev Called by a creditor. Emits {Withdrawn}. Reverts with {RecipientInvalid}, {CreditMissing}, or what the token
    /// reverts with.
    ///
    /// @param to Who receives them
    ///
    /// @return amount Base units paid
    function withdraw(address to) external returns (uint256 amount);

    /// @notice The one token that this escrow holds.
    ///
    /// @return Its address
    function token() external view returns (address);

    /// @notice The id of an agreement with these terms: their EIP-712 digest.
    ///
    /// @param terms The terms
    ///
    /// @return The id
    function agreementIdOf(Terms calldata terms) external view returns (bytes32);

    /// @notice Where an agreement stands.
    ///
    /// @param agreementId The agreement
    ///
    /// @return status Its status, None when it was never funded
    /// @return submissionHashPrefix First 31 bytes of the submission's hash, zero when there is none
    function stateOf(bytes32 agreementId) external view returns (Status status, bytes31 submissionHashPrefix);

    /// @notice What an account may withdraw.
    ///
    /// @param creditor The account
    ///
    /// @return amount Base units
    function creditOf(address creditor) external view returns (uint256 amount);

    /// @notice What each party gets when no verdict comes or it is UNDETERMINED; the odd unit goes to the seller.
    ///
    /// @dev Reverts with {SellerShareInvalid}.
    ///
    /// @param terms The terms
    ///
    /// @return sellerAmount Base units
    /// @return buyerAmount Base units
    function noVerdictSharesOf(Terms calldata terms) external pure returns (uint256 sellerAmount, uint256 buyerAmount);
}
