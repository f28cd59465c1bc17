"""
What can be changed in a contract. Works on the text at the places that the syntax tree names, so that
everything but the change stays as it is.
"""

import ast
import re

from source import Source, called

COMPARISONS = {
    ast.Lt: ("<", "<="),
    ast.LtE: ("<=", "<"),
    ast.Gt: (">", ">="),
    ast.GtE: (">=", ">"),
    ast.Eq: ("==", "!="),
    ast.NotEq: ("!=", "=="),
    ast.In: ("in", "not in"),
    ast.NotIn: ("not in", "in"),
    ast.Is: ("is", "is not"),
    ast.IsNot: ("is not", "is"),
}
ARITHMETIC = {
    ast.Add: ("+", "-"),
    ast.Sub: ("-", "+"),
    ast.Mult: ("*", "//"),
    ast.FloorDiv: ("//", "*"),
    ast.Mod: ("%", "*"),
    ast.Pow: ("**", "*"),
    ast.LShift: ("<<", ">>"),
    ast.RShift: (">>", "<<"),
    ast.BitAnd: ("&", "|"),
    ast.BitOr: ("|", "&"),
    ast.BitXor: ("^", "&"),
}
EXCHANGED_CALLS = {"min": "max", "max": "min", "all": "any", "any": "all"}
DROPPED_METHODS = ("lower", "strip", "rstrip")


def changes_of(source: Source, node: ast.AST) -> list:
    """The changes of one node as (operator, start, end, replacement)."""
    kinds = (
        (ast.Compare, comparisons),
        (ast.BoolOp, connectives),
        (ast.UnaryOp, negations),
        (ast.BinOp, arithmetic),
        (ast.Constant, constants),
        (ast.If | ast.While | ast.IfExp, conditions),
        (ast.comprehension, filters),
        (ast.IfExp, branches),
        (ast.Return, returns),
        (ast.Slice, slices),
        (ast.Call, calls),
        (ast.Name | ast.Attribute, sides),
        (ast.stmt, statements),
    )
    return [change for kind, make in kinds if isinstance(node, kind) for change in make(source, node)]


def comparisons(source: Source, node: ast.Compare) -> list:
    found, left = [], node.left
    for operation, right in zip(node.ops, node.comparators, strict=True):
        token, other = COMPARISONS[type(operation)]
        found.append((f"{token} to {other}", *source.between(left, right, token), other))
        left = right
    return found


def connectives(source: Source, node: ast.BoolOp) -> list:
    token, other = ("and", "or") if isinstance(node.op, ast.And) else ("or", "and")
    pairs = zip(node.values, node.values[1:], strict=False)
    return [(f"{token} to {other}", *source.between(left, right, token), other) for left, right in pairs]


def negations(source: Source, node: ast.UnaryOp) -> list:
    whole, operand = (source.start(node), source.end(node)), source.segment(node.operand)
    if isinstance(node.op, ast.Not):
        return [("negation dropped", *whole, operand)]
    if isinstance(node.op, ast.USub) and not isinstance(node.operand, ast.Constant):
        return [("minus dropped", *whole, operand)]
    return [("complement dropped", *whole, operand)] if isinstance(node.op, ast.Invert) else []


def holds_text(node: ast.AST) -> bool:
    return any(
        isinstance(item, ast.JoinedStr)
        or (isinstance(item, ast.Constant) and isinstance(item.value, str | bytes))
        for item in ast.walk(node)
    )


def arithmetic(source: Source, node: ast.BinOp) -> list:
    if holds_text(node.left) or holds_text(node.right):
        return []
    token, other = ARITHMETIC[type(node.op)]
    return [(f"{token} to {other}", *source.between(node.left, node.right, token), other)]


def constants(source: Source, node: ast.Constant) -> list:
    place = (source.start(node), source.end(node))
    if isinstance(node.value, bool):
        return [("truth swapped", *place, str(not node.value))]
    if isinstance(node.value, int):
        below = str(node.value - 1) if node.value else "-1"
        return [("number + 1", *place, str(node.value + 1)), ("number - 1", *place, below)]
    if isinstance(node.value, str | bytes):
        return texts(source, node)
    return []


def texts(source: Source, node: ast.Constant) -> list:
    place, segment = (source.start(node), source.end(node)), source.segment(node)
    if is_pattern(source, node):
        return bounds(place[0], segment)
    if isinstance(source.parents[node], ast.JoinedStr):
        plain = segment != "" and segment[0] not in "\\{}"
        return [("text shortened", *place, segment[1:])] if plain else []
    if not node.value:
        return [("text added", *place, repr("~" if isinstance(node.value, str) else b"~"))]
    return [("text shortened", *place, repr(node.value[1:]))]


