"""Nondeterministic blocks: what the leader decides and the validators rule on."""

import dataclasses
import sys
import traceback
from collections.abc import Callable

from . import _calldata
from . import _rules as rules
from ._closure import isolate
from ._rules import RuleBroken
from ._storage import guard

# GenVM's own limit.
MAX_BLOCKS = 4096


@dataclasses.dataclass(frozen=True)
class Return:
    """A block that returned."""

    calldata: object


class UserError(Exception):
    """An error that the contract raises on purpose: its message survives, everything else is rolled back."""

    def __init__(self, message: str) -> None:
        if not isinstance(message, str):
            raise TypeError("the message of a user error is text")
        super().__init__(message)
        self.message = message

    def __repr__(self) -> str:
        return f"UserError(message={self.message!r})"

    __str__ = __repr__

    def __eq__(self, other: object) -> bool:
        return isinstance(other, UserError) and other.message == self.message

    def __hash__(self) -> int:
        return hash(self.message)


@dataclasses.dataclass(frozen=True)
class VMError:
    """A block whose machine failed."""

    message: str


class VmFailure(BaseException):
    """Ends the run as a VM error."""


_RETURN, _USER_ERROR, _VM_ERROR = 0, 1, 2
# All that GenVM tells of an exception that nothing catches.
_UNCAUGHT = "exit_code 1"


def encode_result(result: Return | UserError | VMError) -> bytes:
    if isinstance(result, Return):
        return bytes([_RETURN]) + _calldata.encode(result.calldata)
    code = _USER_ERROR if isinstance(result, UserError) else _VM_ERROR
    return bytes([code]) + result.message.encode("utf-8", "replace")


def decode_result(data: bytes) -> Return | UserError | VMError:
    code, payload = data[:1], data[1:]
    if code == bytes([_RETURN]):
        return Return(_calldata.decode(payload))
    text = payload.decode("utf-8", "replace")
    return UserError(text) if code == bytes([_USER_ERROR]) else VMError(text)


class Blocks:
    """The nondeterministic blocks of one run."""

    def __init__(self) -> None:
        self.start(None)

    def start(self, leader_outputs: list[bytes] | None) -> None:
        """A new run: the leader's when there are no outputs to rule on."""
        self.leader_outputs = leader_outputs
        self.outputs: list[bytes] = []
        self.votes: list[bool] = []
        guard.in_block = False

    def require_block(self, call: str) -> None:
        if not guard.in_block:
            raise RuleBroken(rules.OUTSIDE_BLOCK, f"{call} works only inside a nondeterministic block")

    def sandbox(self, function: Callable, *arguments: object) -> Return | UserError | VMError:
        """Runs a copy of `function` as a machine of its own."""
        copied = isolate(function)
        guard.in_block = True
        try:
            value = copied(*arguments)
            return Return(_calldata.decode(_calldata.encode(value)))
        except UserError as error:
            return error
        except _calldata.CalldataError as error:
            return VMError(f"{rules.CALLDATA}: the result of a block: {error}")
        except RuleBroken as broken:
            return VMError(str(broken))
        except Exception:
            traceback.print_exc(file=sys.stderr)
            return VMError(_UNCAUGHT)
        finally:
            guard.in_block = False

    def run(self, leader: Callable, validator: Callable) -> object:
        if guard.in_block:
            raise RuleBroken(rules.NESTED_BLOCK, "a nondeterministic block cannot hold another")
        if len(self.outputs) + len(self.votes) >= MAX_BLOCKS:
            raise RuleBroken(rules.BLOCK_LIMIT, f"more than {MAX_BLOCKS} nondeterministic blocks")
        if self.leader_outputs is None:
            result = self.sandbox(leader)
            self.outputs.append(encode_result(result))
        else:
            result = self._rule(validator)
        if isinstance(result, Return):
            return result.calldata
        if isinstance(result, UserError):
            raise UserError(result.message)
        raise VmFailure(result.message)

    def _rule(self, validator: Callable) -> Return | UserError | VMError:
        index = len(self.votes)
        if index >= len(self.leader_outputs):
            raise VmFailure("the leader has no output for this nondeterministic block")
        try:
            result = decode_result(self.leader_outputs[index])
        except _calldata.CalldataError:
            self.votes.append(False)
            raise VmFailure("the leader's output is no calldata") from None
        ruling = self.sandbox(validator, result)
        self.votes.append(isinstance(ruling, Return) and ruling.calldata is True)
        return result


blocks = Blocks()


def run_nondet_unsafe(leader_fn: Callable, validator_fn: Callable, /) -> object:
    """
    The leader's value of a nondeterministic block. `leader_fn()` gives it; `validator_fn(result)` rules on it
    with a bool, where the result is Return, UserError or VMError. Whatever the validator raises is a
    disagreement.
    """
    return blocks.run(leader_fn, validator_fn)


def strict_eq(fn: Callable) -> object:
    """A block whose result every validator must reproduce exactly, errors included."""
    return blocks.run(fn, _same(fn))


def _same(fn: Callable) -> Callable:
    def validator(leader_result: object) -> bool:
        try:
            mine: object = Return(_calldata.decode(_calldata.encode(fn())))
        except UserError as error:
            mine = error
        except Exception:
            traceback.print_exc(file=sys.stderr)
            mine = VMError(_UNCAUGHT)
        return encode_result(mine) == encode_result(leader_result)

    return validator
