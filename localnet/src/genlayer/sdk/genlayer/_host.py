"""Runs one contract once: the entry point for the node that hosts this interpreter."""

import builtins
import io
import json
import marshal
import sys
import traceback
import types
from collections.abc import Callable

from . import _calldata, _gl, _nondet
from . import _rules as rules
from ._contract import Contract, contract_class, public_methods, schema_of
from ._rules import RuleBroken
from ._storage import dump, guard, load
from ._types import Address
from ._vm import UserError, VmFailure, blocks

_MODULE = "contract"
_OUTPUT_CHARACTERS = 64 * 1024

# Pure modules with no clock, no randomness and no way out. Everything else is refused, as the linter does.
# fmt: off
_IMPORTS = frozenset([
    "__future__", "abc", "base64", "binascii", "bisect", "collections", "copy", "dataclasses", "decimal",
    "enum", "fractions", "functools", "genlayer", "hashlib", "heapq", "itertools", "json", "keyword",
    "math", "operator", "re", "string", "struct", "textwrap", "types", "typing", "unicodedata", "urllib",
])
# fmt: on
_BUILTINS_LEFT_OUT = frozenset(
    ["open", "input", "breakpoint", "help", "exit", "quit", "copyright", "credits", "license"]
)


def _import(name: str, globals=None, locals=None, fromlist=(), level=0):
    """`import` for contract code; what a standard module imports in turn is its own business."""
    top = name.partition(".")[0]
    if level or top not in _IMPORTS or (top == "urllib" and name != "urllib.parse"):
        raise RuleBroken(rules.IMPORT, f"`{name}` is not available to a contract")
    if top == "genlayer" and name != "genlayer":
        raise RuleBroken(rules.IMPORT, f"`{name}` is internal; use `from genlayer import *`")
    return builtins.__import__(name, globals, locals, fromlist, level)


class _Output(io.StringIO):
    """Keeps the first characters and drops the rest."""

    def write(self, text: str) -> int:
        room = _OUTPUT_CHARACTERS - self.tell()
        super().write(text[: max(room, 0)])
        return len(text)


def answer_calls_with(call: Callable[[str, str], str]) -> None:
    """Sets what answers the calls of nondeterministic blocks: `call(kind, json) -> json`."""
    _nondet.host.call = call


def compile_contract(code_hex: str) -> str:
    """
    The source's byte code as hex, to be kept by the caller. Source that does not compile fails when it is
    loaded.
    """
    try:
        compiled = compile(bytes.fromhex(code_hex).decode("utf-8"), "contract.py", "exec", dont_inherit=True)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        compiled = compile(f"raise SyntaxError({str(error)!r})", "contract.py", "exec")
    return marshal.dumps(compiled).hex()


def _load(byte_code: bytes) -> type[Contract]:
    module = types.ModuleType(_MODULE)
    namespace = vars(module)
    kept = {name: value for name, value in vars(builtins).items() if name not in _BUILTINS_LEFT_OUT}
    namespace["__builtins__"] = {**kept, "__import__": _import}
    namespace["__gl_contract_module__"] = True
    # Dataclasses and type hints look their module up by name.
    sys.modules[_MODULE] = module
    exec(marshal.loads(byte_code), namespace)
    return contract_class(namespace)


def schema(byte_code_hex: str) -> str:
    """The contract's schema as JSON, or `{"error": reason}`."""
    try:
        return json.dumps({"schema": schema_of(_load(bytes.fromhex(byte_code_hex)))})
    except (Exception, RuleBroken) as error:
        return json.dumps({"error": f"{type(error).__name__}: {error}"})


