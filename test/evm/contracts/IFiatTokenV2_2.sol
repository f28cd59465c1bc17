// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IFiatToken} from "../../../contracts-evm/interfaces/IFiatToken.sol";

/// @notice What tests use of Circle's FiatToken V2.2 and its proxy beyond the escrow's needs.
interface IFiatTokenV2_2 is IFiatToken {
    event AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce);

    function mint(address to, uint256 amount) external returns (bool);
    function blacklist(address account) external;
    function unBlacklist(address account) external;
    function pause() external;
    function unpause() external;
    function name() external view returns (string memory);
    function version() external pure returns (string memory);
    function nonces(address owner) external view returns (uint256);
    function authorizationState(address authorizer, bytes32 nonce) external view returns (bool);
    function cancelAuthorization(address authorizer, bytes32 nonce, bytes calldata signature) external;
    function transferWithAuthorization(
        address from,
        address to,
        uint256 value,
        uint256 validAfter,
        uint256 validBefore,
        bytes32 nonce,
        bytes calldata signature
    ) external;
    function upgradeTo(address implementation) external;
}
