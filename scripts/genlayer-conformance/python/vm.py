"""
One machine: runs the SDK's own entry point on one message, with a host of ours behind `_genlayer_wasi`.

Called as `python vm.py SPEC ANSWER` with the message's calldata on standard input. The rules of the host,
such as what a machine may do and what ends it, follow GenVM's executor. A machine inside a machine is another
process.
"""

import json
import os
import subprocess
import sys
import tempfile
import types

from answers import page_reply, prompt_reply

RETURN, USER_ERROR, VM_ERROR = 0, 1, 2
SANDBOX, CONSENSUS_STAGE = 1, 2
INVALID, FORBIDDEN = "2: inval", "6: forbidden"


class Machine:
    """The host's side of one run."""

    def __init__(self, spec: dict, answer_path: str, message: bytes) -> None:
        self.spec, self.answer_path = spec, answer_path
        self.storage = {key: bytearray.fromhex(value) for key, value in spec["storage"].items()}
        self.model = list(spec["model"])
        self.outputs: list[str] = []
        self.calls = 0
        self.message = message

    def finish(self, code: int, payload: bytes) -> None:
        """Ends the machine at once, as a trap does: nothing of the contract runs any more."""
        answer = {
            "result": (bytes([code]) + payload).hex(),
            "storage": {key: value.hex() for key, value in self.storage.items()},
            "outputs": self.outputs,
            "model": self.model,
        }
        with open(self.answer_path, "w") as file:
            json.dump(answer, file)
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(0)

    def storage_read(self, slot: bytes, offset: int, buffer: bytearray, /) -> None:
        if not self.spec["deterministic"] or not self.spec["canRead"]:
            raise SystemError(FORBIDDEN)
        cell = self.storage.get(bytes(slot).hex(), bytearray())
        found = bytes(cell[offset : offset + len(buffer)])
        buffer[:] = found + bytes(len(buffer) - len(found))

    def storage_write(self, slot: bytes, offset: int, data: bytes, /) -> None:
        if not self.spec["deterministic"] or not self.spec["canWrite"]:
            raise SystemError(FORBIDDEN)
        cell = self.storage.setdefault(bytes(slot).hex(), bytearray())
        end = offset + len(data)
        if len(cell) < end:
            cell.extend(bytes(end - len(cell)))
        cell[offset:end] = bytes(data)

    def gl_call(self, request: bytes, /) -> int:
        from genlayer.py import calldata

        call = calldata.decode(request)
        (name, content), *more = call.items()
        if more:
            raise SystemError(INVALID)
        if name == "Return":
            self.finish(RETURN, calldata.encode(content))
        if name == "Rollback":
            if not isinstance(content, str):
                raise SystemError(INVALID)
            self.finish(USER_ERROR, content.encode())
        if name in ("ExecPrompt", "WebRequest"):
            if self.spec["deterministic"]:
                raise SystemError(FORBIDDEN)
            return _file(calldata.encode(self.reply(name, content)))
        if name == "RunNondet":
            return self.run_nondet(content)
        if name == "Sandbox":
            answer = self.spawn(SANDBOX, content["data"], None, deterministic=self.spec["deterministic"])
            return _file(bytes.fromhex(answer["result"]))
        raise SystemError(INVALID)

    def reply(self, name: str, content: dict) -> dict:
        if name == "ExecPrompt":
            return prompt_reply(self.model, content["response_format"])
        if content["method"] != "GET":
            raise SystemError(INVALID)
        return page_reply(self.spec["web"], content["url"])

    def run_nondet(self, content: dict) -> int:
        if not self.spec["canSpawn"]:
            raise SystemError(FORBIDDEN)
        number, leaders = self.calls, self.spec["leaderOutputs"]
        self.calls += 1
        if leaders is None:
            answer = self.spawn(CONSENSUS_STAGE, content["data_leader"], None, deterministic=False)
            result = bytes.fromhex(answer["result"])
            self.outputs.append(answer["result"])
        else:
            if number >= len(leaders):
                self.finish(VM_ERROR, b"absent leader result")
            result = bytes.fromhex(leaders[number])
            stage = {"leaders_result": result}
            ruling = self.spawn(CONSENSUS_STAGE, content["data_validator"], stage, deterministic=False)
            if ruling["result"] != "0010":
                self.finish(VM_ERROR, f"validator_disagrees call {number}".encode())
        if result[0] == VM_ERROR:
            self.finish(VM_ERROR, result[1:])
        return _file(result)

    def spawn(self, kind: int, data: bytes, stage: object, *, deterministic: bool) -> dict:
        """Runs pickled code in a machine of its own that may touch no storage and start no block."""
        from genlayer.py import calldata

        message = calldata.decode(self.message)
        message.update(is_init=False, entry_kind=kind, entry_data=bytes(data), entry_stage_data=stage)
        inner = {
            **self.spec,
            "storage": {},
            "model": self.model,
            "deterministic": deterministic,
            "canRead": False,
            "canWrite": False,
            "canSpawn": False,
        }
        answer = run(inner, calldata.encode(message))
        self.model = answer["model"]
        return answer


def run(spec: dict, message: bytes) -> dict:
    """Runs a machine. An exception that nothing catches is exit code 1, which is all that GenVM tells."""
    with tempfile.TemporaryDirectory() as scratch:
        spec_path, answer_path = (os.path.join(scratch, name) for name in ("spec", "answer"))
        with open(spec_path, "w") as file:
            json.dump(spec, file)
        with tempfile.TemporaryFile() as stdin:
            stdin.write(message)
            stdin.seek(0)
            done = subprocess.run(
                [sys.executable, "-B", __file__, spec_path, answer_path],
                stdin=stdin,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                check=False,
                timeout=120,
            )
        if os.path.exists(answer_path):
            with open(answer_path) as file:
                return {**json.load(file), "log": done.stdout.decode("utf-8", "replace")}
    log = done.stdout.decode("utf-8", "replace")
    failed = bytes([VM_ERROR]) + f"exit_code {done.returncode}".encode()
    return {"result": failed.hex(), "storage": {}, "outputs": [], "model": spec["model"], "log": log}


def _file(data: bytes) -> int:
    with tempfile.TemporaryFile() as file:
        file.write(data)
        file.seek(0)
        return os.dup(file.fileno())


def main() -> None:
    with open(sys.argv[1]) as file:
        spec = json.load(file)
    message = os.read(0, os.fstat(0).st_size)
    os.lseek(0, 0, os.SEEK_SET)
    machine = Machine(spec, sys.argv[2], message)
    wasi = types.ModuleType("_genlayer_wasi")
    wasi.storage_read = machine.storage_read
    wasi.storage_write = machine.storage_write
    wasi.get_balance = lambda address, /: 0
    wasi.get_self_balance = lambda: 0
    wasi.gl_call = machine.gl_call
    sys.modules["_genlayer_wasi"] = wasi
    sys.path[:0] = [*spec["paths"], spec["contractDirectory"]]
    __import__("contract")
    __import__("genlayer.gl._internal.runner")


if __name__ == "__main__":
    main()
