"""
Storage: typed by annotations, zero-initialised, assigned by value, and serialised to one canonical snapshot.

Values live in memory for the length of a run. Every access asks the run's `guard`, so that a nondeterministic
block cannot reach storage and a view cannot write it.
"""

import dataclasses
import json
import typing
from collections.abc import Callable, Iterator, MutableMapping, MutableSequence

from . import _rules as rules
from ._rules import RuleBroken
from ._types import INTEGERS, Address


class _Guard:
    """Whether storage may be touched just now; set by the run."""

    def __init__(self) -> None:
        self.in_block = False
        self.writable = True

    def read(self) -> None:
        if self.in_block:
            raise RuleBroken(
                rules.STORAGE_IN_BLOCK,
                "copy what the block needs into local variables before it, and store after it",
            )

    def write(self) -> None:
        self.read()
        if not self.writable:
            raise RuleBroken(
                rules.STORAGE_IN_VIEW, "a read cannot write storage; send a transaction, to a gl.public.write"
            )


guard = _Guard()


@dataclasses.dataclass(frozen=True)
class Kind:
    """How one type is stored."""

    name: str
    zero: Callable[[], object]
    # Checks a value that is assigned and returns what is stored.
    take: Callable[[object], object]
    dump: Callable[[typing.Any], object]
    load: Callable[[typing.Any], object]


def _refuse(name: str, value: object) -> typing.NoReturn:
    raise RuleBroken(rules.STORAGE_VALUE, f"{type(value).__name__} cannot be stored as {name}")


def _scalar(name: str, python: type, zero: object) -> Kind:
    def take(value: object) -> object:
        if type(value) is not python:
            _refuse(name, value)
        if isinstance(value, str):
            try:
                value.encode("utf-8")
            except UnicodeEncodeError:
                raise RuleBroken(
                    rules.STORAGE_VALUE, "text with a lone surrogate has no UTF-8 form"
                ) from None
        return value

    if python is bytes:
        return Kind(name, lambda: zero, take, lambda v: v.hex(), bytes.fromhex)
    if python is Address:
        return Kind(name, lambda: zero, take, lambda v: v.as_bytes.hex(), lambda v: Address(bytes.fromhex(v)))
    return Kind(name, lambda: zero, take, lambda v: v, lambda v: v)


def _integer(name: str, low: int | None, high: int | None) -> Kind:
    def take(value: object) -> object:
        if not isinstance(value, int) or isinstance(value, bool):
            _refuse(name, value)
        if (low is not None and value < low) or (high is not None and value > high):
            raise RuleBroken(rules.STORAGE_VALUE, f"{value} is out of the range of {name}")
        return int(value)

    return Kind(name, lambda: 0, take, str, int)


_SCALARS: dict[object, Kind] = {
    str: _scalar("str", str, ""),
    bytes: _scalar("bytes", bytes, b""),
    bool: _scalar("bool", bool, False),
    Address: _scalar("Address", Address, Address(bytes(20))),
    **{t: _integer(t.__name__, low, high) for t, (low, high) in INTEGERS.items()},
}

_HINTS = {
    int: "plain int has no size; use u8 to u256, i8 to i256 or bigint",
    list: "list cannot be stored; use DynArray[T]",
    dict: "dict cannot be stored; use TreeMap[K, V]",
    tuple: "tuple cannot be stored; use an @allow_storage dataclass",
    set: "set cannot be stored; use TreeMap[K, bool]",
    float: "floats are refused here: use an integer",
}


def kind_of(annotation: object) -> Kind:
    """How `annotation` is stored; refuses the types that GenVM refuses."""
    if annotation in _SCALARS:
        return _SCALARS[annotation]
    origin = typing.get_origin(annotation)
    arguments = typing.get_args(annotation)
    if origin is TreeMap and len(arguments) == 2:
        return _map_kind(kind_of(arguments[0]), kind_of(arguments[1]))
    if origin is DynArray and len(arguments) == 1:
        return _array_kind(kind_of(arguments[0]))
    if isinstance(annotation, type) and "__gl_storage__" in vars(annotation):
        return _record_kind(annotation)
    if dataclasses.is_dataclass(annotation):
        raise RuleBroken(rules.STORAGE_TYPE, f"{annotation.__name__} must be marked @allow_storage")
    hint = _HINTS.get(origin or annotation, "it is no storage type")
    raise RuleBroken(rules.STORAGE_TYPE, f"{getattr(annotation, '__name__', annotation)}: {hint}")


