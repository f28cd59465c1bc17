// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

/// @title Fiat token
/// @notice The two signed ways to pay that Circle's FiatToken V2.2 (USDC) adds to ERC-20. Both take ECDSA and ERC-1271
/// signatures; an account with code, an EIP-7702 delegation included, is always asked through ERC-1271.
interface IFiatToken is IERC20 {
    /// @notice Sets an allowance by the owner's EIP-2612 signature.
    ///
    /// @param owner Who allows
    /// @param spender Who may spend
    /// @param value Allowance, in base units
    /// @param deadline Last second (Unix time) in which the signature counts
    /// @param signature The owner's signature
    function permit(address owner, address spender, uint256 value, uint256 deadline, bytes calldata signature) external;

    /// @notice Moves tokens to the caller by the payer's ERC-3009 signature.
    ///
    /// @param from The payer
    /// @param to The payee, who must be the caller
    /// @param value Amount, in base units
    /// @param validAfter The signature counts strictly after this second (Unix time)
    /// @param validBefore The signature counts strictly before this second (Unix time)
    /// @param nonce Usable once per payer
    /// @param signature The payer's signature
    function receiveWithAuthorization(
        address from,
        address to,
        uint256 value,
        uint256 validAfter,
        uint256 validBefore,
        bytes32 nonce,
        bytes calldata signature
    ) external;
}
