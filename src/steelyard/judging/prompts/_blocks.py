"""Assign the text of a prompt to its labels."""

import textwrap
from dataclasses import dataclass, field
from itertools import pairwise

from steelyard.errors import TestsError
from steelyard.judging.prompts._labels import MOST_LABELS, Label, Role, labels_on, put_label
from steelyard.judging.prompts._page import Fence, Page
from steelyard.judging.prompts._prose import is_sentence

_SEPARATORS = (",", ";", "|", "->", "=>", "→", "⇒", "⟶")
_DASHES = (" -", " \N{EN DASH}", " \N{EM DASH}")
_MARKS = ("**", "__", "`")


@dataclass(slots=True)
class Block:
    """A label with the text after it."""

    role: Role
    line: int
    """Line of the label, from 1."""
    explicit: bool = False
    number: str = ""
    sign: str = ""
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
    follower: Role | None = None
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
        if self.role is Role.INPUT:
            return lines
        return _continued(self.below) if self.same_line else self._paragraphs(lines)

    def _paragraphs(self, lines: list[str]) -> list[str]:
        """Return the lines of an output without the prose after it.

        If the prompt or its section ends after an output, the output ends at its first blank
        line. If another sample or an explanation follows, blank lines are part of the output up
        to a paragraph that is a sentence.
        """
        goes_on = self.follower in (Role.INPUT, Role.SAMPLES, Role.ASIDE)
        gap = 0
        for number, line in enumerate(lines):
            if not line.strip():
                gap = gap or number
            elif gap:
                if not goes_on or is_sentence(line):
                    return lines[:gap]
                gap = 0
        return lines


def blocks_of(page: Page) -> list[Block]:
    """Return every label of a prompt in order, with its text.

    A fence directly below a label is its text, with any content. Any other fence is searched for
    labels, and its edges end the text before them.
    """
    blocks: list[Block] = []
    number = 0
    while number < len(page.lines):
        fence = page.fences.get(number)
        named = put_label(fence.info) if fence and fence.info else None
        if fence and named:
            blocks.append(_block(named, number))
            number = _fill_from(fence, page, blocks[-1])
            continue
        if fence or number in page.ends:
            if blocks:
                _cut(blocks[-1])
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
        blocks += _blocks_on(page.lines[number], number, labels)
        number += 1
        if not blocks[-1].same_line and blocks[-1].role in (Role.INPUT, Role.OUTPUT):
            below = _next_filled(page.lines, number)
            fence = page.fences.get(below)
            if fence:
                number = _fill_from(fence, page, blocks[-1])
    for block, after in pairwise(blocks):
        block.follower = after.role
    return blocks


def _blocks_on(line: str, number: int, labels: list[Label]) -> list[Block]:
    found: list[Block] = []
    for position, label in enumerate(labels):
        end = labels[position + 1].start if position + 1 < len(labels) else len(line)
        block = _block(label, number)
        block.same_line = _value(line[label.end : end], ended=position + 1 < len(labels))
        block.shares_line = bool(found) and found[-1].role is Role.INPUT
        found.append(block)
    return found


def _block(label: Label, number: int) -> Block:
    return Block(label.role, number + 1, label.explicit, label.number, label.sign)


def _fill_from(fence: Fence, page: Page, block: Block) -> int:
    """Give a fence's content to a block; return the number of the line after the fence."""
    block.fenced = True
    block.below = page.content_of(fence)
    return fence.end + 1


def _cut(block: Block) -> None:
    if not block.fenced:
        block.cut_short = True


def _value(text: str, *, ended: bool) -> str:
    """Return the value on a label's line, without separators and code marks."""
    value = text.strip()
    if ended:
        value = _without_separator(text.rstrip()).strip()
    for mark in _MARKS:
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
