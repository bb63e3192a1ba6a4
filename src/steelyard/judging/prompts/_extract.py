"""Extract every test that a prompt shows, as one suite.

1. Announced inputs are paired with announced outputs.
2. Interactive examples, `>>> square(5)` with the result below, are calls with literals.
3. Both kinds are put in the order of their lines. A repeated test counts once.
"""

import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from itertools import chain

import re2

from steelyard._arguments import checks_arguments
from steelyard.errors import TestsError
from steelyard.judging.prompts._labels import (
    LabelKind,
    LabelledText,
    PromptLines,
    first_sentence,
    is_description,
    is_placeholder,
    labelled_texts,
    read_page,
)
from steelyard.judging.prompts._literals import (
    Argument,
    LiteralError,
    Scanner,
    named_arguments,
    unquoted,
)
from steelyard.schemas import TestCase, TestSuite

LONGEST_PROMPT_CHARACTERS = 1_000_000
MOST_CASES = 1_000
_MOST_PASSED_OVER = 20
_ADVICE = "give the tests themselves"
_ASSIGNMENT = re2.compile(r"^[A-Za-z_][A-Za-z0-9_]*(?:\[\])*[ \t]*=(?:[^=]|$)")
_PROMPT = ">>>"
_MORE = "..."
_QUOTES = re2.compile(r"""\"{3}|'{3}""")


class Notation(StrEnum):
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
class FoundCase:
    """The position of a case in the prompt."""

    name: str
    shape: Notation
    line: int
    """The line of the prompt, from 1, on which the case begins."""
    arguments: tuple[str, ...] = ()
    """For `arguments` and `doctest`: the name of each input line, or an empty text."""


@dataclass(frozen=True, slots=True)
class ExtractedTests:
    """The tests that a prompt shows."""

    suite: TestSuite
    """At least one case, in the order of the prompt, named "1", "2", and so on."""
    shapes: tuple[Notation, ...]
    """The shapes that were found, in order of their first appearance."""
    found: tuple[FoundCase, ...]
    """One entry a case."""
    passed_over: tuple[str, ...] = ()
    """Texts that look like tests but were skipped, with line and reason; bounded."""


@checks_arguments
def extract_tests(prompt: str) -> ExtractedTests:
    r"""Extract the tests that a prompt shows in one of the usual shapes.

    The shapes, and what a program reads on standard input and is expected to write:

    - `inline`: `Input: 5 Output: 25`, on one line or two, several to a prompt. Quotes or
      backticks around a whole value are not part of it; in quotes, `\n` is a line end.
    - `equals`: `Example: input=5, output=25`, both on one line; values as above.
    - `blocks`: `Input` and `Output` (or `Sample Input 1`, `**Input**`, `### Input`, ...) with
      lines below each. A fence right below is taken as it is, blank lines too. Without one, an
      input runs to its output, and an output to the next label or to prose after a blank line.
    - `arguments`: `Input: nums = [2,7], target = 9` with `Output: [0,1]`. The input is one JSON
      value a line, in order (`[2,7]` and `9`); the output stays as the prompt shows it.
    - `doctest`: `>>> square(5)` with `25` below. The input is the arguments, one JSON value a
      line (a Python literal becomes JSON: `True` is `true`, a tuple a list); the output stays
      as shown, as `repr` writes it. Calls with other than literals, calls that raise or show
      nothing, and calls of several functions are skipped.

    Doubtful text is listed in `passed_over` and not guessed: a text that describes an input, an
    input apart from announced samples, several inputs before one output. Every input ends in a
    line end. A repeated test counts once. The prompt is only read, in time linear in its length,
    and nothing of it is run.

    Args:
        prompt: The text, of at most 1,000,000 characters.

    Returns:
        The tests, each with its position and shape.

    Raises:
        TestsError: if there is no test, more than 1,000 tests, or two outputs for one input; or
            if the prompt is too long, has more than 10,000 labels, or is not Unicode text.
    """
    if len(prompt) > LONGEST_PROMPT_CHARACTERS:
        raise TestsError(
            f"the prompt has more than {LONGEST_PROMPT_CHARACTERS:,} characters; {_ADVICE}"
        )
    try:
        prompt.encode()
    except UnicodeEncodeError as error:
        raise TestsError("the prompt holds half a surrogate pair; decode it as UTF-8") from error
    samples: dict[str, PromptTest] = {}
    shapes: dict[Notation, None] = {}
    passed_over: list[PassedOver] = []
    page = read_page(prompt)
    items = chain(labelled_samples(page), doctest_samples(page))
    for item in sorted(items, key=lambda item: item.line):
        if isinstance(item, PassedOver):
            if len(passed_over) < _MOST_PASSED_OVER:
                passed_over.append(item)
            continue
        shapes.setdefault(item.shape)
        first = samples.setdefault(item.input, item)
        if first.expected != item.expected:
            raise TestsError(
                f"the prompt gives two outputs for one input, at lines {first.line} and "
                f"{item.line}; {_ADVICE}"
            )
        if len(samples) > MOST_CASES:
            raise TestsError(
                f"the prompt shows more than {MOST_CASES:,} tests; give them as a file"
            )
    if not samples:
        raise TestsError(_none_found(passed_over))
    return _extracted(list(samples.values()), tuple(shapes), passed_over)


