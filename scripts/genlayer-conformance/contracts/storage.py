# v0.2.16
# { "Depends": "py-genlayer:1jb45aa8ynh2a9c9xn3b7qqh8sm5q93hwfp7jqmwsfhh8jpz09h6" }
from dataclasses import dataclass

from genlayer import *


@allow_storage
@dataclass
class Inner:
    flag: bool
    note: str


@allow_storage
@dataclass
class Item:
    size: u8
    total: bigint
    owner: Address
    inner: Inner


class Storage(gl.Contract):
    small: u8
    big: u256
    signed: i16
    huge: bigint
    text: str
    raw: bytes
    flag: bool
    owner: Address
    item: Item
    items: TreeMap[str, Item]
    by_number: TreeMap[u16, str]
    by_owner: TreeMap[Address, u8]
    nested: TreeMap[str, TreeMap[str, u8]]
    list_of: TreeMap[str, DynArray[u8]]
    array: DynArray[str]
    records: DynArray[Item]

    def __init__(self) -> None:
        pass

    @gl.public.view
    def everything(self) -> dict:
        return {
            "small": self.small,
            "big": self.big,
            "signed": self.signed,
            "huge": self.huge,
            "text": self.text,
            "raw": self.raw,
            "flag": self.flag,
            "owner": self.owner,
            "item": [self.item.size, self.item.total, self.item.owner],
            "inner": [self.item.inner.flag, self.item.inner.note],
            "lengths": [len(self.items), len(self.by_number), len(self.array), len(self.records)],
        }

    @gl.public.write
    def fill(self) -> None:
        self.small = u8(255)
        self.big = u256(2**256 - 1)
        self.signed = i16(-32768)
        self.huge = bigint(-(2**300))
        self.text = "é\x00𝄞"
        self.raw = b"\x00\xff"
        self.flag = True
        self.owner = Address("0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed")
        self.item = Item(u8(1), bigint(2), self.owner, Inner(True, "n"))

    @gl.public.write
    def shorten(self) -> None:
        self.text = "abcdef"
        self.text = "x"
        self.raw = b"abcdef"
        self.raw = b""

    @gl.public.write
    def try_to_store(self, name: str) -> str:
        # Each is one assignment that may be refused; a caught refusal leaves the old value.
        if name == "256 as u8":
            self.small = 256
        elif name == "-1 as u8":
            self.small = -1
        elif name == "text as u8":
            self.small = "1"
        elif name == "True as u8":
            self.small = True
        elif name == "a float as u8":
            self.small = 1.0
        elif name == "bytes as str":
            self.text = b"a"
        elif name == "a number as bool":
            self.flag = 2
        elif name == "text as Address":
            self.owner = "0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed"
        elif name == "a lone surrogate":
            self.text = "\ud800"
        elif name == "another dataclass":
            self.item = Inner(True, "n")
        elif name == "a dict as TreeMap":
            self.items = {}
        elif name == "a number as key":
            self.items[1] = self.item
        return name

    @gl.public.write
    def caught(self) -> str:
        try:
            self.small = 256
        except Exception as error:
            return type(error).__name__
        return "stored"

    @gl.public.write
    def keys(self) -> list:
        for key in ["b", "é", "B", "", "a", "𝄞", "\uffff", "10", "9"]:
            self.items[key] = Item(u8(len(key)), bigint(0), self.owner, Inner(False, ""))
        for number in [300, 2, 65535, 10]:
            self.by_number[u16(number)] = str(number)
        return [list(self.items), [number for number in self.by_number], list(self.by_number.values())]

    @gl.public.write
    def map_methods(self) -> list:
        self.by_number[u16(1)] = "one"
        self.by_number[u16(2)] = "two"
        del self.by_number[u16(1)]
        return [
            1 in self.by_number,
            2 in self.by_number,
            self.by_number.get(1),
            self.by_number.get(1, "none"),
            self.by_number.get(2, "none"),
            len(self.by_number),
            [list(entry) for entry in self.by_number.items()],
        ]

    @gl.public.write
    def rest_of_map(self, name: str) -> object:
        self.by_number[u16(1)] = "one"
        if name == "pop":
            return [self.by_number.pop(u16(1)), len(self.by_number)]
        if name == "setdefault":
            return [self.by_number.setdefault(u16(1), "x"), self.by_number.setdefault(u16(2), "two")]
        if name == "update":
            self.by_number.update({u16(3): "three"})
        if name == "clear":
            self.by_number.clear()
        if name == "get_or_insert_default":
            self.items.get_or_insert_default("a").size = u8(4)
            return [self.items["a"].size, self.items["a"].inner.note]
        return [list(entry) for entry in self.by_number.items()]

    @gl.public.view
    def missing(self) -> str:
        return self.by_number[u16(9)]

    @gl.public.view
    def missing_name(self) -> str:
        try:
            return self.by_number[u16(9)]
        except KeyError:
            return "KeyError"

    @gl.public.write
    def delete_missing(self) -> str:
        try:
            del self.by_number[u16(9)]
        except KeyError:
            return "KeyError"
        return "deleted"

    @gl.public.write
    def by_value(self) -> list:
        one = Item(u8(1), bigint(2), self.owner, Inner(False, "a"))
        self.items["a"] = one
        one.size = u8(7)
        stored = self.items["a"]
        stored.inner.note = "b"
        self.records.append(stored)
        stored.size = u8(9)
        self.items["c"] = self.items["a"]
        self.items["c"].size = u8(11)
        return [
            self.items["a"].size,
            self.items["a"].inner.note,
            self.records[0].size,
            self.records[0].inner.note,
            self.items["c"].size,
        ]

    @gl.public.write
    def addresses(self) -> list:
        self.by_owner[gl.message.sender_address] = u8(1)
        self.by_owner[gl.message.contract_address] = u8(2)
        return [[key.as_hex, value] for key, value in self.by_owner.items()]

    @gl.public.write
    def array_methods(self) -> list:
        self.array.append("a")
        self.array.append("b")
        self.array[0] = "c"
        return [list(self.array), self.array[-1], len(self.array), "b" in self.array]

    @gl.public.write
    def rest_of_array(self, name: str) -> object:
        self.array = ["a", "b", "c"]
        if name == "pop":
            return [self.array.pop(), len(self.array)]
        if name == "slice":
            return self.array[1:]
        if name == "insert":
            self.array.insert(1, "x")
        if name == "delete":
            del self.array[0]
        if name == "extend":
            self.array.extend(["x"])
        if name == "clear":
            self.array.clear()
        if name == "index":
            return self.array.index("b")
        if name == "append_new_get":
            self.records.append_new_get().size = u8(3)
            return [len(self.records), self.records[0].size]
        return list(self.array)

    @gl.public.view
    def beyond(self) -> str:
        return self.array[9]

    @gl.public.write
    def containers_inside(self) -> list:
        self.nested.get_or_insert_default("a")["x"] = u8(1)
        self.nested.get_or_insert_default("a")["w"] = u8(2)
        self.list_of.get_or_insert_default("l").append(u8(5))
        return [[list(entry) for entry in self.nested["a"].items()], list(self.list_of["l"])]

    @gl.public.write
    def unstored(self) -> None:
        self.not_a_field = 1

    @gl.public.view
    def has_unstored(self) -> bool:
        return hasattr(self, "not_a_field")

    @gl.public.view
    def equality(self) -> list:
        one = Inner(True, "a")
        return [one == Inner(True, "a"), one == Inner(True, "b"), self.item.inner == Inner(False, "")]

    @gl.public.view
    def record_text(self) -> str:
        return repr(Inner(True, "a"))

    @gl.public.view
    def unstored_range(self) -> str:
        Item(u8(300), bigint(0), self.owner, Inner(False, ""))
        return "made"
