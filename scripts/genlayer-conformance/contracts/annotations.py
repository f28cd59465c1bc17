# v0.2.16
# { "Depends": "py-genlayer:1jb45aa8ynh2a9c9xn3b7qqh8sm5q93hwfp7jqmwsfhh8jpz09h6" }
from dataclasses import dataclass

from genlayer import *


@dataclass
class Unmarked:
    a: u8


@allow_storage
@dataclass
class Marked:
    a: u8


@allow_storage
@dataclass
class WithInt:
    a: int


class Annotations(gl.Contract):
    field: FIELD

    def __init__(self) -> None:
        pass

    @gl.public.view
    def ready(self) -> bool:
        return True
