"""Find the fenced blocks of a reply, after its reasoning.

Strings and comments of each language are stepped over: marks in them are not fences.

Source: CommonMark 0.31, section 4.5, Fenced code blocks; with what models write beyond it: a block
that opens at the end of a line, marks on the last line of the code, tokens of a chat template after
the closing marks, a block that the prompt has opened.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import lru_cache

from steelyard.toolchains import Syntax, language_called, language_table

RUN = r"`{3,}|~{3,}(?![^\n]*[;()=])"
"""Backticks or tildes that may be a fence. `~~~x;` is an expression of C."""
REASONING = r"(?i:think(?:ing)?)"
"""The name of the tag around a model's reasoning."""
ANSWER = r"(?i:answer)"
"""The name of the tag around a model's answer."""
_OUTSIDE = re.compile(
    rf"^(?P<indent>[ \t]*)(?P<fence>{RUN})(?P<info>[^\n]*)$"
    r"|(?<!`)(?P<late>`{3,})[ \t]*(?P<label>[\w+#.-]*)[ \t]*\r?$"
    rf"|^[ \t]*(?P<open><{REASONING}>)"
    rf"""|(?<![`"'])(?P<close></{REASONING}>)(?![`"'])"""
    rf"|(?:^|(?<=>))[ \t]*(?P<answer><{ANSWER}>)"
    rf"""|(?<![`"'])(?P<answered></{ANSWER}>)(?![`"'])""",
    re.MULTILINE,
)
_IN_BLOCK = re.compile(
    rf"\n(?P<indent>[ \t]*)(?P<fence>{RUN})(?P<info>[^\n]*)"
    rf"|\n[ \t]*(?P<close></{REASONING}>)[ \t\r]*(?=\n|\Z)"
    rf"|\n[ \t]*(?P<answered></{ANSWER}>)[ \t\r]*(?=\n|\Z)"
)
BLANK_LINES = re.compile(r"(?:[ \t]*\r?\n)+")
_MOST_INDENT = 3  # beyond it, marks are content
_LONGEST_LABEL = 100
_LEADING = re.compile(rf"\s*<({REASONING})>")
_WHOLE_ANSWER = ("markdown", "md")
"""Labels of a block that may hold a whole answer, with blocks of its own."""
_CODE_START = re.compile(
    r"[ \t]+\S|@\w|#(?:include|define|pragma|!)|//|/\*|\"\"\"|'''"
    r"|(?:async def|def|class|fn|func|struct|typedef|template|enum|impl|interface) *[\w<]"
    r"|from [\w.]+ import"
    r"|(?:import|using|use|package|namespace|let|const|var|public|static|pub) ?\S"
    r"|(?:int|void|long|auto|double|bool|char)[ *]+\w+ *[(=;,\[]"
    r"|(?:if|for|while|with|try|print)\b.*[:;){]\s*$"
    r"|[\w.\[\], ]+ *[-+*/|&]?= *\S|[\w.]+\(.*\);?\s*$"
)
_END_TOKEN = re.compile(
    r"(?P<token><\|[^<|>\n]{1,40}\|>|<\uff5c[^<\uff5c>\n]{1,40}\uff5c>"
    r"|</?s>|<(?:\w{1,20}:)?(?i:eo[adst]|pad|end_of_turn)>)\Z|\s+\Z"
)
"""A token of a chat template (DeepSeek's have wide bars), or white space around it."""
_LONGEST_TOKEN = 44
_LABEL = re.compile(r"[\s{.]*(?:language-|lang-)?([^\s,:;={}]*)")


@dataclass(frozen=True, slots=True)
class FencedBlock:
    """A fenced block, or the text between `<answer>` and `</answer>` if it has no fence."""

    label: str
    """The first word of its info string, in lower case."""
    language: str | None
    """The language that its label names; None for no label, or a label of no language here."""
    text: str
    fenced: bool = True
    answers: bool = False
    """True between `<answer>` and `</answer>`."""


def blocks_of_reply(text: str, language: str = "python") -> list[FencedBlock]:
    """Return the fenced blocks of a reply in order, without its reasoning.

    Args:
        text: The reply; hostile.
        language: The language of blocks without a label.
    """
    return read_reply(without_end_tokens(text), language).blocks


def without_end_tokens(text: str) -> str:
    """Return a reply without the tokens that end it in a chat template, such as `<|im_end|>`."""
    end = at = len(text)
    while found := _END_TOKEN.search(text, max(0, at - _LONGEST_TOKEN), at):
        if found["token"]:
            end = found.start()
        at = found.start()
    return text if end == len(text) else text[:end]


@dataclass(slots=True)
class ReplyContent:
    """The content of a reply."""

    blocks: list[FencedBlock] = field(default_factory=list)
    answer: int = 0
    """Offset of the text after the reasoning."""


