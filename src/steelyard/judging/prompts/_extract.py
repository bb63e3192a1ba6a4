"""Extract every test that a prompt shows, as one suite."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain

from steelyard._arguments import checks_arguments
from steelyard.errors import TestsError
from steelyard.judging.prompts._doctests import doctest_samples
from steelyard.judging.prompts._page import read_page
from steelyard.judging.prompts._samples import PassedOver, Sample, Shape, labelled_samples
from steelyard.schemas import TestCase, TestSuite

LONGEST_PROMPT_CHARACTERS = 1_000_000
MOST_CASES = 1_000
_MOST_PASSED_OVER = 20
_ADVICE = "give the tests themselves"


@dataclass(frozen=True, slots=True)
class FoundCase:
    """The position of a case in the prompt."""

    name: str
    shape: Shape
    line: int
    """The line of the prompt, from 1, on which the case begins."""
    arguments: tuple[str, ...] = ()
    """For `arguments` and `doctest`: the name of each input line, or an empty text."""


@dataclass(frozen=True, slots=True)
class ExtractedTests:
    """The tests that a prompt shows."""

    suite: TestSuite
    """At least one case, in the order of the prompt, named "1", "2", and so on."""
    shapes: tuple[Shape, ...]
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
    if not _is_unicode(prompt):
        raise TestsError("the prompt holds half a surrogate pair; decode it as UTF-8")
    samples: dict[str, Sample] = {}
    shapes: dict[Shape, None] = {}
    passed_over: list[PassedOver] = []
    for item in _items(prompt):
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


def _is_unicode(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _items(prompt: str) -> Iterator[Sample | PassedOver]:
    """Return the results of both readers, by line."""
    page = read_page(prompt)
    items = chain(labelled_samples(page), doctest_samples(page))
    return iter(sorted(items, key=lambda item: item.line))


def _none_found(passed_over: list[PassedOver]) -> str:
    if not passed_over:
        return f"no test was found in the prompt; {_ADVICE}, or write them as Input: 5 Output: 25"
    return f"no test was found in the prompt ({passed_over[0]}); {_ADVICE}"


def _extracted(
    samples: list[Sample], shapes: tuple[Shape, ...], passed_over: list[PassedOver]
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
