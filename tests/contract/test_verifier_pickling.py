"""Verifiers in other processes: a pickle holds the constructor's arguments."""

import copy
import multiprocessing
import pickle
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import pytest

from steelyard import (
    CellPool,
    Checker,
    ExecutionVerifier,
    Limits,
    Policy,
    VerifyResult,
    pass_rate,
)
from steelyard.errors import UsageError
from steelyard.sandbox import shared_pool

TESTS = [{"input": "5", "expected": "25"}, {"input": "6", "expected": "30"}]
SQUARE = "print(int(input()) ** 2)"


class Named(ExecutionVerifier):
    """A user's own kind, with another constructor and a field of its own."""

    def __init__(self, name: str) -> None:
        super().__init__(TESTS, language="python", reward=pass_rate)
        self.name = name


def again(verifier: ExecutionVerifier) -> ExecutionVerifier:
    made: ExecutionVerifier = pickle.loads(pickle.dumps(verifier))
    return made


def test_it_judges_as_before_in_a_process_of_its_own() -> None:
    verifier = ExecutionVerifier(TESTS, language="python", reward=pass_rate, run_timeout=60)
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(1, mp_context=context) as executor:
        result = executor.submit(verifier.verify, SQUARE).result(timeout=300)
    assert (result.reward, result.details) == (0.5, verifier.verify(SQUARE).details)


def test_every_argument_is_kept(tmp_path: Path) -> None:
    policy = Policy(modules=("math",))
    verifier = ExecutionVerifier(
        [{"args": [2], "expected": [4]}],
        None,
        (),
        20,
        9,
        3,
        "numeric",
        False,
        tmp_path,
        entry="function:f",
        rel_tol=0.1,
        limits=Limits(memory_mib=99),
        fail_fast=True,
        isolation="per_candidate",
        preload=("fractions",),
        seed=None,
        policy=policy,
    )
    made = again(verifier)
    assert made._given == verifier._given | {"test_cases": verifier.suite}
    assert made.options == verifier.options
    assert made._judges.of(made._row).cache.folder == tmp_path


def test_the_tests_are_those_of_now() -> None:
    verifier = ExecutionVerifier(TESTS, language="python")
    verifier.set_test_cases([{"input": "", "expected": "1"}])
    assert again(verifier).verify("print(1)").success


def test_a_pool_of_ones_own_is_left_out(pool: CellPool) -> None:
    verifier = ExecutionVerifier(TESTS, language="python", pool=pool)
    assert verifier._judges.of(verifier._row).pool is pool
    assert again(verifier).options.cells is shared_pool()


def test_kinds_of_a_users_own_keep_their_fields() -> None:
    made = again(Named("mine"))
    assert isinstance(made, Named)
    assert (made.name, made.verify(SQUARE).reward) == ("mine", 0.5)
    assert copy.copy(made).name == "mine"


@pytest.mark.parametrize("name", ["reward", "checker"])
def test_what_cannot_be_pickled_is_named(name: str) -> None:
    class Local(Checker):
        def __call__(self, _: VerifyResult) -> float:
            return 0.0

    verifier = ExecutionVerifier(TESTS, language="python", **{name: Local()})  # type: ignore[arg-type]
    with pytest.raises(UsageError, match=rf"its {name} cannot.*at the top of a module") as caught:
        pickle.dumps(verifier)
    assert "\n" not in str(caught.value)
