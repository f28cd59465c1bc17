"""The mutants of a contract."""

import ast
import json

from operators import changes_of
from source import Source, called, is_docstring, parsed

# What errors and places are called in words for people: a changed word changes no decision.
WORDED = ("expected", "transient", "model_error", "PatternFault", "NotStrict")
PLACES = ("where", "place")


def is_worded(source: Source, node: ast.AST) -> bool:
    """Whether a node is part of an error's words or of the name of a place in them."""
    child = node
    for parent in source.above(node):
        if isinstance(parent, ast.Call) and child in parent.args:
            position = parent.args.index(child)
            name = called(parent)
            if name in WORDED or (name.startswith("require") and position > 0):
                return True
            if name.startswith("take_") and (position == 1 or (name == "take_match" and position == 3)):
                return True
            if name == "parse_canonical" and position == 2:
                return True
        if isinstance(parent, ast.Assign) and any(
            isinstance(target, ast.Name) and target.id in PLACES for target in parent.targets
        ):
            return True
        child = parent
    return False


def is_typing(source: Source, node: ast.AST) -> bool:
    """Whether a node is part of an annotation."""
    child = node
    for parent in source.above(node):
        if child is getattr(parent, "annotation", None) or child is getattr(parent, "returns", None):
            return True
        child = parent
    return False


def mutants_of(file: str, text: str) -> list:
    """Every mutant as {file, line, operator, before, after, scope, reachedBy}, in the order of the text."""
    source = parsed(text)
    found = []
    for node in ast.walk(source.tree):
        if is_docstring(node) or is_docstring(source.parents.get(node)):
            continue
        if is_worded(source, node) or is_typing(source, node):
            continue
        for operator, start, end, replacement in changes_of(source, node):
            found.append(mutant_at(source, file, node, operator, start, end, replacement))
    found.sort(key=lambda item: (item["line"], item["operator"], item["after"]))
    unique = {(item["line"], item["before"], item["after"]): item for item in reversed(found)}
    return list(reversed(unique.values()))


def mutant_at(
    source: Source, file: str, node: ast.AST, operator: str, start: int, end: int, replacement: str
) -> dict:
    first = source.data.rfind(b"\n", 0, start) + 1
    last = source.data.find(b"\n", end)
    before = source.data[first:last].decode()
    after = (source.data[first:start] + replacement.encode() + source.data[end:last]).decode()
    return {
        "file": file,
        "line": source.data.count(b"\n", 0, first) + 1,
        "operator": operator,
        "before": before,
        "after": after,
        "scope": source.scope_of(node),
        "reachedBy": source.reached_by(node),
    }


def mutants_json(file: str, text: str) -> str:
    return json.dumps(mutants_of(file, text))
