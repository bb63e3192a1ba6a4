"""Parse loose pseudocode into a tree of blocks: by indentation, braces or `end` words.

No text is refused: an unknown line is a plain line.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import re2

from steelyard.solving.pruning._tree import (
    DEEPEST,
    LONGEST_LINE,
    MOST_STATEMENTS,
    Block,
    Kind,
    Line,
)

_MOST_LINES = 1_000
_LOOP = re2.compile(r"(?i)^(?:parallel )?(?:for|foreach|while|repeat|loop|do|iterate)\b")
_BRANCH = re2.compile(r"(?i)^(?:if|else|elif|elseif|elsif|switch|case|otherwise|unless|try|with)\b")
_FUNCTION = re2.compile(
    r"^(?:[\w<>:*&,\[\]]+\s+)*(\w+)\s*\(([^()]*)\)\s*(?:const\s*)?(?:->\s*[\w<>\[\], ]+)?\s*[:{]?$"
)
_DEFINED = re2.compile(r"(?i)^(?:def|function|func|fn|procedure|method|algorithm|memo|recursive)\b")
_END = re2.compile(
    r"(?i)^end(?:\s*(?:for|while|if|loop|repeat|function|procedure))?\s*$"
    r"|^(?:done|fi|od|next(?:\s+\w+)?)\s*$"
)
_NUMBERED = re2.compile(r"^(?:\d+(?:\.\d+)*[.)]|[a-z][.)]|step\s+\d+\s*[:.]|[-*•])\s+")
_COMMENT = re2.compile(r"\s(?://|#|--)\s.*$|^\s*(?://|#|--).*$")
_NAME = re2.compile(r"\w+")
_OPENERS = "([{"
_CLOSERS = ")]}"


@dataclass(slots=True)
class _Open:
    block: Block
    indent: int
    brace: bool = False
    one_statement: bool = False


class _PseudocodeParser:
    def __init__(self, *, by_end_words: bool) -> None:
        self.root = Block("root", "", 0)
        self._stack = [_Open(self.root, -1)]
        self._by_end_words = by_end_words
        self._indent = 0
        self._number = 0

    def line(self, raw: str) -> None:
        text = _COMMENT.sub("", raw[:LONGEST_LINE].expandtabs(4)).rstrip()
        body = text.lstrip()
        if not body:
            return
        self._indent = len(text) - len(body)
        body = _NUMBERED.sub("", body)
        if not self._by_end_words and not body.startswith(("{", "}")):
            while not self._stack[-1].brace and self._stack[-1].indent >= self._indent:
                self._stack.pop()
        if _END.search(body):
            if self._by_end_words and len(self._stack) > 1:
                self._stack.pop()
            return
        self._pieces(body)

    def _pieces(self, body: str) -> None:
        """Yield each statement of a line; a header's body may be on the same line."""
        rest = body
        for _ in range(LONGEST_LINE):
            rest = rest.strip()
            if not rest:
                return
            if rest[0] == "{":
                self._stack[-1].brace = len(self._stack) > 1
                self._stack[-1].one_statement = False
                rest = rest[1:]
            elif rest[0] == "}":
                self._close_brace()
                rest = rest[1:].lstrip(" ;")
            elif rest[0] == ";":
                rest = rest[1:]
            else:
                rest = self._piece(rest)

    def _piece(self, text: str) -> str:
        """Take one statement or header off the text; return the rest."""
        self._number += 1
        if self._number > MOST_STATEMENTS:
            return ""
        kind = _kind(text)
        if kind is not None and len(self._stack) < DEEPEST:
            if kind == "loop" and self._closes_do(text):
                return ""
            header, rest, parenthesised = _split_header(text)
            self._open(kind, header)
            inline = bool(rest.strip()) and not rest.lstrip().startswith("{")
            self._stack[-1].one_statement = inline and parenthesised
            return rest
        cut = _end_of_statement(text)
        piece, rest = text[:cut].strip(), text[cut:]
        function = _function(piece, opens=rest.lstrip().startswith("{"))
        if function is not None and len(self._stack) < DEEPEST:
            name, params, after = function
            self._open("function", piece)
            self._stack[-1].block.name = name
            self._stack[-1].block.params = params
            return after + rest
        if piece:
            self._stack[-1].block.children.append(Line(piece, self._number))
        while self._stack[-1].one_statement:
            self._stack.pop()
        return rest

    def _open(self, kind: Kind, header: str) -> None:
        block = Block(kind, header.strip(), self._number)
        self._stack[-1].block.children.append(block)
        self._stack.append(_Open(block, self._indent))

    def _close_brace(self) -> None:
        while len(self._stack) > 1:
            if self._stack.pop().brace:
                break
        while self._stack[-1].one_statement:
            self._stack.pop()

    def _closes_do(self, text: str) -> bool:
        """Return whether this `while` or `until` ends a `do` or a `repeat` just before it."""
        if not text.lower().startswith(("while", "until")):
            return False
        children = self._stack[-1].block.children
        last = children[-1] if children else None
        if not isinstance(last, Block) or last.header.lower().strip(": ") not in {"do", "repeat"}:
            return False
        last.header = "do " + text
        return True