@dataclass(frozen=True, slots=True)
class PromptTest:
    """A test as a prompt shows it."""

    shape: Notation
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


def _none_found(passed_over: list[PassedOver]) -> str:
    if not passed_over:
        return f"no test was found in the prompt; {_ADVICE}, or write them as Input: 5 Output: 25"
    return f"no test was found in the prompt ({passed_over[0]}); {_ADVICE}"


def _extracted(
    samples: list[PromptTest], shapes: tuple[Notation, ...], passed_over: list[PassedOver]
) -> ExtractedTests:
    named = [(str(number), sample) for number, sample in enumerate(samples, start=1)]
    cases = tuple(
        TestCase(input=sample.input.encode(), expected=sample.expected.encode(), name=name)
        for name, sample in named
    )
    return ExtractedTests(
        suite=TestSuite(cases=cases, source=f"prompt ({', '.join(shapes)})"),
        shapes=shapes,
        found=tuple(
            FoundCase(name, sample.shape, sample.line, sample.arguments) for name, sample in named
        ),
        passed_over=tuple(str(item) for item in passed_over),
    )


def labelled_samples(page: PromptLines) -> Iterator[PromptTest | PassedOver]:
    """Yield the samples that labels announce, each an input with the output after it.

    If a prompt announces its samples (`Examples`, `Sample Input`), labels outside of them head
    descriptions and are skipped, unless an input and its output are numbers on one line.
    """
    blocks = labelled_texts(page)
    announced = any(
        block.role is LabelKind.SAMPLES or (block.role is LabelKind.INPUT and block.explicit)
        for block in blocks
    )
    among_samples = False
    pending: LabelledText | None = None
    crowded = False
    for block in blocks:
        match block.role:
            case LabelKind.SAMPLES | LabelKind.SECTION:
                among_samples, pending, crowded = block.role is LabelKind.SAMPLES, None, False
            case LabelKind.INPUT:
                crowded = (
                    pending is not None
                    and bool(pending.text)
                    and (pending.explicit or not block.explicit)
                )
                pending = block
            case LabelKind.OUTPUT if pending is not None:
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


def _sample(
    source: LabelledText, answer: LabelledText, *, among_samples: bool
) -> PromptTest | PassedOver:
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
        return PromptTest(Notation.BLOCKS, source.line, text + "\n" if text else "", expected)
    shape = Notation.EQUALS if source.sign == "=" else Notation.INLINE
    return PromptTest(shape, source.line, _ended(unquoted(text)), unquoted(expected))


def _with_arguments(line: int, text: str, expected: str) -> PromptTest | PassedOver:
    try:
        arguments = named_arguments(text)
    except LiteralError as error:
        return PassedOver(line, f"arguments that cannot be read ({error})")
    stdin = "".join(argument.json + "\n" for argument in arguments)
    names = tuple(argument.name for argument in arguments)
    return PromptTest(Notation.ARGUMENTS, line, stdin, expected, names)


def _ended(text: str) -> str:
    """Return text as standard input: with a line end at its end, unless it is empty."""
    return text if not text or text.endswith("\n") else text + "\n"