def read_reply(text: str, language: str) -> ReplyContent:
    """Find the blocks of a reply, in time linear in its length.

    Args:
        text: The reply; hostile.
        language: The language of blocks without a label.
    """
    return _ReplyReader(text, language, unwraps=True).read()


@dataclass(frozen=True, slots=True)
class _End:
    """The end of a block."""

    content: int
    resume: int
    is_reasoning: bool = False
    """The reasoning ends here, and the block was a part of it."""


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


@dataclass(frozen=True, slots=True)
class _Opening:
    """An open block."""

    start: int
    """Offset of its content: the line break after the opening marks."""
    run: str
    indent: str
    info: str

    def end_at(self, mark: Mark) -> _End | None:
        """Return the end of the block, if this mark ends it."""
        if mark.kind == "close":
            return _End(mark.start, mark.end, is_reasoning=True)
        if mark.kind == "answered":
            return _End(mark.start, mark.start)
        if not mark.run.startswith(self.run):
            return None
        if mark.kind == "inline":
            return _End(mark.start, mark.end)
        info = mark.info.strip()
        if language_of_label(label_of(info)):  # the next block opens, and this block was not closed
            return _End(mark.start + 1, mark.start + 1)
        is_close = not info or info.startswith("<")  # `</answer>`, or a chat template's token
        if is_close and len(mark.indent) <= len(self.indent) + _MOST_INDENT:
            return _End(mark.start + 1, mark.end)
        return None


def label_of(info: str) -> str:
    """Return an info string's first word without braces, options and file names."""
    found = _LABEL.match(info) if info else None
    return found[1].lower() if found else ""


@lru_cache(1_024)
def language_of_label(label: str) -> str | None:
    """Return the language that a label names: `py`, `c++17`, `python3.11`, `main.cpp`."""
    if not 0 < len(label) <= _LONGEST_LABEL:
        return None
    return (
        language_called(label)
        or language_called(re.sub(r"[-\d.]+\Z", "", label))
        or language_called(label.rpartition(".")[2])
    )


class _ReplyReader:
    """One pass over a reply; a string that never ends makes it read the rest line by line."""

    def __init__(self, text: str, language: str, *, unwraps: bool) -> None:
        self._text, self._language, self._unwraps = text, language, unwraps
        self._masked = without_escapes(text)
        self._content = ReplyContent()
        self._lexes = True
        self._answer: tuple[int, int] | None = None
        """Offset of the open answer, and the number of blocks before it."""

    def read(self) -> ReplyContent:
        at = self._skip_leading_reasoning()
        at = self._read_block_of_prompt(at)
        while found := _OUTSIDE.search(self._text, at):
            if found["open"]:
                at = self._end_of_reasoning(found)
            elif found["close"]:
                at = self._forget(found.end())
            elif found["answer"] or found["answered"]:
                if found["answered"] and not any(each.answers for each in self._content.blocks):
                    self._answer = self._answer or (self._content.answer, 0)  # the prompt opened it
                self._end_answer(found.start("answered"))
                at = found.end()
                self._answer = (at, len(self._content.blocks)) if found["answer"] else None
            elif opening := self._opening(found):
                at = self._read_block(opening)
            else:
                at = found.end()
        self._end_answer(len(self._text))
        return self._content

    def _end_answer(self, end: int) -> None:
        """Mark the blocks of the open answer; without a block, its text is one."""
        if self._answer is None or end < 0:
            return
        start, first = self._answer
        blocks = self._content.blocks
        if len(blocks) == first:
            text = self._text[start:end]
            blank = BLANK_LINES.match(text)
            blocks.append(FencedBlock("", None, text[blank.end() if blank else 0 :], fenced=False))
        blocks[first:] = [replace(block, answers=True) for block in blocks[first:]]

    def _skip_leading_reasoning(self) -> int:
        at = 0
        while found := _LEADING.match(self._text, at):
            at = self._forget(self._after_close(found[1], found.end()))
        return at

    def _end_of_reasoning(self, found: re.Match[str]) -> int:
        """Remove reasoning in the middle of a reply; blocks before it are drafts too."""
        return self._forget(self._after_close(found["open"][1:-1], found.end()))

    def _after_close(self, name: str, at: int) -> int:
        closing = re.compile(rf"</{name}>", re.IGNORECASE).search(self._text, at)
        return closing.end() if closing else len(self._text)

    def _forget(self, at: int) -> int:
        """Drop the text before an offset: it is reasoning."""
        self._content.blocks.clear()
        self._content.answer = at
        self._answer = self._answer and (at, 0)
        return at

    def _opening(self, found: re.Match[str]) -> _Opening | None:
        end = found.end()
        if found["fence"]:
            if found["fence"][0] == "`" and "`" in found["info"]:
                return None
            return _Opening(end, found["fence"], found["indent"], found["info"])
        before = self._text[max(0, found.start() - 2) : found.start()].rstrip(" \t")[-1:]
        if before in (":", ">") or language_of_label(found["label"]):
            return _Opening(end, found["late"], "", found["label"])
        return None

    def _read_block_of_prompt(self, at: int) -> int:
        """Read the block that the prompt opened: code first, then marks without a label."""
        found = _OUTSIDE.search(self._text, at)
        if not found or not found["fence"] or found["info"].strip():
            return at
        if not _starts_as_code(self._text[at : found.start()]):
            return at
        return self._read_block(_Opening(at, found["fence"], "", self._language))

    def _read_block(self, opening: _Opening) -> int:
        """Keep a block; return the offset of the text after it."""
        label = label_of(opening.info)
        language = language_of_label(label)
        end = None
        if self._lexes and (language or not label):
            end = self._end_by_syntax(opening, language or self._language)
        if end is None:
            end = self._end_by_lines(opening)
        if end.is_reasoning:
            return self._forget(end.resume)
        text = self._text[opening.start : end.content].removeprefix("\n")
        if opening.indent:
            text = re.sub(rf"^[ \t]{{1,{len(opening.indent)}}}", "", text, flags=re.MULTILINE)
        self._content.blocks += self._within(label, text) or [FencedBlock(label, language, text)]
        return end.resume

    def _within(self, label: str, text: str) -> list[FencedBlock]:
        """Return the blocks of a whole answer that is in a block itself, after ````markdown."""
        if not self._unwraps or label not in _WHOLE_ANSWER:
            return []
        return _ReplyReader(text, self._language, unwraps=False).read().blocks

    def _end_by_syntax(self, opening: _Opening, language: str) -> _End | None:
        """Return the end of a block of code, unless a string or comment in it never ends."""
        try:
            for mark in marks_outside(self._text, self._masked, opening.start, language):
                if end := opening.end_at(mark):
                    return end
        except UnendedError:
            self._lexes = False  # once only: each try may read to the end of the text
            return None
        return _End(len(self._text), len(self._text))

    def _end_by_lines(self, opening: _Opening) -> _End:
        for found in _IN_BLOCK.finditer(self._text, opening.start):
            if found["close"]:
                return _End(found.start(), found.end(), is_reasoning=True)
            if found["answered"]:
                return _End(found.start(), found.start())
            if end := opening.end_at(_fence(found)):
                return end
        return _End(len(self._text), len(self._text))


