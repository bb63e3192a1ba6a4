"""Find the words in a prompt that announce a sample, its input, its output, or other text.

Patterns run on RE2, in time linear in the line.
"""

import re
from dataclasses import dataclass
from enum import Enum, auto
from itertools import islice

import re2


class Role(Enum):
    """The kind of text that a label announces."""

    INPUT = auto()
    OUTPUT = auto()
    SAMPLES = auto()
    """Samples follow: `Examples`, `Example 1:`, `Sample Input and Output`."""
    ASIDE = auto()
    """An explanation within the samples."""
    SECTION = auto()
    """Another part of the statement; the samples are over."""


@dataclass(frozen=True, slots=True)
class Label:
    """One label on one line."""

    role: Role
    start: int
    """Offset of the label in its line, decoration included."""
    end: int
    """Offset of the text after it."""
    sign: str = ""
    """`:` or `=` after the label; empty for a heading."""
    explicit: bool = False
    """It names itself a sample: `Sample Input`, `Input 1`."""
    number: str = ""


_PUT = (
    r"(?:(?P<tag>sample|example|test|expected|standard)[ \t]+(?:case[ \t]+)?"
    r"(?:#?(?P<number_before>\d{1,3})[ \t]+)?)?"
    r"(?P<put>inputs?|outputs?|stdin|stdout)"
    r"(?:[ \t]+(?P<tag_after>sample|example))?"
    r"(?:[ \t]*#?(?P<number_after>\d{1,3}))?"
    r"(?:[ \t]*\([^()]{0,40}\))?"
)
_SAMPLES = (
    r"(?:(?:samples?|examples?)(?:[ \t]+(?:test[ \t]*)?cases?|[ \t]+tests?)?|test[ \t]*cases?"
    r"|(?:samples?|examples?)[ \t]+(?:inputs?[ \t]*(?:and|&|/)[ \t]*outputs?|i/?o))"
    r"(?:[ \t]*#?\d{1,3})?"
)
_ASIDE = (
    r"(?:notes?|explanations?|reason|reasoning|comments?|remarks?|hints?)"
    r"(?:[ \t]*#?\d{1,3})?(?:[ \t]+(?:of|for|to|on)[ \t][^:]{0,40})?"
)
_SECTION = (
    r"(?:(?:input|output)[ \t]+(?:formats?|specifications?|descriptions?|constraints?)"
    r"|constraints?|limits?|(?:time|memory)[ \t]+limits?|scoring|subtasks?|source|follow[- ]?up"
    r"|(?:your[ \t]+)?task|problem(?:[ \t]+statement)?|statement|description|requirements?"
    r"|instructions?|(?:starter[ \t]+)?code|solution|function[ \t]+signature|interaction)"
    r"(?:[ \t]*\([^()]{0,60}\))?"
)
_MARKS = r"[*_`]*"
_COLON = rf"{_MARKS}[ \t]*:{_MARKS}"

_PUT_HEADING = re2.compile(rf"(?i)^{_PUT}(?:{_COLON})?$")
_PUT_INLINE = re2.compile(rf"(?i)(?:^|[^A-Za-z_])({_PUT}{_MARKS}[ \t]*(?P<sign>[:=]){_MARKS})")
_SAMPLES_HEADING = re2.compile(rf"(?i)^{_SAMPLES}(?:[ \t]*\([^()]{{0,40}}\))?(?:{_COLON})?$")
_SAMPLES_INLINE = re2.compile(rf"(?i)(?:^|[^A-Za-z_])({_SAMPLES}{_COLON})")
_ASIDE_LINE = re2.compile(rf"(?i)^{_ASIDE}(?:{_COLON}.*)?$")
_SECTION_LINE = re2.compile(rf"(?i)^{_SECTION}(?:{_COLON}.*)?$")
_FOREIGN_HEADING = re2.compile(
    r"^[ \t]*(?:#{1,6}[ \t]+[A-Za-z].*"
    r"|(?:\*\*|__)[A-Za-z][^*]{0,80}(?:\*\*|__)[ \t]*:?"
    r"|-{3,}[ \t]*[A-Za-z][^-]{0,60}-{3,})[ \t]*$"
)
_DECORATION = re2.compile(r"^[ \t>#*_~`+•=|-]*(?:\d{1,3}[.)][ \t]*)?[*_`]*$")
_LIST_NUMBER = re.compile(r"[0-9]{1,3}[.)][ \t]+")
_LABEL = 1  # the group around a whole label; RE2 gives the offset of a group by number only
_FIRST_WORD = re.compile(r"[A-Za-z]{1,20}")
_HEADING_WORDS = """
sample samples example examples test tests testcase testcases expected standard
input inputs output outputs stdin stdout note notes explanation explanations reason reasoning
comment comments remark remarks hint hints constraint constraints limit limits time memory
scoring subtask subtasks source follow followup your task problem statement description
requirement requirements instruction instructions starter code solution function interaction
"""
_FIRST_WORDS = frozenset(_HEADING_WORDS.split())
_AROUND = " \t>#=-*_~`[]|•+"
_LONGEST_HEADING = 160
MOST_LABELS = 10_000
"""Limit on the labels of a prompt; a prompt with more is refused early."""