def _no_clear(container: object) -> typing.NoReturn:
    raise RuleBroken(
        rules.UNSUPPORTED, f"{type(container).__name__}.clear: GenVM's own fails; delete what is to go"
    )


class TreeMap[K, V](MutableMapping[K, V]):
    """A map with sorted keys. Only storage holds one; values are copied in."""

    def __init__(self, keys: Kind, values: Kind) -> None:
        self._keys, self._values, self._items = keys, values, {}

    def __getitem__(self, key: K) -> V:
        guard.read()
        return self._items[key]

    def __setitem__(self, key: K, value: V) -> None:
        guard.write()
        self._items[self._keys.take(key)] = self._values.take(value)

    def __delitem__(self, key: K) -> None:
        guard.write()
        del self._items[key]

    def __contains__(self, key: object) -> bool:
        guard.read()
        return key in self._items

    def __len__(self) -> int:
        guard.read()
        return len(self._items)

    def __iter__(self) -> Iterator[K]:
        guard.read()
        return iter(sorted(self._items))

    def get(self, key: K, default: object = None) -> object:
        guard.read()
        return self._items.get(key, default)

    clear = _no_clear

    def get_or_insert_default(self, key: K) -> V:
        guard.write()
        key = self._keys.take(key)
        if key not in self._items:
            self._items[key] = self._values.zero()
        return self._items[key]


class DynArray[T](MutableSequence[T]):
    """A list that grows. Only storage holds one; values are copied in."""

    def __init__(self, values: Kind) -> None:
        self._values, self._items = values, []

    def __getitem__(self, index: int) -> T:
        guard.read()
        return self._items[index]

    def __setitem__(self, index: int, value: T) -> None:
        guard.write()
        if isinstance(index, slice):
            raise RuleBroken(rules.UNSUPPORTED, "assignment to a slice of an array")
        self._items[index] = self._values.take(value)

    def __delitem__(self, index: int | slice) -> None:
        guard.write()
        del self._items[index]

    def __len__(self) -> int:
        guard.read()
        return len(self._items)

    def __iter__(self) -> Iterator[T]:
        guard.read()
        return iter(list(self._items))

    def append(self, value: T) -> None:
        guard.write()
        self._items.append(self._values.take(value))

    def append_new_get(self) -> T:
        """Appends a zero value and gives it, to be filled in place."""
        guard.write()
        self._items.append(self._values.zero())
        return self._items[-1]

    def insert(self, index: int, value: T) -> None:
        guard.write()
        if not -len(self._items) <= index < len(self._items):
            raise IndexError(f"no place {index} in an array of {len(self._items)}")
        self._items.insert(index, self._values.take(value))

    def pop(self) -> None:
        """Takes the last item off. As on GenVM it gives nothing back."""
        guard.write()
        if not self._items:
            raise Exception("pop from an empty array")
        self._items.pop()

    clear = _no_clear


def _map_kind(keys: Kind, values: Kind) -> Kind:
    name = f"TreeMap[{keys.name}, {values.name}]"

    def load(data: list) -> TreeMap:
        tree = TreeMap(keys, values)
        tree._items = {keys.load(key): values.load(value) for key, value in data}
        return tree

    def take(value: object) -> object:
        if not isinstance(value, TreeMap):
            _refuse(name, value)
        return load(dump(value))

    def dump(tree: TreeMap) -> object:
        return [[keys.dump(key), values.dump(tree._items[key])] for key in sorted(tree._items)]

    return Kind(name, lambda: TreeMap(keys, values), take, dump, load)


