"""Addresses and sized integers."""

import base64
import typing

from ._keccak import keccak256


class Address:
    """
    A 20-byte address, made from bytes, 0x-prefixed hex or base64. As on GenVM no EIP-55 checksum is verified:
    a contract that cares compares with `as_hex`.
    """

    SIZE = 20
    __slots__ = ("_bytes",)

    def __init__(self, value: "str | bytes | bytearray | Address") -> None:
        if isinstance(value, Address):
            data = value.as_bytes
        elif isinstance(value, str):
            data = _parse(value)
        elif isinstance(value, bytes | bytearray):
            data = bytes(value)
        else:
            raise TypeError(f"an address is made from str or bytes, not {type(value).__name__}")
        if len(data) != self.SIZE:
            raise ValueError(f"an address has {self.SIZE} bytes, not {len(data)}")
        object.__setattr__(self, "_bytes", data)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("an address cannot change")

    @property
    def as_bytes(self) -> bytes:
        return self._bytes

    @property
    def as_hex(self) -> str:
        """0x-prefixed with the EIP-55 checksum."""
        return _checksum(self._bytes)

    @property
    def as_b64(self) -> str:
        return base64.b64encode(self._bytes).decode()

    @property
    def as_int(self) -> int:
        return int.from_bytes(self._bytes, "little")

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Address) and other._bytes == self._bytes

    def __lt__(self, other: "Address") -> bool:
        return self._bytes < other._bytes

    def __le__(self, other: "Address") -> bool:
        return self._bytes <= other._bytes

    def __hash__(self) -> int:
        return hash(self._bytes)

    def __repr__(self) -> str:
        return f'Address("{self.as_hex}")'

    def __str__(self) -> str:
        return self.as_hex

    def __format__(self, form: str) -> str:
        match form:
            case "":
                return repr(self)
            case "s" | "x":
                return self.as_hex
            case "b64":
                return self.as_b64
            case "cd":
                return "addr#" + self._bytes.hex()
        raise TypeError(f"unsupported format {form!r}")

    def __deepcopy__(self, memo: dict) -> "Address":
        return self


def _parse(text: str) -> bytes:
    if len(text) == 42 and text.startswith("0x"):
        return bytes.fromhex(text[2:])
    return base64.b64decode(text)


def _checksum(data: bytes) -> str:
    digits = data.hex()
    nibbles = keccak256(digits.encode()).hex()
    return "0x" + "".join(d.upper() if n >= "8" else d for d, n in zip(digits, nibbles, strict=False))


# Storage sizes by name; `u256(5)` is simply 5, the range is checked when it is stored.
INTEGERS: dict[object, tuple[int | None, int | None]] = {}
bigint = typing.NewType("bigint", int)
INTEGERS[bigint] = (None, None)
_names = ["bigint"]
for _bits in range(8, 257, 8):
    for _sign, _low, _high in (("u", 0, 1 << _bits), ("i", -(1 << _bits - 1), 1 << _bits - 1)):
        _name = f"{_sign}{_bits}"
        _type = typing.NewType(_name, int)
        globals()[_name] = _type
        INTEGERS[_type] = (_low, _high - 1)
        _names.append(_name)

INTEGER_NAMES = tuple(_names)
