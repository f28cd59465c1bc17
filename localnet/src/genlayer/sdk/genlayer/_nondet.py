"""Models and the web: reached over the host, inside nondeterministic blocks only."""

import base64
import dataclasses
import json
import types
import typing
from collections.abc import Callable

from . import _rules as rules
from ._rules import RuleBroken
from ._vm import blocks


class NondetException(Exception):
    """
    The host had no answer. Its one argument is what the host says, `{causes, fatal}`, where causes are stable
    tokens such as TIMEOUT, STATUS_NOT_OK or INVALID_JSON.
    """


class _Host:
    """The one way out: `call(kind, json) -> json`, set by the host that runs the contract."""

    def __init__(self) -> None:
        self.call: Callable[[str, str], str] | None = None

    def ask(self, kind: str, payload: dict) -> typing.Any:
        if self.call is None:
            raise RuleBroken(rules.UNSUPPORTED, f"this host answers no {kind}")
        reply = json.loads(self.call(kind, json.dumps(payload)))
        if "error" in reply:
            raise NondetException(reply["error"])
        return reply["ok"]


host = _Host()


def exec_prompt(
    prompt: str, *, response_format: typing.Literal["text", "json"] = "text", images: object = None
) -> str | dict:
    """
    The model's answer: its text, or with `json` the object that it wrote (a code fence around it is taken
    off).
    """
    blocks.require_block("gl.nondet.exec_prompt")
    if images:
        raise RuleBroken(rules.UNSUPPORTED, "prompts with images")
    if response_format not in ("text", "json"):
        raise ValueError("response_format is text or json")
    text = host.ask("prompt", {"prompt": prompt, "responseFormat": response_format})
    return text if response_format == "text" else _parse_object(text)


def _parse_object(text: str) -> dict:
    text = text.strip()
    if text.startswith("```") and text.endswith("```") and "\n" in text:
        text = text[text.index("\n") + 1 : -3]
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, dict):
        raise NondetException({"causes": ["INVALID_JSON"], "fatal": False})
    return value


@dataclasses.dataclass
class Response:
    """An HTTP answer."""

    status: int
    headers: dict[str, bytes]
    body: bytes | None


def _get(url: str, *, headers: dict[str, str | bytes] | None = None) -> Response:
    blocks.require_block("gl.nondet.web.get")
    sent = {
        name: value.decode() if isinstance(value, bytes) else value for name, value in (headers or {}).items()
    }
    reply = host.ask("web", {"url": url, "headers": sent})
    return Response(
        reply["status"],
        {name: value.encode() for name, value in reply["headers"].items()},
        base64.b64decode(reply["body"]),
    )


def _unsupported(name: str) -> Callable:
    def refuse(*arguments: object, **options: object) -> typing.NoReturn:
        raise RuleBroken(rules.UNSUPPORTED, name)

    return refuse


web = types.SimpleNamespace(
    Response=Response,
    get=_get,
    **{
        name: _unsupported(f"gl.nondet.web.{name}")
        for name in ("post", "delete", "head", "patch", "request", "render")
    },
)
