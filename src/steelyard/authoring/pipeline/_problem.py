"""State an authored problem for solve: by standard input, with its tests."""

from steelyard.authoring.specification import statement_of
from steelyard.errors import SpecificationError
from steelyard.families import args_of
from steelyard.plain import format_of, match_mode_of, text_of_answer, text_of_arguments
from steelyard.schemas import (
    AuthoredSuite,
    Constraints,
    ProblemInput,
    Specification,
    StressSize,
    UnitTest,
)
from steelyard.strength import input_bounds

_USUAL_MS = 2_000.0
_MOST_CHARS_EACH, _MOST_CHARS = 200_000, 4_000_000
_MOST_PROMPT = 200_000


def problem_of(
    task_id: str, spec: Specification, suite: AuthoredSuite, growth: StressSize | None = None
) -> ProblemInput:
    """Return the problem as `solve` takes it.

    Its tests are the cases with an output that are not very large: examples first, then small ones.

    Raises:
        SpecificationError: if a type or a constraint cannot be read.
    """
    statement = statement_of(spec, calls=False)
    prompt = f"{statement}\n\n{format_of(spec)}"[:_MOST_PROMPT]
    prompt = prompt.encode("utf-8", "backslashreplace").decode()  # half of a surrogate pair
    found = []
    for case in suite.cases:
        if not case.has_expected:
            continue
        try:
            given = text_of_arguments(spec, args_of(case.input))
            answer = text_of_answer(spec, case.expected)
        except SpecificationError:
            continue
        size = len(given) + len(answer)
        found.append((not case.evidence.truth and size, size, given, answer))
    tests, room = [], _MOST_CHARS
    for _, size, given, answer in sorted(found, key=lambda each: each[0]):
        if size <= min(room, _MOST_CHARS_EACH):
            room -= size
            tests.append(UnitTest(input=given, output=answer))
    return ProblemInput(
        task_id=task_id,
        prompt=prompt,
        constraints=Constraints(runtime_limit=suite.time_limit_ms or _USUAL_MS),
        unit_tests=tuple(tests),
        input_bounds=dict(list(input_bounds(spec).items())[:10]),
        match_mode=match_mode_of(spec),
        growth=growth,
    )
