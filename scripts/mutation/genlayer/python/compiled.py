"""Whether a change makes other code."""

import functools

from source import parsed


@functools.cache
def code_of(text: str) -> object:
    return compile(text, "contract.py", "exec", dont_inherit=True)


def compared(text: str, line: int, before: str, after: str) -> str:
    """
    Whether a change is `invalid`, compiles to the `same` code, or is `different`; found out by the function
    or class that it is in, which takes less time than the whole.
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
