"""Trees of Python texts that may be hostile."""

import ast
import threading
import warnings

MOST_LEVELS = 3_000
"""What CPython 3.11 reads. From 3.14 on, its parser itself has no such limit."""

_ONE_AT_A_TIME = threading.Lock()
"""CPython 3.11 counts levels for all threads together: two that parse at once can fail with a
`SystemError` (https://github.com/python/cpython/issues/106905)."""


def python_tree(text: str) -> ast.Module:
    """Return the tree of a Python text without warnings.

    Args:
        text: The text, which may be hostile.

    Raises:
        SyntaxError: if it is not Python.
        ValueError: if it cannot be encoded, or holds a NUL character.
        RecursionError: if it is nested deeper than `MOST_LEVELS`.
        MemoryError: if it is too large for the parser.
    """
    with _ONE_AT_A_TIME, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        tree = ast.parse(text)
    level: list[ast.AST] = [tree]
    for _ in range(MOST_LEVELS):
        level = [child for node in level for child in ast.iter_child_nodes(node)]
        if not level:
            return tree
    raise RecursionError(f"nested deeper than {MOST_LEVELS} levels")
