"""An engine gives each job's result once, as judging gives it, within bounds."""

import socket
import threading
from importlib.util import find_spec

import pytest

from steelyard.errors import BudgetError, InfrastructureError, UsageError
from steelyard.evaluation.engines import open_engine
from steelyard.judging import judge
from steelyard.schemas import EngineJob, Verdict
from tests.engine_jobs import BLOBS, DIGEST, PROGRAMS, TASK, by_key, job, jobs, timeless


def test_results_are_those_of_judging() -> None:
    with open_engine(jobs=2) as engine:
        results = by_key(list(engine.run(jobs(10), BLOBS)))
        (node,) = engine.nodes
    assert node.workers == 2
    assert node.isolation is not None
    for key, value in results.items():
        number, _, name = key.partition(":")
        text = f"{PROGRAMS[name]}# sample {number}\n".encode("utf-8", "surrogateescape")
        alone = judge(text, TASK.tests, entry=TASK.entry, language="python")
        assert value == timeless(alone.model_dump(mode="json"))
    verdicts = {key: {case["verdict"] for case in value["cases"]} for key, value in results.items()}
    assert verdicts["6:right"] == {Verdict.AC}
    assert verdicts["3:broken"] == {Verdict.CE}


def test_jobs_are_taken_shortly_before_their_turn() -> None:
    taken = 0

    def endless() -> "list[EngineJob]":
        nonlocal taken
        while True:
            taken += 1
            yield job(str(taken), PROGRAMS["right"])

    with open_engine(jobs=2) as engine:
        results = engine.run(endless(), BLOBS)
        for given, _ in zip(range(1, 20), results, strict=False):
            assert taken <= given + 2 * 2 + 1
        results.close()
        again = by_key(list(engine.run(jobs(3), BLOBS)))
    assert len(again) == 3


def test_infrastructure_is_tried_again_and_the_rest_is_not_disturbed() -> None:
    lost = job("lost", PROGRAMS["right"], blobs=())
    bad = job("bad", "", data={"task": next(iter(BLOBS))})
    with open_engine(jobs=2) as engine:
        results = {each.key: each for each in engine.run([lost, bad, *jobs(4)], BLOBS)}
    assert len(results) == 6
    error = results["lost"].error
    assert error is not None
    assert (error.exit_status, results["lost"].tries) == (3, 3)
    error = results["bad"].error
    assert error is not None
    assert (error.exit_status, results["bad"].tries) == (2, 1)


def test_a_job_that_hangs_ends_and_disturbs_no_other() -> None:
    slow = job("slow", "import time\ndef double(n):\n    time.sleep(9)\n    return 2 * n\n")
    with open_engine(jobs=1, job_timeout_s=3) as engine:
        results = {each.key: each for each in engine.run([slow, *jobs(10)], BLOBS)}
    lost = results.pop("slow")
    assert lost.error is not None
    assert lost.error.exit_status == 3
    assert "longer than 3 s" in lost.error.message
    assert lost.tries == 3
    assert len(by_key(list(results.values()))) == 10


def test_the_strength_of_a_suite_is_a_job() -> None:
    def measured(key: str, reference: str) -> EngineJob:
        return job(
            key, "", kind="suite", data={"task": DIGEST, "reference": reference, "mutants": 3}
        )

    with open_engine(jobs=1) as engine:
        found = engine.run([measured(name, PROGRAMS[name]) for name in ("right", "wrong")], BLOBS)
        results = {each.key: each for each in found}
    assert results["right"].value == {"mutants": 3, "killed": 3}
    error = results["wrong"].error
    assert error is not None
    assert "case 1" in error.message
    assert (error.exit_status, results["wrong"].tries) == (2, 1)


def test_a_limit_on_costs_holds_over_all_jobs() -> None:
    paid = [
        job(str(number), PROGRAMS["right"], blobs=(), max_cost_usd=1.0)  # each try is lost
        for number in range(4)
    ]
    results = []
    with open_engine(jobs=2) as engine, pytest.raises(BudgetError, match=r"\$6\.0000 of \$6\.50"):
        results.extend(engine.run(paid, BLOBS, max_cost_usd=6.5))
    with open_engine(jobs=2) as engine:
        free = by_key(list(engine.run([*jobs(3)], BLOBS, max_cost_usd=0)))
    assert len(free) == 3
    assert sum(each.cost_usd for each in results) <= 6.5


def test_stop_finishes_what_is_under_way() -> None:
    stop = threading.Event()
    results = []
    with open_engine(jobs=2) as engine:
        for result in engine.run(jobs(100), BLOBS, stop=stop.is_set):
            results.append(result)
            stop.set()
    assert 1 <= len(by_key(results)) <= 5


@pytest.mark.skipif(find_spec("ray") is None, reason="Ray is not installed (group cluster)")
def test_a_cluster_that_is_not_there_is_one_line() -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{unused.getsockname()[1]}"
        with pytest.raises(InfrastructureError) as caught, open_engine("ray", address=address):
            pass
    assert caught.value.exit_status == 3
    assert str(caught.value).startswith(f"no Ray cluster answers at {address} (")
    assert str(caught.value).endswith("start one with `ray start --head`, or fix the address")
    with pytest.raises(UsageError, match="HOST:PORT"), open_engine("ray", address="ray://head"):
        pass


@pytest.mark.skipif(find_spec("ray") is not None, reason="Ray is installed")
def test_without_ray_the_message_names_the_extra() -> None:
    with pytest.raises(UsageError, match=r"\[ray\]"), open_engine("ray"):
        pass


@pytest.mark.parametrize(
    ("arguments", "message"),
    [({"name": "dask"}, "unknown engine 'dask'; use local or ray"), ({"jobs": 0}, "1 or more")],
)
def test_a_wrong_call_is_one_line(arguments: dict[str, object], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        open_engine(**arguments)