def is_pattern(source: Source, node: ast.Constant) -> bool:
    """Whether a text is a regular expression: a raw one, or part of a call into `re`."""
    return source.segment(node).lower().startswith("r") or any(
        isinstance(item, ast.Call) and ast.unparse(item.func).startswith("re.") for item in source.above(node)
    )


def bounds(start: int, segment: str) -> list:
    """The repetition bounds in a regular expression, one more and one less each."""
    found = []
    for counted in re.finditer(r"(?<!\\)\{(\d+)(?:,(\d*))?\}", segment):
        for group in (1, 2):
            if counted.group(group):
                low, high = (start + len(segment[:at].encode()) for at in counted.span(group))
                for name, step in (("+ 1", 1), ("- 1", -1)):
                    found.append((f"repetition {name}", low, high, str(int(counted.group(group)) + step)))
    return found


def conditions(source: Source, node: ast.AST) -> list:
    test = node.test
    if (isinstance(test, ast.Compare) and len(test.ops) == 1) or isinstance(test, ast.UnaryOp | ast.Constant):
        return []
    return [("condition negated", source.start(test), source.end(test), f"not ({source.segment(test)})")]


def filters(source: Source, node: ast.comprehension) -> list:
    return [("filter dropped", source.start(test), source.end(test), "True") for test in node.ifs]


def branches(source: Source, node: ast.IfExp) -> list:
    body, test, orelse = (source.segment(item) for item in (node.body, node.test, node.orelse))
    return [("branches swapped", source.start(node), source.end(node), f"{orelse} if {test} else {body}")]


def returns(source: Source, node: ast.Return) -> list:
    value = node.value
    if value is None:
        return []
    place = (source.start(value), source.end(value))
    annotation = source.function_of(node).returns
    if isinstance(value, ast.Constant):
        return [("return emptied", *place, '""')] if isinstance(value.value, str) and value.value else []
    if isinstance(annotation, ast.Name) and annotation.id == "bool":
        simple = isinstance(value, ast.UnaryOp) or (isinstance(value, ast.Compare) and len(value.ops) == 1)
        return [] if simple else [("return negated", *place, f"not ({source.segment(value)})")]
    if isinstance(value, ast.Tuple) and len(value.elts) == 2:
        one, other = (source.segment(item) for item in value.elts)
        return [("return swapped", *place, f"{other}, {one}")]
    return [("return emptied", *place, "None")]


def slices(source: Source, node: ast.Slice) -> list:
    return [
        ("slice moved", source.start(bound), source.end(bound), f"({source.segment(bound)}) + 1")
        for bound in (node.lower, node.upper)
        if bound is not None and not isinstance(bound, ast.Constant)
    ]


def calls(source: Source, node: ast.Call) -> list:
    place = (source.start(node), source.end(node))
    if called(node) in EXCHANGED_CALLS:
        name, other = called(node), EXCHANGED_CALLS[called(node)]
        return [(f"{name} to {other}", source.start(node.func), source.end(node.func), other)]
    if called(node) == "sorted":
        return [("order dropped", *place, f"list({source.segment(node.args[0])})")]
    if isinstance(node.func, ast.Attribute) and node.func.attr in DROPPED_METHODS:
        return [(f"{node.func.attr} dropped", *place, source.segment(node.func.value))]
    return []


def sides(source: Source, node: ast.AST) -> list:
    """One agent's field in the place of the other's."""
    name = node.id if isinstance(node, ast.Name) else node.attr
    if not isinstance(node.ctx, ast.Load) or name[-2:] not in ("_a", "_b"):
        return []
    other = name[:-1] + ("b" if name.endswith("a") else "a")
    return [("side swapped", source.end(node) - len(name), source.end(node), other)]


def statements(source: Source, node: ast.stmt) -> list:
    if source.function_of(node) is None:
        return []
    target = node.targets[0] if isinstance(node, ast.Assign) else getattr(node, "target", None)
    stored = isinstance(node, ast.Assign) and isinstance(target, ast.Attribute | ast.Subscript)
    early = isinstance(node, ast.Return) and isinstance(source.parents[node], ast.If | ast.For | ast.While)
    kept = (ast.Expr, ast.Raise, ast.AugAssign, ast.Continue, ast.Break)
    if not (isinstance(node, kept) or stored or early):
        return []
    return [("statement dropped", source.start(node), source.end(node), "pass")]
