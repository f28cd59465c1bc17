# v0.2.16
# { "Depends": "py-genlayer:1jb45aa8ynh2a9c9xn3b7qqh8sm5q93hwfp7jqmwsfhh8jpz09h6" }
from dataclasses import dataclass

from genlayer import *


@dataclass
class Pair:
    left: int
    right: str


def made(name: str) -> object:
    return {
        "float": 0.5,
        "float in a list": [1, 0.5],
        "set": {1},
        "number keys": {1: 2},
        "lone surrogate": "\ud800",
        "tuple": (1, ("a",)),
        "dataclass": Pair(1, "a"),
        "bytearray": bytearray(b"\x00\xff"),
        "true": True,
        "sized": u256(2**256 - 1),
        "unsorted": {"z": 1, "é": 2, "a": {"c": 1, "b": 2}},
        "object": object(),
    }[name]


class Values(gl.Contract):
    tree: TreeMap[str, u8]
    array: DynArray[u8]

    def __init__(self) -> None:
        self.tree["b"] = u8(1)
        self.tree["a"] = u8(2)
        self.array.append(u8(3))

    @gl.public.view
    def echo(self, value):
        return value

    @gl.public.view
    def kind_of(self, value) -> str:
        return type(value).__name__

    @gl.public.view
    def named(self, first, *, second=2):
        return [first, second]

    @gl.public.view
    def give(self, name: str):
        return made(name)

    @gl.public.view
    def give_tree(self):
        return self.tree

    @gl.public.view
    def give_array(self):
        return self.array