def labels_on(line: str, *, fenced: bool) -> list[Label]:
    """Return the labels on a line, from left to right.

    `Input:` and `Output:` count at the start of a line, or anywhere on it if both appear in
    this order; `input=` counts only with `output=` on the same line, as it is code otherwise.

    Args:
        line: One line of a prompt.
        fenced: The line is in a fence, in which `# Title` is a comment and not a heading.
    """
    if len(line) <= _LONGEST_HEADING:
        heading = _heading(line, fenced=fenced)
        if heading:
            return [heading]
    return _inline(line)


def put_label(text: str) -> Label | None:
    """Return the label if a text is one for an input or output, as in a fence's info string."""
    match = _PUT_HEADING.search(text) if len(text) <= _LONGEST_HEADING else None
    return _put(match, 0, len(text), "") if match else None


def _heading(line: str, *, fenced: bool) -> Label | None:
    bare = line.strip(_AROUND)
    numbered = _LIST_NUMBER.match(bare)
    if numbered:
        bare = bare[numbered.end() :].lstrip(_AROUND)
    word = _FIRST_WORD.match(bare)
    if not word:
        return None
    if word[0].lower() not in _FIRST_WORDS:
        foreign = not fenced and line.lstrip(" \t").startswith(("#", "**", "__", "---"))
        if foreign and _FOREIGN_HEADING.search(line) and not _inline(line):
            return Label(Role.SECTION, 0, len(line))
        return None
    put = _PUT_HEADING.search(bare)
    if put:
        return _put(put, 0, len(line), "")
    if _SAMPLES_HEADING.search(bare):
        return Label(Role.SAMPLES, 0, len(line))
    if _ASIDE_LINE.search(bare):
        return Label(Role.ASIDE, 0, len(line))
    if _SECTION_LINE.search(bare):
        return Label(Role.SECTION, 0, len(line))
    return None


def _inline(line: str) -> list[Label]:
    lowered = line.lower()
    if not ("put" in lowered or "std" in lowered or "ample" in lowered or "test" in lowered):
        return []
    found = [
        _put(match, _with_marks(line, match.start(_LABEL)), match.end(_LABEL), match["sign"])
        for match in islice(_PUT_INLINE.finditer(line), MOST_LABELS + 1)
        if not (match["sign"] == "=" and line.startswith("=", match.end(_LABEL)))
    ]
    found += [
        Label(Role.SAMPLES, _with_marks(line, match.start(_LABEL)), match.end(_LABEL), sign=":")
        for match in islice(_SAMPLES_INLINE.finditer(line), MOST_LABELS + 1)
    ]
    found.sort(key=lambda label: label.start)
    return _counting(line, _unquoted(line, found))


def _put(match: re.Match[str], start: int, end: int, sign: str) -> Label:
    number = match["number_before"] or match["number_after"] or ""
    tags = ((match["tag"] or "").lower(), (match["tag_after"] or "").lower())
    return Label(
        Role.INPUT if match["put"].lower() in ("input", "inputs", "stdin") else Role.OUTPUT,
        start,
        end,
        sign=sign,
        explicit=bool(number) or any(tag in ("sample", "example", "test") for tag in tags),
        number=number,
    )


def _with_marks(line: str, start: int) -> int:
    while start and line[start - 1] in "*_`":
        start -= 1
    return start


def _unquoted(line: str, labels: list[Label]) -> list[Label]:
    """Return the labels that are not inside double quotes."""
    kept, quotes, seen = [], 0, 0
    for label in labels:
        quotes += line.count('"', seen, label.start)
        seen = label.start
        if quotes % 2 == 0:
            kept.append(label)
    return kept


def _counting(line: str, labels: list[Label]) -> list[Label]:
    """Return the labels that count, by the rules of `labels_on`."""
    kept: list[Label] = []
    for position, label in enumerate(labels):
        after = labels[position + 1] if position + 1 < len(labels) else None
        paired = (
            after is not None
            and label.role is Role.INPUT
            and after.role is Role.OUTPUT
            and after.sign == label.sign
        )
        before = kept[-1] if kept else None
        answers = (
            before is not None
            and label.role is Role.OUTPUT
            and before.role is Role.INPUT
            and before.sign == label.sign
        )
        announces = (
            label.role is Role.SAMPLES
            and after is not None
            and after.role is Role.INPUT
            and not line[label.end : after.start].strip(_AROUND)
        )
        begins = label.sign == ":" and _begins(line, label, before)
        if paired or answers or announces or begins:
            kept.append(label)
    return kept


def _begins(line: str, label: Label, before: Label | None) -> bool:
    start = before.end if before and before.role is Role.SAMPLES else 0
    if label.start - start > _LONGEST_HEADING:
        return False
    return bool(_DECORATION.search(line[start : label.start]))
