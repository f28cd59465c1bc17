# v0.2.16
# { "Depends": "py-genlayer:1jb45aa8ynh2a9c9xn3b7qqh8sm5q93hwfp7jqmwsfhh8jpz09h6" }
from genlayer import *


class Failure(Exception):
    pass


class Errors(gl.Contract):
    count: u32
    names: TreeMap[str, u8]

    def __init__(self, fail: bool = False) -> None:
        self.count = u32(1)
        if fail:
            raise gl.vm.UserError("[EXPECTED] no deployment")

    @gl.public.write
    def change_and_raise(self, name: str) -> None:
        self.count = u32(99)
        self.names["a"] = u8(1)
        if name == "user error":
            raise gl.vm.UserError("[EXPECTED] no: é𝄞")
        if name == "empty user error":
            raise gl.vm.UserError("")
        if name == "own exception":
            raise Failure("lost")
        if name == "division":
            1 // 0  # noqa: B018
        if name == "assertion":
            assert self.count == 0, "lost"
        if name == "system exit":
            raise SystemExit(0)
        if name == "system exit 3":
            raise SystemExit(3)
        if name == "number as message":
            raise gl.vm.UserError(5)

    @gl.public.write
    def change_and_return_a_float(self) -> float:
        self.count = u32(99)
        return 0.5

    @gl.public.write
    def catch_own(self) -> str:
        try:
            raise gl.vm.UserError("inside")
        except gl.vm.UserError as error:
            return error.message

    @gl.public.view
    def as_text(self) -> list:
        error = gl.vm.UserError("why")
        same = error == gl.vm.UserError("why")
        return [str(error), repr(error), error.args[0], same, isinstance(error, Exception)]

    @gl.public.view
    def state(self) -> list:
        return [self.count, len(self.names)]
