"""
The mutants of a Python contract, by Python's own parser, and where its tests have been.

Works on the text at the places that the syntax tree names, so that everything but the change stays as it is.
"""

import ast
import functools
import json
import re

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
# What errors and places are called in words for people: a changed word changes no decision.
WORDED = ("expected", "transient", "model_error", "PatternFault", "NotStrict")
PLACES = ("where", "place")


class Source:
    """A text, its syntax tree, and what stands where."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.data = text.encode()
        self.tree = ast.parse(text)
        self.starts = [0]
        for line in self.data.splitlines(keepends=True):
            self.starts.append(self.starts[-1] + len(line))
        self.parents = {child: node for node in ast.walk(self.tree) for child in ast.iter_child_nodes(node)}
        self.marks = self._number_statements()
        self.uses: dict = {}
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
                self.uses.setdefault(node.id, []).append(node)

    def _number_statements(self) -> dict:
        """A number for every statement inside a function, which says whether a test has been there."""
        inside = [
            node
            for node in ast.walk(self.tree)
            if isinstance(node, ast.stmt) and self.function_of(node) and not is_docstring(node)
        ]
        inside.sort(key=lambda node: (node.lineno, node.col_offset))
        return {node: number for number, node in enumerate(inside)}

    def above(self, node: ast.AST) -> list:
        """What a node is part of, from the nearest on."""
        found = []
        while node in self.parents:
            node = self.parents[node]
            found.append(node)
        return found

    def function_of(self, node: ast.AST) -> object:
        """The innermost function whose body a node is in."""
        child = node
        for parent in self.above(node):
            if isinstance(parent, ast.FunctionDef) and child in parent.body:
                return parent
            child = parent
        return None

    def scope_of(self, node: ast.AST) -> str:
        named = [
            item.name
            for item in [node, *self.above(node)]
            if isinstance(item, ast.FunctionDef | ast.ClassDef)
        ]
        return ".".join(reversed(named))

    def start(self, node: ast.AST) -> int:
        return self.starts[node.lineno - 1] + node.col_offset

    def end(self, node: ast.AST) -> int:
        return self.starts[node.end_lineno - 1] + node.end_col_offset

    def segment(self, node: ast.AST) -> str:
        return self.data[self.start(node) : self.end(node)].decode()

    def between(self, left: ast.AST, right: ast.AST, token: str) -> tuple:
        """Where the operator stands between two operands."""
        gap = self.data[self.end(left) : self.start(right)].decode()
        pattern = r"\s+".join(re.escape(part) for part in token.split())
        found = re.search((r"\b%s\b" if token[0].isalpha() else "%s") % pattern, gap)
        begin = self.end(left) + len(gap[: found.start()].encode())
        return begin, begin + len(found.group().encode())

    def reached_by(self, node: ast.AST) -> list:
        """
        The statements of which one has to run for a change of `node` to matter: its own, or, where it runs when
        the module is loaded, those that use the names which it defines. Empty when that can't be told.
        """
        line = [node, *self.above(node)]
        top = next(item for item in line if item in self.tree.body)
        own = next((item for item in line if item in self.marks), None)
        if own is None or (isinstance(top, ast.FunctionDef) and self._runs_at_load(top)):
            return sorted(self._users_of(defined_by(top), set()))
        return [self.marks[own]]

    def _runs_at_load(self, function: ast.FunctionDef) -> bool:
        uses = self.uses.get(function.name, [])
        return bool(uses) and all(self.function_of(use) is None for use in uses)

    def _users_of(self, names: set, seen: set) -> set:
        found: set = set()
        for node in (use for name in names for use in self.uses.get(name, [])):
            statement = next((item for item in self.above(node) if item in self.marks), None)
            if statement is not None:
                found.add(self.marks[statement])
                continue
            top = next(item for item in self.above(node) if item in self.tree.body)
            if top not in seen:
                seen.add(top)
                found |= self._users_of(defined_by(top), seen)
        return found


def defined_by(statement: ast.AST) -> set:
    if isinstance(statement, ast.FunctionDef | ast.ClassDef):
        return {statement.name}
    return {
        node.id
        for node in ast.walk(statement)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    }


def is_docstring(node: ast.AST) -> bool:
    return (
        isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    )


def called(node: ast.AST) -> str:
    return node.func.id if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) else ""


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


@functools.cache
def parsed(text: str) -> Source:
    return Source(text)


@functools.cache
def code_of(text: str) -> object:
    return compile(text, "contract.py", "exec", dont_inherit=True)


def compared(text: str, line: int, before: str, after: str) -> str:
    """
    Whether a change is `invalid`, compiles to the `same` code, or is `different`; found out by the function or
    class that it is in, which takes less time than the whole.
    """
    for top in parsed(text).tree.body:
        first = min([top.lineno, *(item.lineno for item in getattr(top, "decorator_list", []))])
        if first <= line <= top.end_lineno:
            break
    lines = text.split("\n")
    last = max(top.end_lineno, line + before.count("\n"))
    changed = [*lines[first - 1 : line - 1], after, *lines[line + before.count("\n") : last]]
    try:
        other = compile("\n".join(changed), "contract.py", "exec", dont_inherit=True)
    except SyntaxError:
        return "invalid"
    return "same" if same_code(code_of("\n".join(lines[first - 1 : last])), other) else "different"


def same_code(one: object, other: object) -> bool:
    if type(one) is not type(other):
        return False
    if not hasattr(one, "co_code"):
        return repr(one) == repr(other)
    names = ("co_code", "co_names", "co_varnames", "co_freevars", "co_cellvars", "co_exceptiontable")
    return (
        all(getattr(one, name) == getattr(other, name) for name in names)
        and len(one.co_consts) == len(other.co_consts)
        and all(same_code(mine, its) for mine, its in zip(one.co_consts, other.co_consts, strict=True))
    )


def reached_by_line(text: str, line: int) -> str:
    """The statement that a line is in, as a list; that of the smallest one."""
    source = parsed(text)
    around = [node for node in source.marks if node.lineno <= line <= node.end_lineno]
    innermost = max(around, key=lambda node: (node.lineno, -node.end_lineno), default=None)
    return json.dumps([] if innermost is None else [source.marks[innermost]])


def mutants_json(file: str, text: str) -> str:
    return json.dumps(mutants_of(file, text))


def implied_json(text: str) -> str:
    return json.dumps(implied(text))
