"""Find the labels in a prompt, such as `Input:`, and the text that belongs to each.

1. The prompt is split into lines and Markdown fences.
2. A line's labels announce a sample, its input, its output, or other text.
3. A label's text is on its line, in the fence below it, or in the lines up to the next label. Prose
   about data is distinguished from data.

Patterns run on RE2, in time linear in the line.
"""

import re
import textwrap
from dataclasses import dataclass, field
from enum import Enum, auto
from itertools import islice, pairwise

import re2

from steelyard.errors import TestsError

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
_SEPARATORS = (",", ";", "|", "->", "=>", "→", "⇒", "⟶")
_DASHES = (" -", " \N{EN DASH}", " \N{EM DASH}")
_CODE_MARKS = ("**", "__", "`")
_LOOKED_AT = 2_000
_WORD = re2.compile(r"[A-Za-z]+")
_TELLING_WORDS = """
line lines integer integers number numbers string strings array arrays list lists contains
containing consists given separated space denoting denotes represents representing value values
print prints output outputs input return returns single character characters element elements
format following positive negative nonnegative index sequence matrix grid describes describing
respectively each first second between inclusive read reads answer result count total whether
word words digit digits float floats double boolean
"""
_VOCABULARY = frozenset(_TELLING_WORDS.split())
_PLACEHOLDER = re2.compile(r"^(?:\.{3}|…|<[A-Za-z][A-Za-z _-]*>|\{[A-Za-z][A-Za-z_]*\})$")
_FULL_STOP = re2.compile(r"[.!?] +[A-Z]")
_NUMBER_AND_STOP = re2.compile(r"^[+-]?\d+(?:\.\d+)?\.$")


@dataclass(frozen=True, slots=True)
class Fence:
    """A fenced block: the lines between the marks at `start` and `end`."""

    start: int
    end: int
    info: str
    """The text after the opening marks, such as `text`."""


@dataclass(frozen=True, slots=True)
class PromptLines:
    """The lines of a prompt, counted from 0, and the fence that starts or ends at a line."""

    lines: list[str]
    fences: dict[int, Fence]
    ends: dict[int, Fence]
    fenced: list[bool]
    """By line: it is within a fence."""

    def content_of(self, fence: Fence) -> list[str]:
        """Return the lines of a fence, without the indentation of its opening marks."""
        opening = self.lines[fence.start]
        indent = len(opening) - len(opening.lstrip(" \t"))
        return [
            line[indent:] if not line[:indent].strip(" \t") else line
            for line in self.lines[fence.start + 1 : fence.end]
        ]


def read_page(prompt: str) -> PromptLines:
    """Split a prompt into lines and pair its fences.

    A fence that is never closed does not count: its line and all after it are plain text.
    """
    lines = prompt.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    page = PromptLines(lines, {}, {}, [False] * len(lines))
    start, marks, info = -1, "", ""
    for number, line in enumerate(lines):
        bare = line.strip(" \t")
        if not bare.startswith(("```", "~~~")):
            continue
        run = len(bare) - len(bare.lstrip(bare[0]))
        rest = bare[run:].strip(" \t")
        if start < 0:
            if "`" not in rest:
                start, marks, info = number, bare[:run], rest
        elif not rest and bare[0] == marks[0] and run >= len(marks):
            fence = Fence(start, number, info)
            page.fences[start] = page.ends[number] = fence
            page.fenced[start + 1 : number] = [True] * (number - start - 1)
            start = -1
    return page


class LabelKind(Enum):
    """The kind of text that a label announces."""

    INPUT = auto()
    OUTPUT = auto()
    SAMPLES = auto()
    """Samples follow: `Examples`, `Example 1:`, `Sample Input and Output`."""
    ASIDE = auto()
    """An explanation within the samples."""
    SECTION = auto()
    """Another part of the statement; the samples are over."""


