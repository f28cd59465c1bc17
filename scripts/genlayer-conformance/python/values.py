"""Values of calldata as JSON: what JSON cannot say is an object with one `$` key."""

from collections.abc import Mapping, Sequence

MAX_SAFE_INTEGER = 2**53 - 1


def from_json(value: object, address: type) -> object:
    """The value that `value` stands for; `address` makes addresses."""
    if isinstance(value, list):
        return [from_json(item, address) for item in value]
    if isinstance(value, dict):
        if set(value) == {"$bytes"}:
            return bytes.fromhex(value["$bytes"])
        if set(value) == {"$integer"}:
            return int(value["$integer"])
        if set(value) == {"$address"}:
            return address(bytes.fromhex(value["$address"][2:]))
        return {key: from_json(item, address) for key, item in value.items()}
    return value


def to_json(value: object, address: type) -> object:
    """The JSON of a decoded value."""
    if isinstance(value, address):
        return {"$address": value.as_hex}
    if isinstance(value, bytes):
        return {"$bytes": value.hex()}
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) > MAX_SAFE_INTEGER:
        return {"$integer": str(value)}
    if isinstance(value, str):
        return value
    if isinstance(value, Mapping):
        return {key: to_json(item, address) for key, item in value.items()}
    if isinstance(value, Sequence):
        return [to_json(item, address) for item in value]
    return value
