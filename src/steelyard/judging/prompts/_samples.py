"""Pair announced inputs with announced outputs, as tests."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

import re2

from steelyard.judging.prompts._blocks import Block, blocks_of
from steelyard.judging.prompts._labels import Role
from steelyard.judging.prompts._literals import (
    UnreadableError,
    named_arguments,
    unquoted,
)
from steelyard.judging.prompts._page import Page
from steelyard.judging.prompts._prose import first_sentence, is_description, is_placeholder


class Shape(StrEnum):
    """A usual notation of a test in a prompt."""

    INLINE = "inline"
    """`Input: 5 Output: 25`, on one line or two."""
    EQUALS = "equals"
    """`Example: input=5, output=25`."""
    BLOCKS = "blocks"
    """`Input` and `Output` with lines below each, fenced or not."""
    ARGUMENTS = "arguments"
    """`Input: nums = [2,7], target = 9` with `Output: [0,1]`."""
    DOCTEST = "doctest"
    """`>>> square(5)` with `25` on the line below."""


@dataclass(frozen=True, slots=True)
class Sample:
    """A test as a prompt shows it."""

    shape: Shape
    line: int
    """Line of the input's label, from 1."""
    input: str
    expected: str
    arguments: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PassedOver:
    """A text that looks like a test but was skipped."""

    line: int
    reason: str

    def __str__(self) -> str:
        return f"line {self.line}: {self.reason}"


_ASSIGNMENT = re2.compile(r"^[A-Za-z_][A-Za-z0-9_]*(?:\[\])*[ \t]*=(?:[^=]|$)")


def labelled_samples(page: Page) -> Iterator[Sample | PassedOver]:
    """Yield the samples that labels announce, each an input with the output after it.

    If a prompt announces its samples (`Examples`, `Sample Input`), labels outside of them head
    descriptions and are skipped, unless an input and its output are numbers on one line.
    """
    blocks = blocks_of(page)
    announced = any(
        block.role is Role.SAMPLES or (block.role is Role.INPUT and block.explicit)
        for block in blocks
    )
    among_samples = False
    pending: Block | None = None
    crowded = False
    for block in blocks:
        match block.role:
            case Role.SAMPLES | Role.SECTION:
                among_samples, pending, crowded = block.role is Role.SAMPLES, None, False
            case Role.INPUT:
                crowded = (
                    pending is not None
                    and bool(pending.text)
                    and (pending.explicit or not block.explicit)
                )
                pending = block
            case Role.OUTPUT if pending is not None:
                apart = announced and not among_samples and not pending.explicit
                if apart and not (block.shares_line and _is_bare_data(pending.text, block.text)):
                    yield PassedOver(pending.line, "an input apart from the announced samples")
                elif crowded:
                    yield PassedOver(pending.line, "several inputs before one output")
                else:
                    yield _sample(pending, block, among_samples=among_samples)
                pending, crowded = None, False
            case _:
                pass


def _is_bare_data(*texts: str) -> bool:
    return not any(character.isalpha() for text in texts for character in text)


def _sample(source: Block, answer: Block, *, among_samples: bool) -> Sample | PassedOver:
    text, expected = source.text, answer.text
    if answer.shares_line and not answer.is_block:
        expected = first_sentence(expected)
    assigned = not source.fenced and bool(_ASSIGNMENT.search(text))
    announced = among_samples or source.explicit
    fault = (
        _fault_of_pair(source, answer)
        or ("" if assigned else _fault_of_text(source, text, announced=announced))
        or _fault_of_text(answer, expected, announced=announced)
    )
    if fault:
        return PassedOver(source.line, fault)
    if assigned:
        return _with_arguments(source.line, text, expected)
    if source.is_block:
        return Sample(Shape.BLOCKS, source.line, text + "\n" if text else "", expected)
    shape = Shape.EQUALS if source.sign == "=" else Shape.INLINE
    return Sample(shape, source.line, _ended(unquoted(text)), unquoted(expected))


def _with_arguments(line: int, text: str, expected: str) -> Sample | PassedOver:
    try:
        arguments = named_arguments(text)
    except UnreadableError as error:
        return PassedOver(line, f"arguments that cannot be read ({error})")
    stdin = "".join(argument.json + "\n" for argument in arguments)
    names = tuple(argument.name for argument in arguments)
    return Sample(Shape.ARGUMENTS, line, stdin, expected, names)


def _ended(text: str) -> str:
    """Return text as standard input: with a line end at its end, unless it is empty."""
    return text if not text or text.endswith("\n") else text + "\n"


def _fault_of_pair(source: Block, answer: Block) -> str:
    """Return the reason why an input and an output do not belong together; empty if they do."""
    if source.number and answer.number and source.number != answer.number:
        return f"input {source.number} before output {answer.number}"
    if source.cut_short:
        return "an input that runs into a fence"
    return ""


def _fault_of_text(block: Block, text: str, *, announced: bool) -> str:
    """Return the reason why a text is not the data that its label announces; empty if it is."""
    what = "input" if block.role is Role.INPUT else "output"
    if block.fenced:
        return f"an {what} that is a placeholder" if is_placeholder(text) else ""
    if not text:
        return f"an empty {what}"
    if any(line.lstrip().startswith(("```", "~~~")) for line in text.split("\n")):
        return f"an {what} in a fence that is never closed"
    if text[0] not in "'\"" and is_description(text, among_samples=announced):
        return f"an {what} that is described, not given"
    return ""
