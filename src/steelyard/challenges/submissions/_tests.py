"""Make the tests of a suite: calls for Python, text for every other language."""

from steelyard.challenges.submissions._problem import CurrentProblem
from steelyard.errors import TestsError
from steelyard.families import args_of
from steelyard.judging import Checker, checker_for
from steelyard.plain import match_mode_of, text_of_answer, text_of_arguments
from steelyard.schemas import TestCase, TestSuite
from steelyard.strength import SpecCalls


def called(problem: CurrentProblem) -> tuple[TestSuite, Checker]:
    """Return the tests as calls of `solve`, and what compares the answers.

    Raises:
        TestsError: if no case has an expected output.
        SpecificationError: if an input cannot be expanded.
    """
    calls = SpecCalls(problem.spec)
    return calls.suite_of(problem.decided), calls.checker


def read_as_text(problem: CurrentProblem) -> tuple[TestSuite, Checker]:
    """Return the tests as standard input and output, and what compares the outputs.

    Raises:
        TestsError: if no case has an expected output.
        SpecificationError: if an input cannot be expanded, or a value cannot be written.
    """
    spec = problem.spec
    cases = tuple(
        TestCase(
            input=_encoded(text_of_arguments(spec, args_of(case.input))),
            expected=_encoded(text_of_answer(spec, case.expected)),
            name=case.name,
            category=case.category,
        )
        for case in problem.decided
    )
    if not cases:
        raise TestsError("no case of the suite has an expected output; compute outputs first")
    return TestSuite(cases=cases, source="suite"), checker_for(match_mode_of(spec))


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")