def _fault_of_pair(source: LabelledText, answer: LabelledText) -> str:
    """Return the reason why an input and an output do not belong together; empty if they do."""
    if source.number and answer.number and source.number != answer.number:
        return f"input {source.number} before output {answer.number}"
    if source.cut_short:
        return "an input that runs into a fence"
    return ""


def _fault_of_text(block: LabelledText, text: str, *, announced: bool) -> str:
    """Return the reason why a text is not the data that its label announces; empty if it is."""
    what = "input" if block.role is LabelKind.INPUT else "output"
    if block.fenced:
        return f"an {what} that is a placeholder" if is_placeholder(text) else ""
    if not text:
        return f"an empty {what}"
    if any(line.lstrip().startswith(("```", "~~~")) for line in text.split("\n")):
        return f"an {what} in a fence that is never closed"
    if text[0] not in "'\"" and is_description(text, among_samples=announced):
        return f"an {what} that is described, not given"
    return ""


def doctest_samples(page: PromptLines) -> Iterator[PromptTest | PassedOver]:
    """Yield calls with literal arguments and a shown result, if all call one function."""
    calls: list[tuple[str, PromptTest]] = []
    for line, source, shown in _examples(page):
        try:
            function, arguments = _call(source)
        except LiteralError as error:
            yield PassedOver(line, f"a doctest that is not a call with literals ({error})")
            continue
        if not shown or shown.startswith("Traceback (most recent call last)"):
            fault = "a doctest that raises" if shown else "a doctest that shows no result"
            yield PassedOver(line, fault)
            continue
        sample = PromptTest(
            Notation.DOCTEST,
            line,
            "".join(argument.json + "\n" for argument in arguments),
            shown,
            tuple(argument.name for argument in arguments),
        )
        calls.append((function, sample))
    functions = sorted({function for function, _ in calls})
    if len(functions) > 1:
        named = ", ".join(functions[:4])
        yield PassedOver(calls[0][1].line, f"doctests of several functions ({named})")
        return
    for _, sample in calls:
        yield sample


def _examples(page: PromptLines) -> Iterator[tuple[int, str, str]]:
    """Yield the line of each example, its source, and what it shows."""
    number = 0
    while number < len(page.lines):
        line = page.lines[number]
        bare = line.lstrip(" \t")
        if not bare.startswith(_PROMPT) or bare[len(_PROMPT) :][:1] not in ("", " "):
            number += 1
            continue
        indent = len(line) - len(bare)
        start = number
        source = [bare[len(_PROMPT) + 1 :]]
        number += 1
        while number < len(page.lines) and page.lines[number].lstrip(" \t").startswith(_MORE):
            source.append(page.lines[number].lstrip(" \t")[len(_MORE) + 1 :])
            number += 1
        shown: list[str] = []
        while number < len(page.lines) and not _ends(page, number, indent):
            quote = _QUOTES.search(page.lines[number])
            text = page.lines[number][: quote.start() if quote else None]
            if text.strip() or not quote:
                shown.append(text)
            number += 1
            if quote:
                break
        yield start + 1, "\n".join(source), _shown(shown)


def _ends(page: PromptLines, number: int, indent: int) -> bool:
    line = page.lines[number]
    return (
        not line.strip()
        or line.lstrip(" \t").startswith(_PROMPT)
        or bool(line[:indent].strip(" \t"))
        or number in page.ends
    )


def _shown(lines: list[str]) -> str:
    text = textwrap.dedent("\n".join(line.rstrip() for line in lines))
    return "\n".join("" if line == "<BLANKLINE>" else line for line in text.split("\n"))


def _call(source: str) -> tuple[str, list[Argument]]:
    """Return the function that a line calls and its arguments; `print(f(x))` counts as `f(x)`."""
    scanner = Scanner(source.strip())
    function = scanner.take_name()
    printed = function == "print" and scanner.take("(")
    if printed:
        scanner.skip_space()
        function = scanner.take_name()
    if not function or not scanner.take("("):
        raise scanner.unreadable()
    arguments = scanner.arguments(")")
    scanner.skip_space()
    if printed and not scanner.take(")"):
        raise scanner.unreadable()
    scanner.skip_space()
    rest = scanner.text[scanner.at :]
    if rest and not (rest.startswith("#") and "doctest:" not in rest):
        raise scanner.unreadable()
    return function, arguments