@dataclass(slots=True)
class LabelledText:
    """A label on one line, with the text after it."""

    role: LabelKind
    start: int
    """Offset of the label in its line, decoration included."""
    end: int
    """Offset of the text after it."""
    sign: str = ""
    """`:` or `=` after the label; empty for a heading."""
    explicit: bool = False
    """It names itself a sample: `Sample Input`, `Input 1`."""
    number: str = ""
    line: int = 0
    """Line of the label, from 1."""
    same_line: str = ""
    """The text on the label's own line."""
    below: list[str] = field(default_factory=list)
    """The lines below it, up to the next label or fence."""
    fenced: bool = False
    """The text was in a fence."""
    shares_line: bool = False
    """An input's label is on the same line, to the left."""
    cut_short: bool = False
    """A fence that belongs to another label ended the text."""
    follower: LabelKind | None = None
    """The role of the next label."""

    @property
    def is_block(self) -> bool:
        """Tell whether the text has lines of its own."""
        return self.fenced or not self.same_line or bool(self._lines_below())

    @property
    def text(self) -> str:
        """Return the input or output itself, without a line end at its end."""
        if self.fenced:
            return "\n".join(self.below)
        below = textwrap.dedent("\n".join(self._lines_below()))
        return f"{self.same_line}\n{below}" if self.same_line and below else self.same_line or below

    def _lines_below(self) -> list[str]:
        lines = _trimmed(self.below)
        if self.role is LabelKind.INPUT:
            return lines
        return _continued(self.below) if self.same_line else self._paragraphs(lines)

    def _paragraphs(self, lines: list[str]) -> list[str]:
        """Return the lines of an output without the prose after it.

        If the prompt or its section ends after an output, the output ends at its first blank
        line. If another sample or an explanation follows, blank lines are part of the output up
        to a paragraph that is a sentence.
        """
        goes_on = self.follower in (LabelKind.INPUT, LabelKind.SAMPLES, LabelKind.ASIDE)
        gap = 0
        for number, line in enumerate(lines):
            if not line.strip():
                gap = gap or number
            elif gap:
                if not goes_on or is_sentence(line):
                    return lines[:gap]
                gap = 0
        return lines


def labelled_texts(page: PromptLines) -> list[LabelledText]:
    """Return every label of a prompt in order, with its text.

    A fence directly below a label is its text, with any content. Any other fence is searched for
    labels, and its edges end the text before them.
    """
    blocks: list[LabelledText] = []
    number = 0
    while number < len(page.lines):
        fence = page.fences.get(number)
        named = put_label(fence.info) if fence and fence.info else None
        if fence and named:
            named.line = number + 1
            blocks.append(named)
            number = _fill_from(fence, page, named)
            continue
        if fence or number in page.ends:
            if blocks and not blocks[-1].fenced:
                blocks[-1].cut_short = True
            number += 1
            continue
        labels = labels_on(page.lines[number], fenced=page.fenced[number])
        if not labels:
            if blocks and not blocks[-1].fenced and not blocks[-1].cut_short:
                blocks[-1].below.append(page.lines[number])
            number += 1
            continue
        if len(blocks) + len(labels) > MOST_LABELS:
            raise TestsError(
                f"the prompt has more than {MOST_LABELS:,} labels of inputs and outputs; "
                "give the tests themselves"
            )
        _add_texts(page.lines[number], number, labels)
        blocks += labels
        number += 1
        if not blocks[-1].same_line and blocks[-1].role in (LabelKind.INPUT, LabelKind.OUTPUT):
            below = _next_filled(page.lines, number)
            fence = page.fences.get(below)
            if fence:
                number = _fill_from(fence, page, blocks[-1])
    for block, after in pairwise(blocks):
        block.follower = after.role
    return blocks


def labels_on(line: str, *, fenced: bool) -> list[LabelledText]:
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


def put_label(text: str) -> LabelledText | None:
    """Return the label if a text is one for an input or output, as in a fence's info string."""
    match = _PUT_HEADING.search(text) if len(text) <= _LONGEST_HEADING else None
    return _put(match, 0, len(text), "") if match else None


def _heading(line: str, *, fenced: bool) -> LabelledText | None:
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
            return LabelledText(LabelKind.SECTION, 0, len(line))
        return None
    put = _PUT_HEADING.search(bare)
    if put:
        return _put(put, 0, len(line), "")
    if _SAMPLES_HEADING.search(bare):
        return LabelledText(LabelKind.SAMPLES, 0, len(line))
    if _ASIDE_LINE.search(bare):
        return LabelledText(LabelKind.ASIDE, 0, len(line))
    if _SECTION_LINE.search(bare):
        return LabelledText(LabelKind.SECTION, 0, len(line))
    return None


def _inline(line: str) -> list[LabelledText]:
    lowered = line.lower()
    if not ("put" in lowered or "std" in lowered or "ample" in lowered or "test" in lowered):
        return []
    found = [
        _put(match, _with_marks(line, match.start(_LABEL)), match.end(_LABEL), match["sign"])
        for match in islice(_PUT_INLINE.finditer(line), MOST_LABELS + 1)
        if not (match["sign"] == "=" and line.startswith("=", match.end(_LABEL)))
    ]
    found += [
        LabelledText(
            LabelKind.SAMPLES, _with_marks(line, match.start(_LABEL)), match.end(_LABEL), sign=":"
        )
        for match in islice(_SAMPLES_INLINE.finditer(line), MOST_LABELS + 1)
    ]
    found.sort(key=lambda label: label.start)
    return _counting(line, _unquoted(line, found))