def _call(
    contract: type[Contract], request: dict, calldata: bytes, state: bytes
) -> tuple[object, bytes | None]:
    """The method's value, and the new storage of a deployment or a write."""
    call = _calldata.decode(calldata)
    if not isinstance(call, dict) or not set(call) <= {"method", "args", "kwargs"}:
        raise RuleBroken(rules.CALLDATA, "a call is a map of method, args and kwargs")
    args, kwargs = call.get("args", []), call.get("kwargs", {})
    if not isinstance(args, list) or not isinstance(kwargs, dict):
        raise RuleBroken(rules.CALLDATA, "args is an array and kwargs a map")
    fields = contract.__gl_fields__
    instance = object.__new__(contract)
    vars(instance)["__storage__"] = load(fields, state)
    kind, value = request["kind"], int(request["message"]["value"])
    if kind == "deploy":
        if "method" in call:
            raise RuleBroken(rules.METHOD, "a deployment names no method")
        if value:
            raise RuleBroken(rules.VALUE, "the constructor takes no value")
        guard.writable = True
        instance.__init__(*args, **kwargs)
        return None, dump(fields, vars(instance)["__storage__"])
    method = public_methods(contract).get(call.get("method"))
    if method is None:
        raise RuleBroken(rules.METHOD, f"`{call.get('method')}` is no public method of {contract.__name__}")
    access = method.__gl_public__
    if value and access != "payable":
        raise RuleBroken(rules.VALUE, f"`{call['method']}` takes no value")
    if kind == "write" and access == "view":
        raise RuleBroken(rules.METHOD, f"`{call['method']}` is a view; read it")
    # A read may call any method, and writes nothing whichever it calls.
    guard.writable = kind == "write"
    result = method(instance, *args, **kwargs)
    guard.writable = True
    return result, dump(fields, vars(instance)["__storage__"]) if kind == "write" else None


def _outcome(run: Callable[[], tuple[object, bytes | None]]) -> tuple[str, bytes, bytes | None]:
    try:
        value, state = run()
        return "return", _calldata.encode(value), state
    except UserError as error:
        return "user-error", error.message.encode("utf-8", "replace"), None
    except (RuleBroken, VmFailure) as failure:
        print(failure, file=sys.stderr)
        return "vm-error", str(failure).encode("utf-8", "replace"), None
    except _calldata.CalldataError as error:
        print(f"{rules.CALLDATA}: {error}", file=sys.stderr)
        return "vm-error", f"{rules.CALLDATA}: {error}".encode(), None
    except (Exception, SystemExit, GeneratorExit):
        traceback.print_exc(file=sys.stderr)
        return "vm-error", b"exit_code 1", None


def execute(request_json: str, byte_code_hex: str, state_hex: str, calldata_hex: str) -> str:
    """
    One run. The request: `{kind, message, leaderOutputs: [hex] | null}`; the answer: `{kind, data, state,
    outputs, votes, stdout, stderr}` with bytes as hex.
    """
    byte_code, state, calldata = (bytes.fromhex(value) for value in (byte_code_hex, state_hex, calldata_hex))
    request = json.loads(request_json)
    sent = request["message"]
    addresses = {
        name: Address(bytes.fromhex(sent[key][2:]))
        for name, key in (
            ("contract_address", "contractAddress"),
            ("sender_address", "senderAddress"),
            ("origin_address", "originAddress"),
        )
    }
    _gl.message = _gl.Message(**addresses, value=int(sent["value"]), chain_id=int(sent["chainId"]))
    _gl.message_raw = {
        **addresses,
        "value": int(sent["value"]),
        "chain_id": int(sent["chainId"]),
        "datetime": sent["datetime"],
        "is_init": request["kind"] == "deploy",
    }
    leader_outputs = request["leaderOutputs"]
    blocks.start(None if leader_outputs is None else [bytes.fromhex(output) for output in leader_outputs])
    output, errors = _Output(), _Output()
    real = sys.stdout, sys.stderr
    sys.stdout, sys.stderr = output, errors
    try:
        kind, data, new_state = _outcome(lambda: _call(_load(byte_code), request, calldata, state))
        if kind == "return" and leader_outputs is not None and len(blocks.votes) < len(leader_outputs):
            kind, data, new_state = "vm-error", b"the leader ran more nondeterministic blocks", None
    finally:
        sys.stdout, sys.stderr = real
    return json.dumps(
        {
            "kind": kind,
            "data": data.hex(),
            "state": None if new_state is None else new_state.hex(),
            "outputs": [item.hex() for item in blocks.outputs],
            "votes": blocks.votes,
            "stdout": output.getvalue(),
            "stderr": errors.getvalue(),
        }
    )
