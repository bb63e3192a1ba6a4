"""`steelyard evaluate` and what belongs to it: run, resume, view, diff and merge."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any

import pytest

from steelyard.datasets import open_benchmark
from tests.evaluation_tasks import TASKS, completion, right, samples, write_benchmark, write_lines

Run = Callable[..., "CompletedProcess[str]"]
OPTIONS = ("--k", "1,2", "--no-plots", "--jobs", "1")


def evaluated(run: Run, *args: str | Path) -> tuple[int, dict[str, Any]]:
    done = run("evaluate", *args, "--json")
    assert done.stdout, done.stderr
    return done.returncode, json.loads(done.stdout)


def value(report: dict[str, Any], name: str, k: int = 1) -> float:
    found = [each["value"] for each in report["metrics"] if (each["name"], each["k"]) == (name, k)]
    return float(found[0])


@pytest.fixture
def tasks(tmp_path: Path) -> Path:
    write_lines(tmp_path / "samples.jsonl", samples())
    return write_benchmark(tmp_path)


def test_run_resume_view_and_diff(steelyard: Run, tasks: Path, tmp_path: Path) -> None:
    command = (tasks, "--samples", "samples.jsonl", "--out", "first", *OPTIONS)
    status, first = evaluated(steelyard, *command)
    assert (status, first["samples"], first["passes"]) == (0, 8, 5)
    assert value(first, "pass@k") == 0.625
    assert [each["month"] for each in first["months"]] == [f"2026-0{n}" for n in (1, 2, 3, 4)]
    record = (tmp_path / "first" / "record.jsonl").read_bytes()
    done = steelyard("evaluate", *command)
    assert (done.returncode, (tmp_path / "first" / "record.jsonl").read_bytes()) == (0, record)
    assert "no contamination window" in done.stdout
    status, viewed = evaluated(steelyard, "view", "first", "--k", "1,2", "--no-plots")
    assert (status, viewed["metrics"]) == (0, first["metrics"])

    rows = [{"task_id": name, "solution": right(name)} for name in TASKS]
    write_lines(tmp_path / "right.jsonl", rows)
    status, _ = evaluated(steelyard, tasks, "--samples", "right.jsonl", "--out", "other", *OPTIONS)
    assert status == 0
    better = steelyard("evaluate", "diff", "first", "other", "--k", "1", "--json")
    assert (better.returncode, json.loads(better.stdout)["won"]) == (0, ["square", "negate"])

    log = steelyard("evaluate", "export", "first", "--to", "inspect", "--json")
    assert (log.returncode, json.loads(log.stdout)) == (0, {"file": "first/inspect.eval"})
    assert (tmp_path / "first" / "inspect.eval").stat().st_size > 1_000

    text = "\n".join((tmp_path / "first" / name).read_text() for name in ("report.md", "tasks.csv"))
    assert "no contamination window" in text
    assert "2026-04" in text


def test_shards_merge(steelyard: Run, tasks: Path) -> None:
    for number in (1, 2):
        status, _ = evaluated(
            steelyard,
            tasks,
            "--samples",
            "samples.jsonl",
            "--out",
            f"part{number}",
            "--shard",
            f"{number}/2",
            *OPTIONS,
        )
        assert status == 0
    status, whole = evaluated(
        steelyard, "merge", "part1", "part2", "--out", "whole", "--k", "1,2", "--no-plots"
    )
    assert (status, whole["samples"], value(whole, "pass@k")) == (0, 8, 0.625)
    missing = steelyard("evaluate", "merge", "part1", "--out", "half")
    assert (missing.returncode, missing.stdout) == (2, "")
    assert "shard 2/2 is missing" in missing.stderr


def test_bad_input_lines_are_named_and_the_rest_is_judged(
    steelyard: Run, tasks: Path, tmp_path: Path
) -> None:
    file = tmp_path / "bad.jsonl"
    good = json.dumps({"task_id": "double", "completion": completion("double")})
    file.write_bytes(f"{good}\n{{\n".encode() + b'{"task_id": "\xff"}\n{"task_id": "double"}\n')
    status, report = evaluated(
        steelyard, tasks, "--samples", "bad.jsonl", "--out", "bad", "--filter", "double", *OPTIONS
    )
    assert (status, report["samples"], report["fault_count"]) == (0, 1, 3)
    assert [each.split(": ")[0] for each in report["faults"]] == [
        f"bad.jsonl:{line}" for line in (2, 3, 4)
    ]


def test_a_call_that_is_wrong_is_one_line(steelyard: Run, tasks: Path) -> None:
    for args, expected in (
        ((tasks,), "give programs: --samples FILE, --model MODEL, or --solve"),
        ((tasks, "--samples", "nowhere.jsonl"), "nowhere.jsonl"),
        (("nowhere", "--samples", "samples.jsonl"), "no benchmark or file 'nowhere'"),
        ((tasks, "--samples", "samples.jsonl", "--cluster", "a:1"), "choose engine ray"),
        ((tasks, "--samples", "samples.jsonl", "--k", "one"), "--k: takes whole numbers"),
        (
            (tasks, "--samples", "samples.jsonl", "--solve"),
            "--solve: samples are judged without a model",
        ),
        (("view", "nowhere"), "give the folder of a run"),
    ):
        done = steelyard("evaluate", *args)
        assert (done.returncode, done.stdout) == (2, ""), args
        assert expected in done.stderr
        assert done.stderr.count("\n") == 1


def test_solve_leaves_out_tasks_that_call_a_function(steelyard: Run, tasks: Path) -> None:
    """No run of solve begins, so no model is asked."""
    status, report = evaluated(
        steelyard, tasks, "--solve", "--model", "openai:none", "--out", "solved", *OPTIONS
    )
    assert (status, report["samples"], report["unjudged"]) == (1, 0, 0)
    assert report["tasks_left_out"] == report["fault_count"] == len(TASKS)
    assert "it calls function:double" in report["faults"][0]


def test_the_default_benchmark_is_core(steelyard: Run, tmp_path: Path) -> None:
    """Its own references pass; `test_core` runs all of them, and this one task."""
    task = open_benchmark("core").get("weekday")
    reference = next(each for each in task.solutions if each.label == "right")
    row = {"task_id": task.id, "program": reference.source, "language": reference.language}
    write_lines(tmp_path / "core.jsonl", [row])
    command = ("--samples", "core.jsonl", "--filter", task.id, *OPTIONS)
    for name, named in (("a", ()), ("b", ("core",)), ("c", ("--benchmark", "core"))):
        status, report = evaluated(steelyard, *named, *command, "--out", name)
        assert (status, report["benchmark"], report["passes"]) == (0, "core", 1)
        shutil.rmtree(tmp_path / name)
