# v0.2.16
# { "Depends": "py-genlayer:1jb45aa8ynh2a9c9xn3b7qqh8sm5q93hwfp7jqmwsfhh8jpz09h6" }
from typing import Any

from genlayer import *


class Schema(gl.Contract):
    def __init__(self, owner: Address, *, limit: int = 1) -> None:
        pass

    @gl.public.view
    def read(self, a: str, b: list[int], c: dict, d: bytes | None, *, e: bool) -> dict[str, int]:
        return {}

    @gl.public.view
    def plain(self, a, b: Any, c: list):
        return None

    @gl.public.write
    def write(self, a: str) -> None:
        pass

    @gl.public.write.payable
    def pay(self) -> None:
        pass

    def hidden(self) -> None:
        pass