def parse_pseudocode(text: str) -> Block:
    """Return the tree of a plan's pseudocode.

    Args:
        text: Anything; its first 1,000 lines are read, and 400 characters of each.
    """
    lines = text.split("\n")[:_MOST_LINES]
    flat = not any(line[:1].isspace() for line in lines if line.strip())
    ends = any(_END.search(line.strip()[:LONGEST_LINE]) for line in lines)
    reader = _PseudocodeParser(by_end_words=flat and ends)
    for line in lines:
        reader.line(_until_as_while(line))
    return reader.root


def _until_as_while(line: str) -> str:
    """`until x` closes a loop as `while` does; both are looked at as the loop's condition."""
    body = line.lstrip()
    if body.lower().startswith("until "):
        return line[: len(line) - len(body)] + "while until " + body[6:]
    return line


def _kind(text: str) -> Kind | None:
    if _LOOP.search(text):
        return "loop"
    return "branch" if _BRANCH.search(text) else None


def _split_header(text: str) -> tuple[str, str, bool]:
    """Return a loop's or branch's header, the rest, and whether parentheses end the header."""
    first = _NAME.match(text)
    after = first.end() if first else 0
    if text[:after].lower() == "else" and text[after:].lstrip().lower().startswith("if"):
        after += text[after:].lower().index("if") + 2
    if text[:after].lower() in {"else", "do", "try", "otherwise"}:
        return text[:after], text[after:].lstrip().removeprefix(":"), False
    opening = after + len(text[after:]) - len(text[after:].lstrip())
    if text[opening : opening + 1] == "(":
        end = matching(text, opening)
        rest = text[end + 1 :].lstrip()
        if not rest or rest[0] in ":{;" or not _continues(rest):
            colon = rest.startswith(":")
            return text[: end + 1], rest.removeprefix(":").removeprefix(";"), not colon
    for position, depth in outside(text):
        if depth:
            continue
        here = text[position]
        if here == ":" and text[position + 1 : position + 2] not in {"=", ":"}:
            if text[position - 1] != ":":
                return text[:position], text[position + 1 :], False
        elif here == "{" and not _is_literal(text, position):
            return text[:position], text[position:], False
        elif text[position : position + 6] == " then ":
            return text[:position], text[position + 6 :], False
        elif text[position : position + 4] == " do ":
            return text[:position], text[position + 4 :], False
    return text.removesuffix(" do").removesuffix(" then"), "", False


def _continues(rest: str) -> bool:
    """Return whether a condition continues after its first parenthesis: `(a or b) and c`."""
    return rest.startswith(
        (
            "and ",
            "or ",
            "&&",
            "||",
            "<",
            ">",
            "=",
            "!",
            "+",
            "-",
            "*",
            "/",
            "%",
            "in ",
            "from ",
            "of ",
        )
    )


def _end_of_statement(text: str) -> int:
    for position, depth in outside(text):
        here = text[position]
        if depth == 0 and here in ";}":
            return position
        if depth == 0 and here == "{" and not _is_literal(text, position):
            return position
    return len(text)


def outside(text: str) -> Iterator[tuple[int, int]]:
    """Yield each position outside quotes, with how deep in brackets it lies."""
    depth = 0
    quote = ""
    literal = 0
    for position, char in enumerate(text):
        if quote:
            if char == quote:
                quote = ""
            continue
        if char == '"' or (char == "'" and _opens_quote(text, position)):
            quote = char
            continue
        if char in "([" or (char == "{" and _is_literal(text, position)):
            depth += 1
            literal += char == "{"
        elif char in ")]" or (char == "}" and literal):
            depth = max(0, depth - 1)
            literal -= char == "}"
        yield position, depth


def _opens_quote(text: str, position: int) -> bool:
    """Return whether an apostrophe is prose: it follows a letter, as in `n's`."""
    return position == 0 or not text[position - 1].isalnum()


def _is_literal(text: str, position: int) -> bool:
    """Return whether a brace opens a set, a mapping or an initialiser, and closes on its line."""
    before = text[:position].rstrip()
    return before.endswith(("=", "(", ",", "[", "in", "return")) and "}" in text[position:]


def matching(text: str, opening: int) -> int:
    """Return the position of the bracket that closes the one at `opening`; else the last one."""
    depth = 0
    for position in range(opening, len(text)):
        if text[position] in _OPENERS:
            depth += 1
        elif text[position] in _CLOSERS:
            depth -= 1
            if depth == 0:
                return position
    return len(text) - 1


def _function(piece: str, *, opens: bool) -> tuple[str, tuple[str, ...], str] | None:
    """Return a function's name, its parameters and what follows its header on the line."""
    head, after = piece, ""
    for position, depth in outside(piece):
        if depth == 0 and piece[position] == ":" and ")" in piece[:position]:
            head, after = piece[:position], piece[position + 1 :]
            opens = True
            break
    defined = bool(_DEFINED.search(head))
    if not (opens or defined):
        return None
    found = _FUNCTION.search(head.strip())
    if found is None:
        return None
    words = head[: head.index("(")].split()
    if any(word in {"return", "=", "print", "call"} for word in words):
        return None
    return found.group(1), parameters(found.group(2)), after


def parameters(text: str) -> tuple[str, ...]:
    """Return the names of parameters, without types and defaults."""
    names = []
    for part in text.split(",")[:20]:
        words = _NAME.findall(part.split("=")[0].split(":")[0])
        if words:
            names.append(words[-1])
    return tuple(names)
