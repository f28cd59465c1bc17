"""
What GenVM does to a nondeterministic block's function: it is pickled into a machine of its own. So it sees
copies of what it captured, changes nothing outside, and cannot take along what has no pickled form.
"""

import dataclasses
import re
import types

from . import _rules as rules
from ._contract import Contract
from ._rules import RuleBroken
from ._storage import is_stored
from ._types import Address

_ATOMS = (
    type(None),
    types.EllipsisType,
    types.NotImplementedType,
    bool,
    int,
    float,
    complex,
    str,
    bytes,
    Address,
    re.Pattern,
    type,
    types.ModuleType,
    types.BuiltinFunctionType,
)
_REASONS = {
    types.GeneratorType: "a generator",
    types.CoroutineType: "a coroutine",
    types.FrameType: "a frame",
    memoryview: "a memoryview",
}


def isolate(function: object) -> object:
    """A copy of `function` with everything it captured, and with globals of its own."""
    return _copy(function, {}, [])


def _refuse(path: list[str], what: str) -> RuleBroken:
    where = " → ".join(path) or "the function"
    return RuleBroken(rules.CLOSURE, f"{where} captures {what}")


def _copy(value: object, memo: dict[int, object], path: list[str]) -> object:
    if isinstance(value, _ATOMS):
        return value
    if id(value) in memo:
        return memo[id(value)]
    if isinstance(value, Contract):
        raise _refuse(path, "`self`; copy what it needs into local variables first")
    if is_stored(value):
        raise _refuse(path, "a view of storage; copy the values it needs into local variables first")
    if isinstance(value, types.FunctionType):
        return _copy_function(value, memo, path)
    if isinstance(value, types.MethodType):
        return types.MethodType(
            _copy(value.__func__, memo, path), _copy(value.__self__, memo, [*path, value.__name__])
        )
    if type(value) in (list, set, bytearray, dict, tuple, frozenset):
        return _copy_container(value, memo, path)
    if dataclasses.is_dataclass(value) or _plain(value):
        copied = object.__new__(type(value))
        memo[id(value)] = copied
        for name, item in vars(value).items():
            object.__setattr__(copied, name, _copy(item, memo, [*path, name]))
        return copied
    raise _refuse(path, _REASONS.get(type(value), f"a {type(value).__name__}, which cannot be pickled"))


def _plain(value: object) -> bool:
    """An instance of a class written in Python whose state is its attributes."""
    return (
        hasattr(value, "__dict__")
        and type(value).__reduce_ex__ is object.__reduce_ex__
        and not hasattr(value, "__next__")
    )


def _copy_container(value: object, memo: dict[int, object], path: list[str]) -> object:
    if isinstance(value, dict):
        copied: dict = {}
        memo[id(value)] = copied
        for key, item in value.items():
            copied[_copy(key, memo, path)] = _copy(item, memo, path)
        return copied
    if isinstance(value, list):
        items: list = []
        memo[id(value)] = items
        items.extend(_copy(item, memo, path) for item in value)
        return items
    if isinstance(value, bytearray):
        return bytearray(value)
    return type(value)(_copy(item, memo, path) for item in value)


def _copy_function(function: types.FunctionType, memo: dict[int, object], path: list[str]) -> object:
    here = [*path, function.__name__]
    cells = tuple(types.CellType() for _ in function.__closure__ or ())
    copied = types.FunctionType(
        function.__code__, _copy_globals(function.__globals__, memo), function.__name__, None, cells or None
    )
    memo[id(function)] = copied
    copied.__defaults__ = _copy(function.__defaults__, memo, here)
    copied.__kwdefaults__ = _copy(function.__kwdefaults__, memo, here)
    names = function.__code__.co_freevars
    for name, old, new in zip(names, function.__closure__ or (), cells, strict=True):
        try:
            content = old.cell_contents
        except ValueError:
            continue
        new.cell_contents = _copy(content, memo, [*here, name])
    return copied


def _copy_globals(namespace: dict[str, object], memo: dict[int, object]) -> dict[str, object]:
    """
    A module's globals for the block alone: its own functions rebuilt, plain containers copied, the rest
    shared.
    """
    if namespace.get("__gl_contract_module__") is not True:
        return namespace
    if id(namespace) in memo:
        return memo[id(namespace)]
    copied: dict[str, object] = {}
    memo[id(namespace)] = copied
    for name, value in namespace.items():
        own = isinstance(value, types.FunctionType) and value.__globals__ is namespace
        if not name.startswith("__") and (own or type(value) in (list, dict, set, bytearray)):
            copied[name] = _copy(value, memo, [name])
        else:
            copied[name] = value
    return copied
