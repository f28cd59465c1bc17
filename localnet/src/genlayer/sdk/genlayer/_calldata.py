"""GenVM's calldata: one encoding per value, everything else refused."""

import dataclasses
from collections.abc import Mapping, Sequence

from ._types import Address

_MAX_DEPTH = 128
_SPECIAL = {0: None, 8: False, 16: True}
_ADDRESS = 24


class CalldataError(ValueError):
    """A value that has no calldata, or bytes that are none."""


def encode(value: object) -> bytes:
    """
    The one encoding of `value`: None, bool, int, str, bytes, Address, any sequence, any map with str keys,
    and dataclasses as maps of their fields.
    """
    out = bytearray()
    _encode(value, out, 0)
    return bytes(out)


def decode(data: bytes) -> object:
    """
    The value that `data` encodes; refuses unsorted keys, padded integers, bad UTF-8, missing or trailing
    bytes.
    """
    value, at = _decode(data, 0, 0)
    if at != len(data):
        raise CalldataError("bytes left over after the value")
    return value


def _uleb(value: int, out: bytearray) -> None:
    while True:
        low = value & 0x7F
        value >>= 7
        if value == 0:
            out.append(low)
            return
        out.append(low | 0x80)


def _text(value: str) -> bytes:
    try:
        return value.encode("utf-8")
    except UnicodeEncodeError:
        raise CalldataError("text with a lone surrogate has no UTF-8 form") from None


def _encode(value: object, out: bytearray, depth: int) -> None:
    if depth > _MAX_DEPTH:
        raise CalldataError(f"nested deeper than {_MAX_DEPTH}")
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        value = {field.name: getattr(value, field.name) for field in dataclasses.fields(value)}
    if value is None:
        out.append(0)
    elif isinstance(value, bool):
        out.append(16 if value else 8)
    elif isinstance(value, int):
        _uleb(value << 3 | 1 if value >= 0 else (-value - 1) << 3 | 2, out)
    elif isinstance(value, str):
        data = _text(value)
        _uleb(len(data) << 3 | 4, out)
        out += data
    elif isinstance(value, bytes | bytearray):
        _uleb(len(value) << 3 | 3, out)
        out += value
    elif isinstance(value, Address):
        out.append(_ADDRESS)
        out += value.as_bytes
    elif isinstance(value, Sequence) and not isinstance(value, memoryview):
        _uleb(len(value) << 3 | 5, out)
        for item in value:
            _encode(item, out, depth + 1)
    elif isinstance(value, Mapping):
        if not all(isinstance(key, str) for key in value):
            raise CalldataError("the keys of a map are strings")
        entries = sorted(((_text(key), item) for key, item in value.items()), key=lambda entry: entry[0])
        _uleb(len(entries) << 3 | 6, out)
        for key, item in entries:
            _uleb(len(key), out)
            out += key
            _encode(item, out, depth + 1)
    elif isinstance(value, float):
        raise CalldataError("calldata has no floats; use an integer or a string")
    else:
        raise CalldataError(f"a {type(value).__name__} has no calldata")


def _read_uleb(data: bytes, at: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        if at >= len(data):
            raise CalldataError("the bytes end in the middle of a value")
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            if byte == 0 and shift > 0:
                raise CalldataError("a padded integer")
            return value, at
        shift += 7


def _read_text(data: bytes, at: int, size: int) -> tuple[str, int]:
    if size > len(data) - at:
        raise CalldataError("a length beyond the end of the bytes")
    try:
        return data[at : at + size].decode("utf-8"), at + size
    except UnicodeDecodeError:
        raise CalldataError("text that is not UTF-8") from None


def _decode(data: bytes, at: int, depth: int) -> tuple[object, int]:
    if depth > _MAX_DEPTH:
        raise CalldataError(f"nested deeper than {_MAX_DEPTH}")
    start, at = _read_uleb(data, at)
    kind, payload = start & 7, start >> 3
    if kind == 0:
        if start == _ADDRESS:
            if len(data) - at < 20:
                raise CalldataError("the bytes end in the middle of a value")
            return Address(data[at : at + 20]), at + 20
        if start not in _SPECIAL:
            raise CalldataError("an unknown special value")
        return _SPECIAL[start], at
    if kind == 1:
        return payload, at
    if kind == 2:
        return -payload - 1, at
    if kind == 4:
        return _read_text(data, at, payload)
    # Every byte, item and entry takes one byte at least.
    if payload > len(data) - at:
        raise CalldataError("a length beyond the end of the bytes")
    if kind == 3:
        return data[at : at + payload], at + payload
    if kind == 5:
        items = []
        for _ in range(payload):
            item, at = _decode(data, at, depth + 1)
            items.append(item)
        return items, at
    if kind == 6:
        entries: dict[str, object] = {}
        previous = None
        for _ in range(payload):
            size, at = _read_uleb(data, at)
            key, at = _read_text(data, at, size)
            order = key.encode("utf-8")
            if previous is not None and order <= previous:
                raise CalldataError("map keys that are not strictly ascending")
            previous = order
            entries[key], at = _decode(data, at, depth + 1)
        return entries, at
    raise CalldataError("an unknown type")
