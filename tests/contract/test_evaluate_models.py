"""Samples that a model or the solve loop writes: paid once, judged by the whole suite."""

import json
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from steelyard import Verdict, evaluate
from steelyard.settings import current_settings
from tests.evaluation_tasks import right, task, write_lines
from tests.model_server import Exchange, ModelServer, fails, says


def reply(text: str) -> str:
    return f"Here it is:\n```python\n{text}```\n"


PRINTS_TWICE = {
    "schema_version": "1.0.0",
    "id": "twice",
    "prompt": "Print twice the number.",
    "entry": "stdio",
    "tests": [{"input": f"{n}\n", "expected": f"{2 * n}\n"} for n in range(3)],
    "match_mode": "tokens",
    "time_limit_ms": 5_000,
}
PLAN = {"problem_statement": "Print twice a number.", "algorithm": "Read it, and print twice it."}


@pytest.fixture
def priced(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    """Settings with a price and no retries; the process reads settings once."""
    monkeypatch.setenv("STEELYARD_CACHE__DIR", str(tmp_path / "cache"))
    prices = {"openai:test": {"input": 10.0, "output": 100.0}}
    monkeypatch.setenv("STEELYARD_MODELS__PRICES", json.dumps(prices))
    monkeypatch.setenv("STEELYARD_MODELS__RETRIES", "0")
    current_settings.cache_clear()
    yield
    current_settings.cache_clear()


def options(folder: Path, server: ModelServer, **more: Any) -> dict[str, Any]:
    return {
        "model": f"openai:test@{server.openai}",
        "out": folder / "out",
        "jobs": 1,
        "plots": False,
        "k": (1, 2),
        **more,
    }


@pytest.mark.usefixtures("priced")
def test_samples_of_a_model_are_judged_and_never_paid_for_twice(tmp_path: Path) -> None:
    benchmark = write_lines(tmp_path / "t.jsonl", [task("double")])
    with ModelServer() as server:
        server.then(says(reply(right("double"))), says(reply("def double(n):\n    return 0\n")))
        report = evaluate(benchmark, n=2, **options(tmp_path, server))
        assert (report.samples, report.passes) == (2, 1)
        # 100 tokens in and 20 out for each reply: 2 x (100 x 10 + 20 x 100) / 10^6 dollars.
        assert report.spending.cost_usd == pytest.approx(0.006)
        assert report.metric("cost_per_solved").value == pytest.approx(0.006)
        asked = len(server.asked)
        prompt = json.dumps(server.asked[0].body)
        assert "Return 2 * n" in prompt
        assert "expected" not in prompt
        (tmp_path / "out" / "record.jsonl").unlink()
        again = evaluate(benchmark, n=2, **options(tmp_path, server))
        assert len(server.asked) == asked == 2
    assert again.spending == report.spending
    assert again.passes == 1


@pytest.mark.usefixtures("priced")
def test_max_cost_ends_the_run_before_the_limit_and_a_higher_one_resumes(tmp_path: Path) -> None:
    benchmark = write_lines(tmp_path / "t.jsonl", [task("double"), task("triple")])
    with ModelServer() as server:
        server.then(*[says(reply(right("double")))] * 2)
        report = evaluate(benchmark, **options(tmp_path, server, max_cost_usd=0.0))
        assert not report.complete
        assert not report.passed
        assert server.asked == []
        assert any("--max-cost" in note for note in report.notes)
        report = evaluate(benchmark, **options(tmp_path, server, max_cost_usd=100.0))
        assert report.complete
        assert report.samples == 2


@pytest.mark.usefixtures("priced")
def test_a_model_that_is_gone_leaves_samples_without_a_verdict(tmp_path: Path) -> None:
    benchmark = write_lines(tmp_path / "t.jsonl", [task("double")])
    with ModelServer() as server:
        server.then(fails(404), says(reply(right("double"))))
        report = evaluate(benchmark, **options(tmp_path, server))
        assert (report.samples, report.unjudged, report.passed) == (0, 1, False)
        assert any("no verdict for 1 sample, such as one of double: " in n for n in report.notes)
        report = evaluate(benchmark, **options(tmp_path, server))
        assert (report.samples, report.unjudged, report.passed) == (1, 0, True)


@pytest.mark.usefixtures("priced")
def test_a_reply_without_a_program_is_the_models_failure(tmp_path: Path) -> None:
    benchmark = write_lines(tmp_path / "t.jsonl", [task("double")])
    with ModelServer() as server:
        server.then(*[says("I would rather not.", finish="refusal", refusal="no")] * 3)
        report = evaluate(benchmark, **options(tmp_path, server))
    assert report.verdicts == {Verdict.CE: 1}
    assert report.metric("pass@k", 1).value == 0.0


@pytest.mark.usefixtures("priced")
def test_solve_sees_visible_tests_only_and_the_whole_suite_decides(tmp_path: Path) -> None:
    tests = [
        {"input": "1\n", "expected": "2\n", "category": "visible"},
        {"input": "877\n", "expected": "1754\n"},
    ]
    benchmark = write_lines(tmp_path / "t.jsonl", [PRINTS_TWICE | {"tests": tests}, task("double")])
    programs = iter(("print(int(input()) + 1)", "print(2 * int(input()))"))

    def by_role(exchange: Exchange) -> None:
        asked = json.dumps(exchange.asked.body)
        if "You are the planner" in asked:
            says(json.dumps(PLAN))(exchange)
        elif "You are the coder" in asked:
            says(f"```python\n{next(programs)}\n```")(exchange)
        else:
            says("I cannot.")(exchange)

    with ModelServer() as server:
        server.then(by_role)
        more = options(tmp_path, server, solve=True, replans=0, language="python")
        report = evaluate(benchmark, n=2, **more)
        prompts = [json.dumps(each.body) for each in server.asked]
    assert all("1754" not in each and "877" not in each for each in prompts)
    run = tmp_path / "out" / "results" / "twice" / "seed_0" / "sample_0" / "run.json"
    assert [each["input"] for each in json.loads(run.read_text())["problem"]["unit_tests"]] == [
        "1\n"
    ]
    assert report.verdicts == {Verdict.AC: 1, Verdict.WA: 1}  # both pass the visible test
    assert (report.samples, report.unjudged, report.tasks_left_out) == (2, 0, 1)
    assert any("it calls function:double, and solve" in fault for fault in report.faults)


@pytest.mark.usefixtures("priced")
@pytest.mark.parametrize("dollars", [0.0, 0.000001])
def test_solve_without_money_for_a_request_ends_and_scores_nothing(
    tmp_path: Path, dollars: float
) -> None:
    benchmark = write_lines(
        tmp_path / "t.jsonl", [PRINTS_TWICE | {"id": f"twice {n}"} for n in range(9)]
    )
    with ModelServer() as server:
        more = options(tmp_path, server, solve=True, max_cost_usd=dollars)
        report = evaluate(benchmark, **more)
        assert server.asked == []
    assert (report.samples, report.unjudged, report.complete) == (0, 0, False)
    assert any("in a row broke off" in note for note in report.notes)
    assert any("--max-cost" in note for note in report.notes)


@pytest.mark.usefixtures("priced")
def test_solve_that_breaks_off_is_not_scored_and_resumes_with_the_new_limit(tmp_path: Path) -> None:
    """The plan is paid for once: 0.301 dollars. Its program needs a higher limit, then a model."""
    benchmark = write_lines(tmp_path / "t.jsonl", [PRINTS_TWICE])
    program = "```python\nprint(2 * int(input()))\n```"
    with ModelServer() as server:
        server.then(says(json.dumps(PLAN), tokens_out=3_000), fails(404), says(program))
        more = options(tmp_path, server, solve=True, replans=0, language="python")
        report = evaluate(benchmark, max_cost_usd=0.45, **more)
        assert (report.samples, report.unjudged, report.complete) == (0, 0, False)
        assert len(server.asked) == 1
        report = evaluate(benchmark, max_cost_usd=50.0, **more)
        assert (report.samples, report.unjudged, report.complete) == (0, 1, True)
        assert len(server.asked) == 2
        report = evaluate(benchmark, max_cost_usd=50.0, **more)
        assert (report.samples, report.passes, report.unjudged) == (1, 1, 0)
        later = len(server.asked) - 2
    assert report.spending.cost_usd == pytest.approx(0.301 + 0.003 * later)


@pytest.mark.usefixtures("priced")
def test_a_slow_reply_delays_only_itself(tmp_path: Path) -> None:
    """The first reply comes once the nine others are recorded: a batch would wait for it."""
    out = tmp_path / "out"
    benchmark = write_lines(tmp_path / "t.jsonl", [task("double")])
    met = threading.Event()

    def late(exchange: Exchange) -> None:
        for _ in range(3_000):
            record = out / "record.jsonl"
            if record.exists() and record.read_bytes().count(b'"kind":"sample"') == 9:
                met.set()
                break
            time.sleep(0.02)
        says(reply(right("double")))(exchange)

    quick = [says(reply(f"def double(n):\n    return {i}\n")) for i in range(9)]
    with ModelServer() as server:
        server.then(late, *quick)
        report = evaluate(benchmark, n=10, **options(tmp_path, server))
    assert met.is_set()
    assert (report.samples, report.passes, report.complete) == (10, 1, True)
