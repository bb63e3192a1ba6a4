"""An evaluation written as a log of Inspect: its own reader and viewer open it."""

import json
import zipfile
from pathlib import Path
from typing import Any

import pytest

from steelyard.errors import UsageError
from steelyard.evaluation import EvaluationFolder, export_evaluation
from steelyard.schemas import (
    CaseResult,
    Difference,
    ErrorResult,
    EvaluatedRun,
    EvaluatedSample,
    EvaluatedTask,
    EvaluationHead,
    Verdict,
)
from tests.peer_clients import run_client

DIGEST = "0" * 64
TASKS = ("HumanEval/0", "../<script>`x`", "unjudged")
PROGRAM = 'def f():\n    """```\n    ````"""\n'


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Three of four tasks: one sample right and one wrong on each of two, none judged on one."""
    head = EvaluationHead(steelyard="0", benchmark="b", origin="model", source="openai:gpt")
    path = tmp_path / "evaluation"
    with EvaluationFolder(path, head) as target:
        for name in TASKS:
            target.append(
                EvaluatedTask(
                    task=name,
                    digest=DIGEST,
                    suite=DIGEST,
                    cases=2,
                    statement=f"Do {name}.",
                    time_limit_ms=1,
                    memory_limit_mib=1,
                )
            )
        for name in TASKS[:2]:
            wrong = CaseResult(
                name="2",
                verdict=Verdict.WA,
                message="got 2",
                difference=Difference(line=1, column=1, expected="1", got="2"),
            )
            for number, failure in enumerate((None, wrong)):
                verdict = failure.verdict if failure else Verdict.AC
                sample = EvaluatedSample(
                    key=DIGEST,
                    task=name,
                    sample=number,
                    verdict=verdict,
                    failure=failure,
                    failing_input="f(1)" if failure else "",
                    details="1 of 2",
                    language="python",
                    tokens_in=3,
                    tokens_out=4,
                    cost_usd=0.5,
                )
                file = target.keep_program(sample, PROGRAM, "py")
                target.append(sample.model_copy(update={"program": file}))
        error = ErrorResult(index=0, type="ModelError", message="no reply", exit_status=3)
        target.append(EvaluatedSample(key=DIGEST, task=TASKS[2], error=error))
        target.end(EvaluatedRun(complete=True, selected=4))
    return path


def test_a_log_holds_each_sample_and_is_the_same_each_time(folder: Path, tmp_path: Path) -> None:
    log = export_evaluation(folder)
    assert log == folder / "inspect.eval"
    assert export_evaluation(folder, tmp_path / "again.eval").read_bytes() == log.read_bytes()
    with zipfile.ZipFile(log) as members:
        names = members.namelist()
        header, summaries = (
            json.loads(members.read(name)) for name in ("header.json", "summaries.json")
        )
    assert [name for name in names if name.startswith("samples/")] == [
        f"samples/{name}_epoch_{epoch}.json"
        for name, epochs in zip(TASKS, (2, 2, 1), strict=True)
        for epoch in range(1, epochs + 1)
    ]
    assert len(summaries) == 5
    [score] = header["results"]["scores"]
    # A part of the selection does not look like the whole.
    assert score["metrics"]["pass@1 (2 of 4 tasks)"]["value"] == 0.5
    assert "pass@1" not in score["metrics"]


@pytest.mark.parametrize(
    ("out", "reason"),
    [("log.json", "must end in .eval"), ("evaluation/run.json/log.eval", "cannot be written")],
)
def test_a_log_that_cannot_be_written_is_one_line(
    folder: Path, tmp_path: Path, out: str, reason: str
) -> None:
    with pytest.raises(UsageError, match=reason) as caught:
        export_evaluation(folder, tmp_path / out)
    assert "\n" not in str(caught.value)
    assert not (tmp_path / out).exists()


def read(script: str, log: Path) -> Any:
    return run_client("inspect-ai", f"import json, sys\nlog = sys.argv[1]\n{script}", str(log))


def test_inspect_reads_the_log(folder: Path) -> None:
    script = """
import warnings
warnings.simplefilter("error")
from inspect_ai.log import list_eval_logs, read_eval_log, read_eval_log_sample_summaries
read = read_eval_log(log)
print(json.dumps({
    "status": read.status, "model": read.eval.model, "epochs": read.eval.config.epochs,
    "counts": [read.results.total_samples, read.results.completed_samples],
    "logs": [each.name.rpartition("/")[2] for each in list_eval_logs(log.rpartition("/")[0])],
    "samples": [
        [each.id, each.epoch, each.input, each.output.completion,
         each.scores and each.scores["steelyard"].value, each.error and each.error.message]
        for each in read.samples
    ],
    "short": [[each.id, each.epoch] for each in read_eval_log_sample_summaries(log)],
    "metadata": read.samples[-1].scores["steelyard"].metadata,
}))
"""
    found = read(script, export_evaluation(folder))
    code = f"`````python\n{PROGRAM}\n`````"
    assert found["samples"] == [
        [TASKS[1], 1, f"Do {TASKS[1]}.", code, "C", None],
        [TASKS[0], 1, f"Do {TASKS[0]}.", code, "C", None],
        [TASKS[2], 1, f"Do {TASKS[2]}.", "", None, "no reply"],
        [TASKS[1], 2, f"Do {TASKS[1]}.", code, "I", None],
        [TASKS[0], 2, f"Do {TASKS[0]}.", code, "I", None],
    ]
    assert sorted(found["short"]) == sorted(each[:2] for each in found["samples"])
    metadata = found["metadata"]
    assert (metadata["input"], metadata["expected"], metadata["got"]) == ("f(1)", "1", "2")
    assert (found["status"], found["model"], found["epochs"]) == ("success", "openai/gpt", 2)
    assert (found["counts"], found["logs"]) == ([5, 4], ["inspect.eval"])


@pytest.mark.exhaustive
def test_the_viewer_of_inspect_lists_and_opens_the_log(folder: Path) -> None:
    script = """
import socket, subprocess, time, urllib.parse, urllib.request
with socket.socket() as free:
    free.bind(("127.0.0.1", 0))
    port = free.getsockname()[1]
folder = log.rpartition("/")[0]
command = [sys.executable, "-m", "inspect_ai", "view", "--log-dir", folder, "--port", str(port)]
viewer = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
def get(path):
    for _ in range(100):
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/api/{path}") as reply:
                return json.load(reply)
        except ConnectionError:
            time.sleep(0.5)
        except urllib.error.URLError as error:
            if isinstance(error, urllib.error.HTTPError):
                raise
            time.sleep(0.5)
try:
    [file] = get("logs")["files"]
    name = urllib.parse.quote(file["name"], safe="")
    [head] = get(f"log-headers?file={name}")
    whole = get(f"logs/{name}")
    print(json.dumps([file["task"], head["status"], len(whole["samples"])]))
finally:
    viewer.kill()
"""
    assert read(script, export_evaluation(folder)) == ["b", "success", 5]
