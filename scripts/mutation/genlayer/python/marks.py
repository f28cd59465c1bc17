"""A contract that says which of its statements ran."""

import ast
import json

from source import Source, parsed

MARKING = """
_marked = set()


def _mark(number):
    _marked.add(number)
    print(f"@{number}")

"""


def marked(text: str) -> str:
    """The source with a print before every statement of its functions, once for each in a run."""
    source = parsed(text)
    out, at = [], 0
    for node, number in sorted(source.marks.items(), key=lambda item: source.start(item[0])):
        parent = source.parents[node]
        if isinstance(parent, ast.If) and node in parent.orelse and source.segment(node).startswith("elif"):
            # Reached when the `if` before it is.
            continue
        start = source.start(first_line_of(node))
        out.append(source.data[at:start].decode())
        out.append(
            f"{number} in _marked or _mark({number}); "
            if is_simple(node)
            else compound(source, start, number)
        )
        at = start
    out.append(source.data[at:].decode())
    return "".join(out).replace("from genlayer import *\n", "from genlayer import *\n" + MARKING, 1)


def first_line_of(node: ast.AST) -> ast.AST:
    decorators = getattr(node, "decorator_list", [])
    return decorators[0] if decorators else node


def is_simple(node: ast.AST) -> bool:
    return not hasattr(node, "body")


def compound(source: Source, start: int, number: int) -> str:
    """A mark on a line of its own: nothing may stand before a compound statement."""
    indentation = start - source.data.rfind(b"\n", 0, start) - 1
    return f"{number} in _marked or _mark({number})\n" + " " * indentation


def implied(text: str) -> dict:
    """Marks that are not printed, and the mark that stands for each."""
    source = parsed(text)
    found = {}
    for node, number in source.marks.items():
        parent = source.parents[node]
        if isinstance(parent, ast.If) and node in parent.orelse and source.segment(node).startswith("elif"):
            found[number] = source.marks[parent]
    return found


def implied_json(text: str) -> str:
    return json.dumps(implied(text))
