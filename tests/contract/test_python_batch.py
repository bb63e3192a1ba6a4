"""Many Python programs at once: results in order, programs taken as needed, no loop blocked."""

import itertools
from collections.abc import AsyncIterator, Iterator
from contextlib import aclosing

import pytest

from steelyard import ExecutionVerifier, VerifyResult
from steelyard.errors import TestsError, UsageError
from steelyard.sandbox import CellPool
from tests.contract.python_judging import CASES, PATIENT


@pytest.fixture
def verifier(pool: CellPool) -> ExecutionVerifier:
    return ExecutionVerifier(
        CASES[:2], language="python", entry="function:f", limits=PATIENT, pool=pool, max_workers=2
    )


def numbered() -> Iterator[str]:
    """Programs without end; every third one is right."""
    for number in itertools.count():
        yield f"def f(x): return x + {number % 3}"


async def first(results: AsyncIterator[tuple[int, VerifyResult]], count: int) -> list[int]:
    indices = []
    async for index, result in results:
        assert result.success == (index % 3 == 0)
        indices.append(index)
        if len(indices) == count:
            break
    return indices


class TestBatch:
    def test_results_come_in_the_order_of_the_programs(self, verifier: ExecutionVerifier) -> None:
        seen: dict[int, VerifyResult] = {}
        codes = list(itertools.islice(numbered(), 8))
        results = verifier.verify_batch(codes, on_result=seen.__setitem__)
        assert [result.success for result in results] == [n % 3 == 0 for n in range(8)]
        assert [seen[index] for index in range(8)] == results

    def test_programs_are_taken_shortly_before_their_turn(
        self, verifier: ExecutionVerifier
    ) -> None:
        taken = 0

        def codes() -> Iterator[str]:
            nonlocal taken
            for code in numbered():
                taken += 1
                yield code

        results = verifier.iter_batch(codes())
        assert taken == 0
        for given in range(1, 7):
            assert next(results).success == (given % 3 == 1)
            assert taken <= given + 2 * 16
        results.close()  # type: ignore[attr-defined]
        assert taken < 40

    def test_one_goes_on_from_where_one_left(self, verifier: ExecutionVerifier) -> None:
        codes = list(itertools.islice(numbered(), 7))
        whole = [result.success for result in verifier.iter_batch(codes)]
        begun = [result.success for result in itertools.islice(verifier.iter_batch(codes), 3)]
        rest = [result.success for result in verifier.iter_batch(codes[len(begun) :])]
        assert begun + rest == whole

    async def test_they_come_without_blocking_the_loop(self, verifier: ExecutionVerifier) -> None:
        codes = list(itertools.islice(numbered(), 8))
        async with aclosing(verifier.averify_batch(codes)) as results:  # type: ignore[type-var]
            assert sorted(await first(results, 8)) == list(range(8))
        async with aclosing(verifier.averify_batch(numbered())) as results:  # type: ignore[type-var]
            assert len(await first(results, 3)) == 3

    def test_each_program_may_have_tests_of_its_own(self, verifier: ExecutionVerifier) -> None:
        codes = ["def f(x): return x", "def f(x): return -x"]
        suites = [[{"args": [1], "expected": 1}], [{"args": [1], "expected": 1}]]
        assert [r.success for r in verifier.verify_batch(codes, suites=suites)] == [True, False]
        with pytest.raises(UsageError, match="2 programs but 1 sets of tests; give one each"):
            verifier.verify_batch(codes, suites=suites[:1])
        with pytest.raises(UsageError, match="one of test_cases, suites and prompts"):
            verifier.verify_batch(codes, suites=suites, test_cases=CASES)

    def test_the_tests_are_read_before_anything_runs(self, verifier: ExecutionVerifier) -> None:
        ran: list[int] = []
        with pytest.raises(TestsError):
            verifier.verify_batch(
                ["def f(x): return x"] * 2,
                suites=[CASES, [{"args": 1, "expected": 1}]],
                on_result=lambda index, _: ran.append(index),
            )
        assert ran == []
