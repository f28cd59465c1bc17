// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {AgreementEscrow} from "../../../../contracts-evm/AgreementEscrow.sol";
import {IVerdictQuorum} from "../../../../contracts-evm/interfaces/IVerdictQuorum.sol";
import {EscrowMessages} from "../../../../contracts-evm/libraries/EscrowMessages.sol";
import {Status} from "../../../../contracts-evm/types/Status.sol";
import {Terms} from "../../../../contracts-evm/types/Terms.sol";
import {Outcome, Quorum, Verdict} from "../../../../contracts-evm/types/Verdict.sol";
import {VerdictQuorum} from "../../../../contracts-evm/VerdictQuorum.sol";
import {Packed} from "./Packed.sol";
import {TestUsd} from "./TestUsd.sol";
import {vm} from "./Vm.sol";

/// @notice Acts on one escrow in every way there is, right and wrong, beside a model that says what must happen.
///
/// @dev Each action asserts that the escrow did exactly what the model expects, success or failure, and that who was to
/// be paid got what he was to be paid, as money or as credit. The ghosts are for the invariants.
contract EscrowHandler {
    /// @dev What the model knows of an agreement.
    struct Case {
        Terms terms;
        Status status;
        bytes32 submissionHash;
        uint256 received;
        uint256 paid;
        uint256 endings;
    }

    uint256 private constant PARTIES = 3;
    uint256 private constant OPERATORS = 3;
    uint256 private constant THRESHOLD = 2;
    uint256 private constant MAX_CASES = 24;

    TestUsd public immutable token;
    AgreementEscrow public immutable escrow;
    VerdictQuorum public immutable quorum;

    Case[] private _cases;
    address[] private _buyers;
    address[] private _sellers;
    uint256[] private _operatorKeys;
    address[] private _operators;
    uint256 private _salt;

    /// @notice What was given to the escrow without a reason.
    uint256 public donated;

    /// @notice How many actions changed something, by name; shows that the fuzzer gets everywhere.
    mapping(bytes32 action => uint256 count) public done;

    constructor() {
        token = new TestUsd();
        escrow = new AgreementEscrow(address(token));
        quorum = new VerdictQuorum();
        for (uint256 i; i < PARTIES; ++i) {
            _buyers.push(vm.addr(_buyerKey(i)));
            _sellers.push(vm.addr(_sellerKey(i)));
            token.mint(buyer(i), 1e24);
            vm.prank(buyer(i));
            token.approve(address(escrow), type(uint256).max);
        }
        // Three keys whose addresses ascend
        uint256 key = 1_000;
        while (_operators.length < OPERATORS) {
            address operator = vm.addr(++key);
            if (_operators.length == 0 || operator > _operators[_operators.length - 1]) {
                _operators.push(operator);
                _operatorKeys.push(key);
            }
        }
    }

    // Who

    function buyer(uint256 i) public view returns (address) {
        return _buyers[i];
    }

    function seller(uint256 i) public view returns (address) {
        return _sellers[i];
    }

    function stranger() public pure returns (address) {
        return address(0x57a9e);
    }

    // What was done

    function cases() external view returns (uint256) {
        return _cases.length;
    }

    function caseAt(uint256 i) external view returns (Case memory) {
        return _cases[i];
    }

    // Actions

    function fund(
        uint256 who,
        uint256 reward,
        uint256 deliverIn,
        uint256 judgeIn,
        uint256 bps,
        uint256 path,
        uint256 consenting
    ) external {
        bool consent = consenting % 2 == 0;
        if (_cases.length == MAX_CASES) return;
        uint256 b = who % PARTIES;
        uint256 s = (who >> 8) % PARTIES;
        Terms memory terms = Terms({
            buyer: buyer(b),
            seller: seller(s),
            reward: reward % 1e9,
            agreementHash: keccak256("agreement"),
            adjudicator: address(quorum),
            adjudicatorConfig: keccak256(abi.encode(_operators, THRESHOLD)),
            deliverBy: uint48(block.timestamp + _near(deliverIn, 10 minutes, 365 days)),
            adjudicateBy: 0,
            noVerdictSellerBps: uint16(_near(bps, 0, 10_000)),
            salt: ++_salt
        });
        terms.adjudicateBy = uint48(terms.deliverBy + _near(judgeIn, 1 hours, 90 days));
        bytes32 id = escrow.agreementIdOf(terms);
        bytes memory consentSignature = consent ? _sign(_sellerKey(s), EscrowMessages.hashAcceptance(id)) : bytes("");

        bool expected =
            terms.reward != 0 &&
                terms.deliverBy >= block.timestamp + 10 minutes &&
                terms.deliverBy <= block.timestamp + 365 days &&
                terms.adjudicateBy >= terms.deliverBy + 1 hours &&
                terms.adjudicateBy <= terms.deliverBy + 90 days &&
                terms.noVerdictSellerBps <= 10_000 &&
                !token.paused() &&
                !token.blacklisted(terms.buyer) &&
                !token.blacklisted(address(escrow));

        uint256 held = token.balanceOf(address(escrow));
        bytes memory call;
        if (path % 3 == 0) call = abi.encodeCall(escrow.fund, (terms, consentSignature));
        else if (path % 3 == 1) call = abi.encodeCall(escrow.fundWithPermit, (terms, 0, "", consentSignature));
        else call = abi.encodeCall(escrow.fundWithAuthorization, (terms, 0, 0, "", consentSignature));
        _require("fund", _send(path % 3 == 2 ? stranger() : terms.buyer, call), expected);
        if (path % 3 == 1) {
            // The permit left an allowance of the reward, used up; restore what the other paths need
            vm.prank(terms.buyer);
            token.approve(address(escrow), type(uint256).max);
        }
        if (!expected) return;
        assert(token.balanceOf(address(escrow)) == held + terms.reward);
        Case storage case_ = _cases.push();
        case_.terms = terms;
        case_.status = consent ? Status.Accepted : Status.Funded;
        case_.received = terms.reward;
    }

    function accept(uint256 index, uint256 caller, uint256 form) external {
        bool signed = form % 2 == 0;
        if (_cases.length == 0) return;
        Case storage case_ = _case(index);
        Terms memory terms = case_.terms;
        address sender = _caller(terms, caller);
        bytes memory call =
            signed
                ? abi.encodeCall(
                    escrow.acceptWithSignature,
                    (terms, _sign(_keyOf(terms.seller), EscrowMessages.hashAcceptance(_id(terms))))
                )
                : abi.encodeCall(escrow.accept, (terms));
        bool expected = case_.status == Status.Funded && (signed || sender == terms.seller);
        _require("accept", _send(sender, call), expected);
        if (expected) case_.status = Status.Accepted;
    }

    function submit(uint256 index, uint256 caller, bytes32 submissionHash, uint256 form) external {
        bool signed = form % 2 == 0;
        if (_cases.length == 0) return;
        Case storage case_ = _case(index);
        Terms memory terms = case_.terms;
        address sender = _caller(terms, caller);
        bytes memory call =
            signed
                ? abi.encodeCall(
                    escrow.submitWithSignature,
                    (
                        terms,
                        submissionHash,
                        _sign(_keyOf(terms.seller), EscrowMessages.hashSubmission(_id(terms), submissionHash))
                    )
                )
                : abi.encodeCall(escrow.submit, (terms, submissionHash));
        bool expected =
            (case_.status == Status.Funded || case_.status == Status.Accepted) &&
                (signed || sender == terms.seller) &&
                block.timestamp <= terms.deliverBy &&
                submissionHash != 0;
        _require("submit", _send(sender, call), expected);
        if (!expected) return;
        case_.status = Status.Submitted;
        case_.submissionHash = submissionHash;
    }

    function cancel(uint256 index, uint256 caller) external {
        if (_cases.length == 0) return;
        Case storage case_ = _case(index);
        address sender = _caller(case_.terms, caller);
        _end(
            "cancel",
            case_,
            sender,
            abi.encodeCall(escrow.cancel, (case_.terms)),
            case_.status == Status.Funded && sender == case_.terms.buyer,
            Status.Refunded,
            0
        );
    }

    function concede(uint256 index, uint256 caller) external {
        if (_cases.length == 0) return;
        Case storage case_ = _case(index);
        address sender = _caller(case_.terms, caller);
        bool byBuyer = sender == case_.terms.buyer;
        _end(
            "concede",
            case_,
            sender,
            abi.encodeCall(escrow.concede, (case_.terms)),
            _live(case_) && (byBuyer || sender == case_.terms.seller),
            byBuyer ? Status.Released : Status.Refunded,
            byBuyer ? case_.terms.reward : 0
        );
    }

    function settle(uint256 index, uint256 sellerAmount, uint256 forgery) external {
        if (_cases.length == 0) return;
        Case storage case_ = _case(index);
        Terms memory terms = case_.terms;
        sellerAmount = sellerAmount % (terms.reward + 2);
        bytes32 structHash = EscrowMessages.hashSettlement(_id(terms), sellerAmount);
        bytes memory byBuyer = _sign(forgery % 8 == 1 ? _operatorKeys[0] : _keyOf(terms.buyer), structHash);
        bytes memory bySeller = _sign(forgery % 8 == 2 ? _operatorKeys[0] : _keyOf(terms.seller), structHash);
        _end(
            "settle",
            case_,
            stranger(),
            abi.encodeCall(escrow.settle, (terms, sellerAmount, byBuyer, bySeller)),
            _live(case_) && sellerAmount <= terms.reward && forgery % 8 != 1 && forgery % 8 != 2,
            Status.Split,
            sellerAmount
        );
    }

    function deliver(uint256 index, uint256 verdictSeed, uint256 signers, uint256 form, uint256 chance) external {
        bool packed = form % 2 == 0;
        if (_cases.length == 0) return;
        Case storage case_ = _case(index);
        bool otherSubmission = chance % 8 == 1;
        // Mostly what exists, signed by two or three
        uint8 outcome = uint8(chance % 8 == 2 ? verdictSeed % 6 : 1 + (verdictSeed % 4));
        if (chance % 8 != 3) signers |= 3 << (signers % 2);
        Verdict memory verdict = Verdict({
            escrow: address(escrow),
            agreementId: _id(case_.terms),
            submissionHash: otherSubmission ? keccak256("other") : case_.submissionHash,
            outcome: outcome,
            verdictHash: keccak256("record"),
            judge: address(0x7d6e),
            judgeTx: keccak256("judge"),
            notAfter: case_.terms.adjudicateBy
        });
        bytes[] memory signatures = new bytes[](OPERATORS);
        uint256 signed;
        for (uint256 i; i < OPERATORS; ++i) {
            if ((signers >> i) & 1 == 0) continue;
            signatures[i] = _signDigest(_operatorKeys[i], quorum.digestOf(verdict));
            if (!quorum.isRevoked(_operators[i])) ++signed;
        }
        IVerdictQuorum.Delivery memory delivery = IVerdictQuorum.Delivery({
            terms: case_.terms,
            verdict: verdict,
            quorum: Quorum({members: _operators, threshold: THRESHOLD}),
            signatures: signatures
        });
        _end(
            "deliver",
            case_,
            stranger(),
            address(quorum),
            packed
                ? abi.encodeCall(quorum.deliverPacked, (Packed.pack(delivery)))
                : abi.encodeCall(quorum.deliver, (delivery)),
            case_.status == Status.Submitted &&
                signed >= THRESHOLD &&
                outcome >= Outcome.PASS &&
                outcome <= Outcome.WITHHELD &&
                block.timestamp <= case_.terms.adjudicateBy &&
                !otherSubmission,
            outcome == Outcome.PASS
                ? Status.Released
                : outcome == Outcome.UNDETERMINED
                    ? Status.Split
                    : Status.Refunded,
            outcome == Outcome.PASS
                ? case_.terms.reward
                : outcome == Outcome.UNDETERMINED
                    ? _default(case_.terms)
                    : 0
        );
    }

    function judgeDirectly(uint256 index, uint256 caller, uint256 verdict) external {
        if (_cases.length == 0) return;
        Case storage case_ = _case(index);
        Terms memory terms = case_.terms;
        bytes memory call =
            verdict % 3 == 0
                ? abi.encodeCall(escrow.release, (terms, case_.submissionHash, 0))
                : verdict % 3 == 1
                    ? abi.encodeCall(escrow.refund, (terms, case_.submissionHash, 0))
                    : abi.encodeCall(escrow.conclude, (terms, case_.submissionHash, 0));
        // None of the callers is the adjudicator
        _require("judgeDirectly", _send(_caller(terms, caller), call), false);
    }

    function expire(uint256 index) external {
        if (_cases.length == 0) return;
        Case storage case_ = _case(index);
        bool submitted = case_.status == Status.Submitted;
        _end(
            "expire",
            case_,
            stranger(),
            abi.encodeCall(escrow.expire, (case_.terms)),
            _live(case_) && block.timestamp > (submitted ? case_.terms.adjudicateBy : case_.terms.deliverBy),
            submitted ? Status.Split : Status.Refunded,
            submitted ? _default(case_.terms) : 0
        );
    }

    function withdraw(uint256 who, uint256 destination) external {
        address creditor = _creditor(who);
        address to =
            destination % 8 == 0
                ? address(escrow)
                : destination % 8 == 1
                    ? creditor
                    : stranger();
        uint256 credit = escrow.creditOf(creditor);
        uint256 before = token.balanceOf(to);
        bool expected =
            credit != 0 &&
                to != address(escrow) &&
                !token.paused() &&
                !token.blacklisted(to) &&
                !token.blacklisted(address(escrow));
        _require("withdraw", _send(creditor, abi.encodeCall(escrow.withdraw, (to))), expected);
        if (!expected) return;
        assert(token.balanceOf(to) == before + credit);
        assert(escrow.creditOf(creditor) == 0);
    }

    function revokeOperator(uint256 chance) external {
        // Rarely, and never the last two, so that most runs still see verdicts
        if (chance % 16 != 0 || quorum.isRevoked(_operators[0])) return;
        _require("revoke", _sendTo(_operators[0], address(quorum), abi.encodeCall(quorum.revoke, ())), true);
    }

    function warp(uint256 by) external {
        vm.warp(block.timestamp + (by % 8 == 0 ? by % 120 days : by % 6 hours));
        ++done["warp"];
    }

    function warpToDeadline(uint256 index, uint256 offset, uint256 which) external {
        if (_cases.length == 0) return;
        Case storage case_ = _case(index);
        uint256 deadline = which % 4 != 0 ? case_.terms.deliverBy : case_.terms.adjudicateBy;
        uint256 to = deadline + (offset % 3) - 1;
        if (to < block.timestamp) return;
        vm.warp(to);
        ++done["warp"];
    }

    function donate(uint256 amount) external {
        if (token.paused() || token.blacklisted(address(escrow))) return;
        amount %= 1_000;
        token.mint(address(this), amount);
        token.transfer(address(escrow), amount);
        donated += amount;
    }

    function setBlacklisted(uint256 who, uint256 chance) external {
        uint256 party = who % (2 * PARTIES + 1);
        address account =
            party == 2 * PARTIES
                ? address(escrow)
                : party < PARTIES
                    ? buyer(party)
                    : seller(party - PARTIES);
        token.setBlacklisted(account, chance % (account == address(escrow) ? 16 : 3) == 0);
    }

    function setPaused(uint256 chance) external {
        token.setPaused(chance % 16 == 0);
    }

    /// @notice Ends everything: time passes, the token behaves, and everybody takes what is his.
    function windUp() external {
        token.setPaused(false);
        token.setBlacklisted(address(escrow), false);
        vm.warp(block.timestamp + 365 days + 90 days + 1);
        for (uint256 i; i < _cases.length; ++i) {
            if (_live(_cases[i])) this.expire(i);
        }
        for (uint256 i; i < 2 * PARTIES; ++i) {
            address account = i < PARTIES ? buyer(i) : seller(i - PARTIES);
            if (escrow.creditOf(account) == 0) continue;
            vm.prank(account);
            escrow.withdraw(stranger());
        }
    }

    // The model

    function _end(
        string memory name,
        Case storage case_,
        address sender,
        bytes memory call,
        bool expected,
        Status status,
        uint256 sellerAmount
    ) private {
        _end(name, case_, sender, address(escrow), call, expected, status, sellerAmount);
    }

    /// @dev Sends what may end an agreement and holds the escrow to the model: who gets how much, and once.
    function _end(
        string memory name,
        Case storage case_,
        address sender,
        address target,
        bytes memory call,
        bool expected,
        Status status,
        uint256 sellerAmount
    ) private {
        uint256 sellerBefore = _wealth(case_.terms.seller);
        uint256 buyerBefore = _wealth(case_.terms.buyer);
        _require(name, _sendTo(sender, target, call), expected);
        assert(_wealth(case_.terms.seller) - sellerBefore == (expected ? sellerAmount : 0));
        assert(_wealth(case_.terms.buyer) - buyerBefore == (expected ? case_.terms.reward - sellerAmount : 0));
        if (!expected) return;
        case_.status = status;
        case_.paid += case_.terms.reward;
        ++case_.endings;
    }

    function _require(string memory name, bool success, bool expected) private {
        assert(success == expected);
        if (success) ++done[keccak256(bytes(name))];
    }

    function _send(address sender, bytes memory call) private returns (bool success) {
        return _sendTo(sender, address(escrow), call);
    }

    function _sendTo(address sender, address target, bytes memory call) private returns (bool success) {
        vm.prank(sender);
        (success, ) = target.call(call);
    }

    /// @dev Mostly a live agreement, sometimes any.
    function _case(uint256 index) private view returns (Case storage) {
        uint256 start = index % _cases.length;
        if (index % 8 == 0) return _cases[start];
        for (uint256 i; i < _cases.length; ++i) {
            uint256 candidate = (start + i) % _cases.length;
            if (_live(_cases[candidate])) return _cases[candidate];
        }
        return _cases[start];
    }

    /// @dev A party, who has credits if anybody has.
    function _creditor(uint256 who) private view returns (address account) {
        for (uint256 i; i < 2 * PARTIES; ++i) {
            uint256 party = ((who % PARTIES) + i) % (2 * PARTIES);
            account = party < PARTIES ? buyer(party) : seller(party - PARTIES);
            if (escrow.creditOf(account) != 0) return account;
        }
    }

    function _id(Terms memory terms) private view returns (bytes32) {
        return escrow.agreementIdOf(terms);
    }

    function _live(Case storage case_) private view returns (bool) {
        return case_.status == Status.Funded || case_.status == Status.Accepted || case_.status == Status.Submitted;
    }

    function _wealth(address account) private view returns (uint256) {
        return token.balanceOf(account) + escrow.creditOf(account);
    }

    /// @dev The seller's share without a verdict, computed in another way than the contract's.
    function _default(Terms memory terms) private pure returns (uint256) {
        return terms.reward - (terms.reward * (10_000 - terms.noVerdictSellerBps)) / 10_000;
    }

    function _caller(Terms memory terms, uint256 caller) private pure returns (address) {
        return
            caller % 4 < 2
                ? terms.seller
                : caller % 4 == 2
                    ? terms.buyer
                    : stranger();
    }

    /// @dev Mostly inside a range, sometimes at or just outside its ends.
    function _near(uint256 seed, uint256 low, uint256 high) private pure returns (uint256) {
        if (seed % 16 == 0) return low;
        if (seed % 16 == 1) return high;
        if (seed % 16 == 2) return low == 0 ? high + 1 : low - 1;
        if (seed % 16 == 3) return high + 1;
        return low + (seed % (high - low + 1));
    }

    function _buyerKey(uint256 i) private pure returns (uint256) {
        return 100 + i;
    }

    function _sellerKey(uint256 i) private pure returns (uint256) {
        return 200 + i;
    }

    function _keyOf(address account) private view returns (uint256) {
        for (uint256 i; i < PARTIES; ++i) {
            if (buyer(i) == account) return _buyerKey(i);
            if (seller(i) == account) return _sellerKey(i);
        }
        revert("nobody's key");
    }

    function _sign(uint256 key, bytes32 structHash) private view returns (bytes memory) {
        bytes32 digest = keccak256(
            abi.encodePacked(hex"1901", EscrowMessages.domainSeparator(address(escrow)), structHash)
        );
        return _signDigest(key, digest);
    }

    function _signDigest(uint256 key, bytes32 digest) private pure returns (bytes memory) {
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(key, digest);
        return abi.encodePacked(r, s, v);
    }
}
