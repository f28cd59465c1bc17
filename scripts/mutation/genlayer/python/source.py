"""A Python text with its syntax tree, and what stands where in it."""

import ast
import functools
import json
import re


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
        The statements of which one has to run for a change of `node` to matter: its own, or, where it runs
        when the module is loaded, those that use the names which it defines. Empty when that can't be told.
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


@functools.cache
def parsed(text: str) -> Source:
    return Source(text)


def reached_by_line(text: str, line: int) -> str:
    """The statement that a line is in, as a list; that of the smallest one."""
    source = parsed(text)
    around = [node for node in source.marks if node.lineno <= line <= node.end_lineno]
    innermost = max(around, key=lambda node: (node.lineno, -node.end_lineno), default=None)
    return json.dumps([] if innermost is None else [source.marks[innermost]])
