// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IERC1271} from "@openzeppelin/contracts/interfaces/IERC1271.sol";
import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";

/// @notice A contract wallet of one key. Its signature is the key's own over the bare digest, as in the careless
/// wallets that make replay between two wallets of one owner possible.
contract Wallet1271 is IERC1271 {
    enum Answer {
        Honest,
        Revert,
        ShortMagic,
        WrongMagic,
        BurnGas
    }

    address public immutable owner;
    Answer public answer;

    constructor(address owner_) {
        owner = owner_;
    }

    function setAnswer(Answer answer_) external {
        answer = answer_;
    }

    function execute(address target, bytes calldata data) external returns (bytes memory) {
        require(msg.sender == owner, "not the owner");
        (bool success, bytes memory result) = target.call(data);
        if (!success) {
            assembly ("memory-safe") {
                revert(add(result, 0x20), mload(result))
            }
        }
        return result;
    }

    function isValidSignature(bytes32 hash, bytes calldata signature) external view returns (bytes4) {
        if (answer == Answer.Revert) revert("no");
        if (answer == Answer.BurnGas) {
            for (;;) {}
        }
        if (answer == Answer.ShortMagic) {
            assembly ("memory-safe") {
                mstore(0x00, shl(224, 0x1626ba7e))
                return(0x00, 0x04)
            }
        }
        if (answer == Answer.WrongMagic) return 0xffffffff;
        (address signer, ECDSA.RecoverError failure, ) = ECDSA.tryRecover(hash, signature);
        return failure == ECDSA.RecoverError.NoError && signer == owner ? this.isValidSignature.selector : bytes4(0);
    }
}