def _array_kind(values: Kind) -> Kind:
    name = f"DynArray[{values.name}]"

    def load(data: list) -> DynArray:
        array = DynArray(values)
        array._items = [values.load(value) for value in data]
        return array

    def take(value: object) -> object:
        if isinstance(value, DynArray):
            return load(dump(value))
        if isinstance(value, list):
            array = DynArray(values)
            array._items = [values.take(item) for item in value]
            return array
        _refuse(name, value)

    def dump(array: DynArray) -> object:
        return [values.dump(item) for item in array._items]

    return Kind(name, lambda: DynArray(values), take, dump, load)


def allow_storage[T](cls: type[T]) -> type[T]:
    """
    Marks a dataclass as storable. An instance in memory takes what storage would take; one that came from
    storage is guarded too.
    """
    cls.__gl_storage__ = True
    own_set = cls.__setattr__

    def set_attribute(self: object, name: str, value: object) -> None:
        kinds = vars(self).get("__kinds__")
        if kinds is None:
            # Known from the moment that a contract's fields use the class.
            kind = getattr(cls, "__gl_kinds__", {}).get(name)
            if kind is not None:
                kind.take(value)
            own_set(self, name, value)
            return
        guard.write()
        if name not in kinds:
            raise AttributeError(f"{cls.__name__} has no field {name}")
        vars(self)[name] = kinds[name].take(value)

    cls.__setattr__ = set_attribute
    return cls


def is_stored(value: object) -> bool:
    """Whether `value` is a live view of storage."""
    return isinstance(value, TreeMap | DynArray) or "__kinds__" in getattr(value, "__dict__", ())


def _record_kind(cls: type) -> Kind:
    if not dataclasses.is_dataclass(cls):
        raise RuleBroken(
            rules.STORAGE_TYPE, f"{cls.__name__} is marked @allow_storage and must be a @dataclass"
        )
    hints = typing.get_type_hints(cls)
    kinds = {field.name: kind_of(hints[field.name]) for field in dataclasses.fields(cls)}
    cls.__gl_kinds__ = kinds

    def make(values: dict[str, object]) -> object:
        record = object.__new__(cls)
        vars(record).update(values, __kinds__=kinds)
        return record

    def take(value: object) -> object:
        if not isinstance(value, cls):
            _refuse(cls.__name__, value)
        return make({name: kind.take(vars(value)[name]) for name, kind in kinds.items()})

    return Kind(
        cls.__name__,
        lambda: make({name: kind.zero() for name, kind in kinds.items()}),
        take,
        lambda record: {name: kind.dump(vars(record)[name]) for name, kind in kinds.items()},
        lambda data: make({name: kind.load(data[name]) for name, kind in kinds.items()}),
    )


class Field:
    """A contract's storage field."""

    def __init__(self, name: str, kind: Kind) -> None:
        self.name, self.kind = name, kind

    def __get__(self, contract: object, owner: type) -> object:
        if contract is None:
            return self
        guard.read()
        return vars(contract)["__storage__"][self.name]

    def __set__(self, contract: object, value: object) -> None:
        guard.write()
        vars(contract)["__storage__"][self.name] = self.kind.take(value)


def fields_of(contract: type) -> dict[str, Field]:
    """The storage fields of a contract class, in the order of its annotations."""
    return {
        name: Field(name, kind_of(annotation))
        for name, annotation in typing.get_type_hints(contract).items()
        if typing.get_origin(annotation) is not typing.ClassVar
    }


def load(fields: dict[str, Field], snapshot: bytes) -> dict[str, object]:
    """Storage from its snapshot; zero-initialised where the snapshot is empty."""
    if not snapshot:
        return {name: field.kind.zero() for name, field in fields.items()}
    data = json.loads(snapshot)
    return {name: field.kind.load(data[name]) for name, field in fields.items()}


def dump(fields: dict[str, Field], storage: dict[str, object]) -> bytes:
    """The canonical snapshot: equal storage has equal bytes."""
    data = {name: field.kind.dump(storage[name]) for name, field in fields.items()}
    return json.dumps(data, ensure_ascii=True, sort_keys=True, separators=(",", ":")).encode()
