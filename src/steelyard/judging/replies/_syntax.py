"""Step over strings and comments of each language: marks in them are not fences."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

RUN = r"`{3,}|~{3,}(?![^\n]*[;()=])"
"""Backticks or tildes that may be a fence. `~~~x;` is an expression of C."""

REASONING = r"(?i:think(?:ing)?)"
"""The name of the tag around a model's reasoning."""

ANSWER = r"(?i:answer)"
"""The name of the tag around a model's answer."""

_MARK = (
    rf"\n(?P<indent>[ \t]*)(?P<fence>{RUN})(?P<info>[^\n]*)"
    r"|(?P<inline>`{3,})"
    rf"|(?P<close></{REASONING}>)(?=[ \t\r]*(?:\n|\Z))"
    rf"|(?P<answered></{ANSWER}>)(?=[ \t\r]*(?:\n|\Z))"
    rf"|\n[ \t]*(?P<open><(?:{REASONING}|{ANSWER})>)"
)


class UnendedError(Exception):
    """A string or comment never ends: the text is broken, cut off, or is not of this language."""


@dataclass(frozen=True, slots=True)
class Syntax:
    """The patterns of a language's strings and comments."""

    token: re.Pattern[str]
    """A mark, a whole string or comment of one line, or the start of one of several lines."""
    closers: dict[str, str]
    """The end of each string or comment of several lines, by its start."""
    raw: re.Pattern[str] | None = None
    """Starts a string without escapes; its group, if any, ends it again."""


@dataclass(frozen=True, slots=True)
class Mark:
    """Something outside of strings and comments that can open or close a block or reasoning."""

    kind: str
    """`fence` at the start of a line, `inline` anywhere else; `close` for reasoning, `answered` for
    an answer, `open` for either."""
    start: int
    """For a fence, offset of the line break before it."""
    end: int
    run: str = ""
    """A fence's backticks or tildes."""
    indent: str = ""
    info: str = ""
    """The rest of a fence's line."""


def without_escapes(text: str) -> str:
    """Return the text with blanks for escapes such as backslash and quote, at the same offsets."""
    return re.sub(r"\\[^\n]", "  ", text) if "\\" in text else text


def marks_outside(text: str, masked: str, start: int, syntax: Syntax) -> Iterator[Mark]:
    """Yield the marks from `start` on that are outside of strings and comments.

    Args:
        text: The whole text.
        masked: The same text `without_escapes`.
        start: Offset of the code; a fence needs the line break before it.
        syntax: The syntax of the code's language.

    Raises:
        UnendedError: if a string or comment of several lines never ends.
    """
    at = start
    while found := syntax.token.search(masked, at):
        kind = found.lastgroup
        at = found.end()
        if kind == "several":
            closer = syntax.closers[found[0]]
            at = _end_of(masked, closer, at)
        elif kind == "raw" and syntax.raw is not None:
            opening = syntax.raw.match(text, found.start())
            if opening is not None:
                at = _end_of(text, _raw_closer(opening), opening.end())
        elif kind == "info":
            at = found.end("fence")
            yield Mark("fence", found.start(), at, found["fence"], found["indent"], found["info"])
        elif kind is not None:
            yield Mark(kind, found.start(kind), at, found[0] if kind == "inline" else "")


def _end_of(text: str, closer: str, start: int) -> int:
    end = text.find(closer, start)
    if end < 0:
        raise UnendedError
    return end + len(closer)


def _raw_closer(opening: re.Match[str]) -> str:
    """Return the end of a raw string: a word in C++, number signs in Rust, a backtick in Go."""
    if opening[0] == "`":
        return "`"
    return f'){opening[1]}"' if opening[0].startswith("R") else f'"{opening[1]}'


def _syntax(
    *one_line: str, closers: dict[str, str], raw_start: str = "", raw: str | None = None
) -> Syntax:
    several = "|".join(re.escape(each) for each in closers)
    parts = [_MARK, f"(?P<raw>{raw_start})" if raw_start else "", f"(?P<several>{several})"]
    token = "|".join(filter(None, [*parts, *one_line]))
    return Syntax(re.compile(token), closers, re.compile(raw) if raw else None)


_QUOTED = r'"[^"\n]*"'
_SLASHES = r"//[^\n]*"
_CHARACTER = r"'[^'\n]{1,10}'"
_COMMENT = {"/*": "*/"}

_C = _syntax(
    _SLASHES,
    _QUOTED,
    _CHARACTER,
    closers=_COMMENT,
    raw_start='R"',
    raw=r'R"([^()\\\s]{0,16})\(',
)
_SYNTAX = {
    "python": _syntax(r"#[^\n]*", _QUOTED, r"'[^'\n]*'", closers={'"""': '"""', "'''": "'''"}),
    "c": _C,
    "cpp": _C,
    "java": _syntax(_SLASHES, _QUOTED, _CHARACTER, closers={**_COMMENT, '"""': '"""'}),
    "javascript": _syntax(_SLASHES, _QUOTED, r"'[^'\n]*'", closers={**_COMMENT, "`": "`"}),
    "go": _syntax(_SLASHES, _QUOTED, _CHARACTER, closers=_COMMENT, raw_start="`", raw="`"),
    "rust": _syntax(
        _SLASHES,
        r"'(?:[^'\n]|  [^'\n]{0,10})'",
        closers={**_COMMENT, '"': '"'},
        raw_start=r'\bb?r#*"',
        raw=r'b?r(#*)"',
    ),
}


def syntax_of(language: str) -> Syntax:
    """Return the syntax of a language by its name in the table; C's for any other."""
    return _SYNTAX.get(language, _C)
