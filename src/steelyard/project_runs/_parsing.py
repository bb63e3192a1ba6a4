"""Text to syntax tree, for text that anybody may have written.

Nothing is compiled or executed. Before the parser sees a text its length, its words and the depth
of its brackets are counted in one linear pass; the parser and the tree's conversion have depth
limits of their own, which end in exceptions that become `UnparsableError`.
"""

import ast
import re
from dataclasses import dataclass
from functools import cached_property

from steelyard._printable import printable
from steelyard._python_trees import python_tree

MOST_CHARS = 4 * 2**20
# A tree takes up to 1.8 KiB for each word of the text.
_MOST_WORDS = 250_000
_MOST_DEPTH = 100

# Every alternative for a string also matches one that is not closed: no second attempt, linear.
_SCAN = re.compile(
    r'''"""[^"\\]*+(?:(?:\\.|"(?!""))[^"\\]*+)*+(?:"""|\Z|\\\Z)'''
    r"""|'''[^'\\]*+(?:(?:\\.|'(?!''))[^'\\]*+)*+(?:'''|\Z|\\\Z)"""
    r"""|"[^"\\\n]*+(?:\\.[^"\\\n]*+)*+"?"""
    r"""|'[^'\\\n]*+(?:\\.[^'\\\n]*+)*+'?"""
    r"""|\#[^\n]*+|\w++|[^\w\s]""",
    re.DOTALL,
)
_LINES = re.compile(r"[^\r\n]*+(?:\r\n|\r|\n)|[^\r\n]++\Z")


class UnparsableError(Exception):
    """The text is no Python that can be read; `line` counts from 1, 0 where it is not known."""

    def __init__(self, text: str, line: int = 0) -> None:
        super().__init__(text)
        self.line = line


@dataclass(frozen=True, eq=False)
class Source:
    """A text with its tree and its lines, which keep their ends."""

    text: str
    tree: ast.Module
    body: list[ast.stmt]
    """The statements; not the tree's where the text is indented as a whole."""

    @cached_property
    def lines(self) -> list[str]:
        """As Python counts them."""
        return split_lines(self.text)


def split_lines(text: str) -> list[str]:
    r"""Lines with their ends, as Python counts them: only `\n`, `\r\n` and `\r` end one."""
    return _LINES.findall(text)


def parse(text: str) -> Source:
    """The text's tree.

    Raises:
        UnparsableError: where it is not Python, too long, or too deeply nested.
    """
    _check_bounds(text)
    try:
        tree = python_tree(text)
    except SyntaxError as error:
        raise UnparsableError(_describe(error, text), error.lineno or 0) from error
    except RecursionError as error:
        raise UnparsableError("it is nested too deeply") from error
    except MemoryError as error:
        raise UnparsableError("it is nested too deeply, or too large") from error
    except ValueError as error:
        raise UnparsableError(str(error)) from error
    return Source(text, tree, tree.body)


def _check_bounds(text: str) -> None:
    if len(text) > MOST_CHARS:
        raise UnparsableError(f"it has {len(text)} characters, more than {MOST_CHARS}")
    if "\0" in text:
        raise UnparsableError("it holds a NUL byte", text.count("\n", 0, text.index("\0")) + 1)
    depth = 0
    for count, match in enumerate(_SCAN.finditer(text)):
        if count > _MOST_WORDS:
            raise UnparsableError(f"it has more than {_MOST_WORDS} words")
        word = match[0]
        if word in "([{":
            depth += 1
            if depth > _MOST_DEPTH:
                line = text.count("\n", 0, match.start()) + 1
                raise UnparsableError(f"its brackets are nested more than {_MOST_DEPTH} deep", line)
        elif word in ")]}":
            depth = max(depth - 1, 0)


def _describe(error: SyntaxError, text: str) -> str:
    where = f" in line {error.lineno}" if error.lineno else ""
    lines = split_lines(text)
    shown = ""
    if error.lineno and error.lineno <= len(lines):
        shown = printable(lines[error.lineno - 1].strip()[:60])
    return f"{error.msg[:120]}{where}" + (f": {shown}" if shown else "")
