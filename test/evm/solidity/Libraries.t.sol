// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {AgreementState, AgreementStateLib} from "../../../contracts-evm/libraries/AgreementState.sol";
import {QuorumLib} from "../../../contracts-evm/libraries/QuorumLib.sol";
import {TermsLib} from "../../../contracts-evm/libraries/TermsLib.sol";
import {Status} from "../../../contracts-evm/types/Status.sol";
import {Terms} from "../../../contracts-evm/types/Terms.sol";

/// @notice The pure parts against their definitions, on arbitrary values.
contract LibrariesTest {
    using TermsLib for Terms;

    /// @notice A split gives out the whole reward, the buyer's share rounded down, and nothing overflows.
    function testFuzz_sharesAreExact(Terms calldata terms, uint16 bps) external view {
        Terms memory valid = terms;
        valid.noVerdictSellerBps = bps % 10_001;
        (uint256 sellerAmount, uint256 buyerAmount) = this.sharesOf(valid);
        unchecked {
            assert(sellerAmount + buyerAmount == valid.reward);
        }
        assert(sellerAmount <= valid.reward);
        // buyerAmount = floor(reward * buyerBps / 10_000), without the product: quotient and remainder apart
        uint256 buyerBps = 10_000 - valid.noVerdictSellerBps;
        uint256 remainder = mulmod(valid.reward, buyerBps, 10_000);
        unchecked {
            assert(buyerAmount * 10_000 == valid.reward * buyerBps - remainder);
        }
        if (valid.reward <= type(uint256).max / 10_000) {
            assert(buyerAmount == (valid.reward * buyerBps) / 10_000);
        }
    }

    /// @notice Terms hashed as they stand in calldata are hashed as the standard says.
    function testFuzz_termsHashIsTheStandards(Terms calldata terms) external pure {
        assert(terms.hash() == keccak256(abi.encode(TermsLib.TERMS_TYPEHASH, terms)));
    }

    /// @notice A quorum hashed as it stands in calldata is hashed as the ABI says.
    function testFuzz_quorumHashIsTheAbis(address[] calldata members, uint256 threshold) external pure {
        assert(QuorumLib.hash(members, threshold) == keccak256(abi.encode(members, threshold)));
    }

    /// @notice A state keeps its status and the first 31 bytes of its submission's hash.
    function testFuzz_stateKeepsWhatItPacks(uint8 code, uint8 later, bytes32 submissionHash) external pure {
        Status status = Status(code % 7);
        AgreementState state = AgreementStateLib.pack(status, submissionHash);
        assert(state.status() == status);
        assert(state.submissionHashPrefix() == bytes31(submissionHash));
        assert(state.isNone() == (status == Status.None && bytes31(submissionHash) == 0));
        Status next = Status(later % 7);
        assert(state.withStatus(next).equals(AgreementStateLib.pack(next, submissionHash)));
    }

    /// @dev Brings terms into calldata.
    function sharesOf(Terms calldata terms) external pure returns (uint256 sellerAmount, uint256 buyerAmount) {
        return terms.noVerdictShares();
    }
}
