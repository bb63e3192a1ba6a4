"""An error in a batch: it names its program, or stands in its position, and no other is lost."""

from collections.abc import Callable

import pytest

from steelyard import ErrorResult, ExecutionVerifier, VerifyResult
from steelyard.errors import TestsError, UsageError
from steelyard.sandbox import CellPool

GOOD = [{"input": "", "expected": "1"}]
BAD = [{"input": "1"}]
SUITES = [GOOD, BAD, GOOD]


@pytest.fixture
def verifier(pool: CellPool) -> ExecutionVerifier:
    return ExecutionVerifier(language="python", pool=pool, max_workers=2)


def shown(results: list[VerifyResult | ErrorResult]) -> list[str]:
    return [each.type if isinstance(each, ErrorResult) else str(each.success) for each in results]


def test_a_bad_suite_loses_nothing(verifier: ExecutionVerifier) -> None:
    seen: dict[int, VerifyResult | ErrorResult] = {}
    results = verifier.verify_batch(
        ["print(1)"] * 3, suites=SUITES, on_error="result", on_result=seen.__setitem__
    )
    assert shown(results) == ["True", "TestsError", "True"]
    error = results[1]
    assert isinstance(error, ErrorResult)
    assert (error.index, error.exit_status) == (1, 2)
    assert '"expected"' in error.message
    assert "\n" not in error.message
    assert [seen[index] for index in range(3)] == results


def test_what_is_no_program_loses_nothing(verifier: ExecutionVerifier) -> None:
    programs = ["print(1)", None, "print(2)"]
    results = verifier.verify_batch(programs, test_cases=GOOD, on_error="result")  # type: ignore[list-item]
    assert shown(results) == ["True", "UsageError", "False"]


def test_one_by_one_and_as_they_come(verifier: ExecutionVerifier) -> None:
    programs = ["print(1)"] * 3
    results = list(verifier.iter_batch(programs, suites=SUITES, on_error="result"))
    assert shown(results) == ["True", "TestsError", "True"]


async def test_as_they_come(verifier: ExecutionVerifier) -> None:
    programs = ["print(1)"] * 3
    pairs = [
        pair async for pair in verifier.averify_batch(programs, suites=SUITES, on_error="result")
    ]
    assert shown([result for _, result in sorted(pairs, key=lambda pair: pair[0])]) == [
        "True",
        "TestsError",
        "True",
    ]


@pytest.mark.parametrize(
    "start",
    [
        lambda verifier, programs: verifier.verify_batch(programs, suites=SUITES),
        lambda verifier, programs: list(verifier.iter_batch(programs, suites=SUITES)),
        lambda verifier, programs: verifier.averify_batch(programs, suites=SUITES),
    ],
)
def test_an_error_that_is_raised_names_the_program(
    verifier: ExecutionVerifier, start: Callable[[ExecutionVerifier, list[str]], object]
) -> None:
    with pytest.raises(TestsError, match=r"^program 1: "):
        start(verifier, ["print(1)"] * 3)


def test_an_error_under_way_names_the_program(verifier: ExecutionVerifier) -> None:
    with pytest.raises(UsageError, match=r"^program 1: program must be str, bytes or a Path"):
        verifier.verify_batch(["print(1)", None], test_cases=GOOD)  # type: ignore[list-item]
    with pytest.raises(TestsError, match=r"^program 0: there are no tests"):
        verifier.verify_batch(["print(1)"])


def test_an_error_of_the_callers_reward_names_the_program(pool: CellPool) -> None:
    def reward(result: VerifyResult) -> float:
        return 1 / len(result.details.removeprefix("compiled; 1 of 1 tests passed"))

    verifier = ExecutionVerifier(GOOD, language="python", pool=pool, reward=reward)
    with pytest.raises(ZeroDivisionError) as caught:
        verifier.verify_batch(["print(2)", "print(1)"])
    assert caught.value.__notes__ == ["while judging program 1 of the batch"]
    results = verifier.verify_batch(["print(2)", "print(1)"], on_error="result")
    assert shown(results) == ["False", "ZeroDivisionError"]


def test_a_reward_is_a_finite_number(pool: CellPool) -> None:
    for reward, value in ((lambda _: "x", "'x'"), (lambda _: float("nan"), "nan")):
        verifier = ExecutionVerifier(GOOD, language="python", pool=pool, reward=reward)
        with pytest.raises(UsageError, match=f"must be a finite number, got {value}"):
            verifier.verify("print(1)")


def test_a_prompt_that_is_no_text_is_the_error_of_its_program(verifier: ExecutionVerifier) -> None:
    prompts = ["Input: 5 Output: 25", None]
    results = verifier.verify_batch(
        ["print(25)", "print(1)"],
        prompts=prompts,  # type: ignore[arg-type]
        on_error="result",
    )
    assert shown(results) == ["True", "UsageError"]


def test_programs_and_suites_of_other_numbers_are_refused(verifier: ExecutionVerifier) -> None:
    for count, words in ((3, "more programs than the 2"), (1, "more sets of tests than the 1")):
        programs = (text for text in ["print(1)"] * count)
        with pytest.raises(UsageError, match=words):
            verifier.verify_batch(programs, suites=[GOOD, GOOD])


def test_the_choice_is_one_of_two(verifier: ExecutionVerifier) -> None:
    with pytest.raises(UsageError, match=r"on_error is 'skip'; use raise or result"):
        verifier.verify_batch(["print(1)"], test_cases=GOOD, on_error="skip")  # type: ignore[call-overload]