def _fence(found: re.Match[str]) -> Mark:
    return Mark(
        "fence",
        found.start(),
        found.end("fence"),
        found["fence"],
        found["indent"],
        found["info"],
    )


def _starts_as_code(text: str) -> bool:
    lines = (line for line in text.split("\n") if line.strip() and not line.startswith("# "))
    return _CODE_START.match(next(lines, "")) is not None


_MARK = (
    rf"\n(?P<indent>[ \t]*)(?P<fence>{RUN})(?P<info>[^\n]*)"
    r"|(?P<inline>`{3,})"
    rf"|(?P<close></{REASONING}>)(?=[ \t\r]*(?:\n|\Z))"
    rf"|(?P<answered></{ANSWER}>)(?=[ \t\r]*(?:\n|\Z))"
    rf"|\n[ \t]*(?P<open><(?:{REASONING}|{ANSWER})>)"
)


class UnendedError(Exception):
    """A string or comment never ends: the text is broken, cut off, or is not of this language."""


def without_escapes(text: str) -> str:
    """Return the text with blanks for escapes such as backslash and quote, at the same offsets."""
    return re.sub(r"\\[^\n]", "  ", text) if "\\" in text else text


def marks_outside(text: str, masked: str, start: int, language: str) -> Iterator[Mark]:
    """Yield the marks from `start` on that are outside of strings and comments.

    Args:
        text: The whole text.
        masked: The same text `without_escapes`.
        start: Offset of the code; a fence needs the line break before it.
        language: The code's language.

    Raises:
        UnendedError: if a string or comment of several lines never ends.
    """
    syntax, token = _syntax_of(language)
    at = start
    while found := token.search(masked, at):
        kind = found.lastgroup
        at = found.end()
        if kind == "several":
            at = _end_of(masked, syntax.spans[found[0]], at)
        elif kind == "raw":
            ending = syntax.raw_end.replace("{}", found.group((found.lastindex or 0) + 1) or "")
            at = _end_of(text, ending, at)
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


@lru_cache(1_024)
def _syntax_of(language: str) -> tuple[Syntax, re.Pattern[str]]:
    """Return the syntax of a language, and the pattern of its marks, strings and comments.

    A language that is not in the table is read with the usual syntax, which is that of C.
    """
    name = language_called(language)
    syntax = language_table().row(name).syntax if name else Syntax()
    parts = [_MARK, f"(?P<several>{'|'.join(map(re.escape, syntax.spans))})"]
    if syntax.raw:
        parts.insert(1, f"(?P<raw>{syntax.raw.pattern})")
    parts += [each.pattern for each in syntax.tokens]
    return syntax, re.compile("|".join(parts))
