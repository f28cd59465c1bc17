# v0.2.16
# { "Depends": "py-genlayer:1jb45aa8ynh2a9c9xn3b7qqh8sm5q93hwfp7jqmwsfhh8jpz09h6" }
from dataclasses import dataclass

from genlayer import *

SHARED = [1]


class Kept:
    holder = None


@allow_storage
@dataclass
class Item:
    size: u8


@dataclass
class Pair:
    left: int


def ask() -> int:
    return int(gl.nondet.exec_prompt("number"))


class Blocks(gl.Contract):
    total: u32
    items: TreeMap[str, u32]
    record: Item

    def __init__(self) -> None:
        self.total = u32(3)

    @gl.public.write
    def within_one(self) -> int:
        def leader() -> int:
            return ask()

        def validator(result) -> bool:
            if not isinstance(result, gl.vm.Return):
                return False
            if result.calldata == 99:
                raise ValueError("no")
            return abs(result.calldata - leader()) <= 1

        self.total = u32(gl.vm.run_nondet_unsafe(leader, validator))
        return self.total

    @gl.public.write
    def two_blocks(self) -> list:
        first = gl.vm.run_nondet_unsafe(ask, lambda result: result.calldata == ask())
        second = gl.vm.run_nondet_unsafe(ask, lambda result: result.calldata == ask())
        return [first, second]

    @gl.public.write
    def ruling(self, name: str) -> int:
        rulings = {"true": True, "false": False, "one": 1, "none": None, "text": "true", "list": [True]}
        answer = rulings[name]
        return gl.vm.run_nondet_unsafe(lambda: 1, lambda result: answer)

    @gl.public.write
    def result_of(self, name: str) -> object:
        def leader():
            values = {
                "float": 0.5,
                "tuple": (1, "a"),
                "none": None,
                "bytes": b"\x00",
                "record": Pair(1),
                "address": Address(bytes(20)),
                "set": {1},
            }
            return values[name]

        return gl.vm.run_nondet_unsafe(leader, lambda result: True)

    @gl.public.write
    def leader_fails(self, name: str) -> str:
        def leader() -> str:
            if name == "user error":
                raise gl.vm.UserError("[EXTERNAL] gone")
            if name == "exception":
                raise ValueError("lost")
            return "fine"

        def validator(result) -> bool:
            if isinstance(result, gl.vm.UserError):
                return result.message == gl.nondet.exec_prompt("text")
            if isinstance(result, gl.vm.VMError):
                return result.message.startswith("exit_code") and gl.nondet.exec_prompt("text") == "agree"
            return True

        self.total = u32(50)
        return gl.vm.run_nondet_unsafe(leader, validator)

    @gl.public.write
    def catches_leader_error(self) -> str:
        def leader() -> str:
            raise gl.vm.UserError("[EXTERNAL] gone")

        try:
            return gl.vm.run_nondet_unsafe(leader, lambda result: True)
        except gl.vm.UserError as error:
            return "caught " + error.message

    @gl.public.write
    def catches_leader_crash(self) -> str:
        def leader() -> str:
            raise ValueError("lost")

        try:
            return gl.vm.run_nondet_unsafe(leader, lambda result: True)
        except Exception:
            return "caught"

    @gl.public.write
    def reads_self(self) -> int:
        return gl.vm.run_nondet_unsafe(lambda: self.total, lambda result: True)

    @gl.public.write
    def captures_self_unused(self) -> int:
        return gl.vm.run_nondet_unsafe(lambda: 1 if self is not None else 2, lambda result: True)

    @gl.public.write
    def reads_view(self) -> int:
        items = self.items
        return gl.vm.run_nondet_unsafe(lambda: len(items), lambda result: True)

    @gl.public.write
    def reads_record(self) -> int:
        record = self.record
        return gl.vm.run_nondet_unsafe(lambda: record.size, lambda result: True)

    @gl.public.write
    def captures_generator(self) -> list:
        numbers = (number for number in [1])
        return gl.vm.run_nondet_unsafe(lambda: list(numbers), lambda result: True)

    @gl.public.write
    def captures_memory_record(self) -> int:
        record = Item(u8(4))
        return gl.vm.run_nondet_unsafe(lambda: record.size, lambda result: True)

    @gl.public.write
    def keeps_in_global(self) -> int:
        Kept.holder = self
        return gl.vm.run_nondet_unsafe(lambda: Kept.holder.total, lambda result: True)

    @gl.public.write
    def nests(self) -> int:
        def outer() -> int:
            return gl.vm.run_nondet_unsafe(lambda: 1, lambda result: True)

        return gl.vm.run_nondet_unsafe(outer, lambda result: True)

    @gl.public.write
    def nests_and_catches(self) -> str:
        def outer() -> str:
            try:
                return str(gl.vm.run_nondet_unsafe(lambda: 1, lambda result: True))
            except Exception as error:
                return type(error).__name__

        return gl.vm.run_nondet_unsafe(outer, lambda result: True)

    @gl.public.write
    def outside(self, name: str) -> object:
        if name == "prompt":
            return gl.nondet.exec_prompt("text")
        return gl.nondet.web.get("https://a.example/").status

    @gl.public.write
    def copies(self) -> list:
        seen = [1]

        def leader() -> list:
            seen.append(2)
            SHARED.append(2)
            return seen + SHARED

        value = gl.vm.run_nondet_unsafe(leader, lambda result: True)
        return [value, seen, SHARED]

    @gl.public.write
    def changed_global(self) -> list:
        SHARED.append(9)
        return gl.vm.run_nondet_unsafe(lambda: list(SHARED), lambda result: True)

    @gl.public.write
    def prompt(self, form: str) -> object:
        def leader():
            if form == "default":
                return gl.nondet.exec_prompt("p")
            return gl.nondet.exec_prompt("p", response_format=form)

        return gl.vm.run_nondet_unsafe(leader, lambda result: result.calldata == leader())

    @gl.public.write
    def prompt_error(self) -> str:
        def leader() -> str:
            try:
                return gl.nondet.exec_prompt("p")
            except Exception as error:
                return type(error).__name__ + (" " + "TRANSIENT" if "TRANSIENT" in str(error) else "")

        return gl.vm.run_nondet_unsafe(leader, lambda result: True)

    @gl.public.write
    def prompt_error_causes(self) -> list:
        def leader() -> list:
            try:
                gl.nondet.exec_prompt("p")
            except gl.nondet.NondetException as error:
                return [hasattr(error, "causes"), isinstance(error.args[0], dict), error.args[0]["causes"][0]]
            return []

        return gl.vm.run_nondet_unsafe(leader, lambda result: True)

    @gl.public.write
    def page(self) -> list:
        def leader() -> list:
            response = gl.nondet.web.get("https://a.example/")
            return [
                response.status,
                response.body,
                response.headers.get("content-type"),
                type(response).__name__,
            ]

        return gl.vm.run_nondet_unsafe(leader, lambda result: result.calldata == leader())

    @gl.public.write
    def page_error(self) -> str:
        def leader() -> str:
            try:
                return str(gl.nondet.web.get("https://none.example/").status)
            except Exception as error:
                return type(error).__name__

        return gl.vm.run_nondet_unsafe(leader, lambda result: True)

    @gl.public.write
    def strict(self) -> str:
        def word() -> str:
            answer = gl.nondet.exec_prompt("word")
            if answer == "none":
                raise gl.vm.UserError("[EXTERNAL] none")
            if answer == "crash":
                raise ValueError("lost")
            return answer

        return gl.eq_principle.strict_eq(word)

    @gl.public.view
    def state(self) -> int:
        return self.total

    @gl.public.view
    def in_view(self) -> int:
        return gl.vm.run_nondet_unsafe(ask, lambda result: True)
