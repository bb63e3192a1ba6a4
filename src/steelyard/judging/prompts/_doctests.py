"""Read interactive examples, `>>> square(5)` with the result below, as tests."""

import textwrap
from collections.abc import Iterator
from dataclasses import dataclass

from steelyard.judging.prompts._literals import Argument, Scanner, UnreadableError
from steelyard.judging.prompts._page import Page
from steelyard.judging.prompts._samples import PassedOver, Sample, Shape

_PROMPT = ">>>"
_MORE = "..."
_QUOTES = ('"""', "'''")


@dataclass(frozen=True, slots=True)
class _Example:
    line: int
    source: str
    shown: str


def doctest_samples(page: Page) -> Iterator[Sample | PassedOver]:
    """Yield calls with literal arguments and a shown result, if all call one function."""
    calls: list[tuple[str, Sample]] = []
    for example in _examples(page):
        try:
            function, arguments = _call(example.source)
        except UnreadableError as error:
            yield PassedOver(example.line, f"a doctest that is not a call with literals ({error})")
            continue
        if not example.shown:
            yield PassedOver(example.line, "a doctest that shows no result")
            continue
        if example.shown.startswith("Traceback (most recent call last)"):
            yield PassedOver(example.line, "a doctest that raises")
            continue
        sample = Sample(
            Shape.DOCTEST,
            example.line,
            "".join(argument.json + "\n" for argument in arguments),
            example.shown,
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


def _examples(page: Page) -> Iterator[_Example]:
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
            text, quote, _ = _before_quotes(page.lines[number])
            if text.strip() or not quote:
                shown.append(text)
            number += 1
            if quote:
                break
        yield _Example(start + 1, "\n".join(source), _shown(shown))


def _ends(page: Page, number: int, indent: int) -> bool:
    line = page.lines[number]
    return (
        not line.strip()
        or line.lstrip(" \t").startswith(_PROMPT)
        or bool(line[:indent].strip(" \t"))
        or number in page.ends
    )


def _before_quotes(line: str) -> tuple[str, str, str]:
    for quote in _QUOTES:
        if quote in line:
            return line.partition(quote)
    return line, "", ""


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
