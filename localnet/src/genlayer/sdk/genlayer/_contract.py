"""The contract base class, the decorators that make methods public, and the schema."""

import collections.abc
import inspect
import types
import typing
from collections.abc import Callable

from . import _rules as rules
from ._rules import RuleBroken
from ._storage import Field, fields_of
from ._types import INTEGERS, Address


class Contract:
    """Base of the one contract class of a module. Its annotations are its storage."""

    __gl_fields__: typing.ClassVar[dict[str, Field]]

    @property
    def address(self) -> Address:
        """The contract's own address."""
        from . import _gl

        return _gl.message.contract_address

    @property
    def balance(self) -> typing.NoReturn:
        raise RuleBroken(rules.UNSUPPORTED, "balance: values are never moved here")

    def __init_subclass__(cls, **options: object) -> None:
        super().__init_subclass__(**options)
        cls.__gl_fields__ = fields_of(cls)
        for name, field in cls.__gl_fields__.items():
            if name in vars(cls):
                raise RuleBroken(
                    rules.STORAGE_TYPE, f"{name}: a storage field has no default; set it in __init__"
                )
            setattr(cls, name, field)


def _view(method: Callable) -> Callable:
    method.__gl_public__ = "view"
    return method


class _Write:
    def __call__(self, method: Callable) -> Callable:
        method.__gl_public__ = "write"
        return method

    @staticmethod
    def payable(method: Callable) -> Callable:
        method.__gl_public__ = "payable"
        return method


public = types.SimpleNamespace(view=_view, write=_Write())


def contract_class(module: dict[str, object]) -> type[Contract]:
    """The one contract class that a module defines."""
    found = [
        value
        for value in module.values()
        if isinstance(value, type) and issubclass(value, Contract) and value.__module__ == module["__name__"]
    ]
    if len(found) != 1:
        raise RuleBroken(
            rules.CONTRACT, f"a module defines exactly one gl.Contract class, this one {len(found)}"
        )
    return found[0]


def public_methods(contract: type[Contract]) -> dict[str, Callable]:
    return {
        name: method
        for name, method in inspect.getmembers(contract, inspect.isfunction)
        if hasattr(method, "__gl_public__") and not name.startswith("__")
    }


_NAMES = {
    str: "string",
    int: "int",
    bool: "bool",
    bytes: "bytes",
    Address: "address",
    type(None): "null",
    None: "null",
}


def _schema_type(annotation: object) -> object:
    if annotation in _NAMES:
        return _NAMES[annotation]
    if annotation in INTEGERS:
        return "int"
    origin, arguments = typing.get_origin(annotation), typing.get_args(annotation)
    if origin in (typing.Union, types.UnionType):
        return {"$or": [_schema_type(option) for option in arguments]}
    if (origin or annotation) in (dict, collections.abc.Mapping):
        return {"$dict": _schema_type(arguments[1])} if len(arguments) == 2 else "dict"
    if (origin or annotation) in (list, collections.abc.Sequence):
        return [{"$rep": _schema_type(arguments[0])}] if arguments else "array"
    return "any"


def _params(method: Callable) -> dict[str, object]:
    hints = typing.get_type_hints(method)
    params, kwparams = [], {}
    for parameter in list(inspect.signature(method).parameters.values())[1:]:
        kind = _schema_type(hints[parameter.name]) if parameter.name in hints else "any"
        if parameter.kind is parameter.KEYWORD_ONLY:
            kwparams[parameter.name] = kind
        elif parameter.kind in (parameter.POSITIONAL_ONLY, parameter.POSITIONAL_OR_KEYWORD):
            params.append([parameter.name, kind])
    return {"params": params, "kwparams": kwparams}


def schema_of(contract: type[Contract]) -> dict[str, object]:
    """What `gen_getContractSchema` answers."""
    own_init = contract.__init__ is not object.__init__
    methods = {}
    for name, method in public_methods(contract).items():
        hints = typing.get_type_hints(method)
        methods[name] = {
            **_params(method),
            "readonly": method.__gl_public__ == "view",
            "ret": _schema_type(hints["return"]) if "return" in hints else "any",
        }
        if method.__gl_public__ != "view":
            methods[name]["payable"] = method.__gl_public__ == "payable"
    return {
        "ctor": _params(contract.__init__) if own_init else {"params": [], "kwparams": {}},
        "methods": methods,
    }