def _put(match: re.Match[str], start: int, end: int, sign: str) -> LabelledText:
    number = match["number_before"] or match["number_after"] or ""
    tags = ((match["tag"] or "").lower(), (match["tag_after"] or "").lower())
    return LabelledText(
        LabelKind.INPUT
        if match["put"].lower() in ("input", "inputs", "stdin")
        else LabelKind.OUTPUT,
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


def _unquoted(line: str, labels: list[LabelledText]) -> list[LabelledText]:
    """Return the labels that are not inside double quotes."""
    kept, quotes, seen = [], 0, 0
    for label in labels:
        quotes += line.count('"', seen, label.start)
        seen = label.start
        if quotes % 2 == 0:
            kept.append(label)
    return kept


def _counting(line: str, labels: list[LabelledText]) -> list[LabelledText]:
    """Return the labels that count, by the rules of `labels_on`."""
    kept: list[LabelledText] = []
    for position, label in enumerate(labels):
        after = labels[position + 1] if position + 1 < len(labels) else None
        paired = (
            after is not None
            and label.role is LabelKind.INPUT
            and after.role is LabelKind.OUTPUT
            and after.sign == label.sign
        )
        before = kept[-1] if kept else None
        answers = (
            before is not None
            and label.role is LabelKind.OUTPUT
            and before.role is LabelKind.INPUT
            and before.sign == label.sign
        )
        announces = (
            label.role is LabelKind.SAMPLES
            and after is not None
            and after.role is LabelKind.INPUT
            and not line[label.end : after.start].strip(_AROUND)
        )
        begins = label.sign == ":" and _begins(line, label, before)
        if paired or answers or announces or begins:
            kept.append(label)
    return kept


def _begins(line: str, label: LabelledText, before: LabelledText | None) -> bool:
    start = before.end if before and before.role is LabelKind.SAMPLES else 0
    if label.start - start > _LONGEST_HEADING:
        return False
    return bool(_DECORATION.search(line[start : label.start]))


def _add_texts(line: str, number: int, labels: list[LabelledText]) -> None:
    """Give the labels of a line their line's number and the texts after them."""
    for position, label in enumerate(labels):
        end = labels[position + 1].start if position + 1 < len(labels) else len(line)
        label.line = number + 1
        label.same_line = _value(line[label.end : end], ended=position + 1 < len(labels))
        label.shares_line = position > 0 and labels[position - 1].role is LabelKind.INPUT


def _fill_from(fence: Fence, page: PromptLines, block: LabelledText) -> int:
    """Give a fence's content to a block; return the number of the line after the fence."""
    block.fenced = True
    block.below = page.content_of(fence)
    return fence.end + 1


def _value(text: str, *, ended: bool) -> str:
    """Return the value on a label's line, without separators and code marks."""
    value = text.strip()
    if ended:
        value = _without_separator(text.rstrip()).strip()
    for mark in _CODE_MARKS:
        if len(value) > 2 * len(mark) and value.startswith(mark) and value.endswith(mark):
            inner = value[len(mark) : -len(mark)]
            if mark not in inner:
                return inner.strip()
    return value


def _without_separator(text: str) -> str:
    for separator in _SEPARATORS + _DASHES:
        if text.endswith(separator):
            return text[: -len(separator)]
    return text


def _continued(lines: list[str]) -> list[str]:
    """Return the lines that continue a value: up to a blank line or a sentence."""
    for number, line in enumerate(lines):
        if not line.strip() or is_sentence(line):
            return lines[:number]
    return lines


def _trimmed(lines: list[str]) -> list[str]:
    """Return the lines without blank lines at either end."""
    filled = [number for number, line in enumerate(lines) if line.strip()]
    return lines[filled[0] : filled[-1] + 1] if filled else []


def _next_filled(lines: list[str], number: int) -> int:
    while number < len(lines) and not lines[number].strip():
        number += 1
    return number


def is_description(text: str, *, among_samples: bool) -> bool:
    """Tell whether a text describes an input or an output, or is a placeholder for it.

    Args:
        text: The text after a label.
        among_samples: The label is in a section that announces samples; only plainer prose counts
            as a description there.
    """
    if is_placeholder(text):
        return True
    words = [word.lower() for word in _WORD.findall(text[:_LOOKED_AT])]
    telling = len(_VOCABULARY.intersection(words))
    if among_samples:
        return len(words) >= 4 and telling >= 2
    return len(words) >= 2 and telling >= 1


def is_placeholder(text: str) -> bool:
    """Tell whether a text, or a line of it, is a placeholder: `...`, `<number>`."""
    return any(_PLACEHOLDER.search(line.strip()) for line in text[:_LOOKED_AT].split("\n"))


def is_sentence(text: str) -> bool:
    """Tell whether a paragraph reads as a sentence to a person rather than as output."""
    words = _WORD.findall(text[:_LOOKED_AT])
    bare = text.strip()
    return len(words) >= 3 and (bare[-1] in ".!?:" or bare[0].isupper())


def first_sentence(text: str) -> str:
    """Return a value at the end of a sentence, without the sentences after it."""
    stop = _FULL_STOP.search(text)
    value = text[: stop.start()] if stop else text
    return value[:-1] if _NUMBER_AND_STOP.search(value) else value
