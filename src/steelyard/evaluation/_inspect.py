"""Write an evaluation as a log of Inspect, which `inspect view` shows and its data frames read.

1. A log is a zip file: the head of the evaluation, a list of short samples, and a file for each
   sample.
2. A task's samples are its epochs, over all seeds. The program is what the model wrote, and the
   verdict is the answer, whose target is AC.
3. A sample without a verdict has an error in place of a score.
4. A metric on a part of the selection has both numbers in its name.

Inspect need not be installed. Source: `inspect_ai/log/_log.py` and `_recorders/eval.py` of 0.3.285,
version 2 of the log.
"""

import json
import re
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from steelyard._arguments import checks_arguments
from steelyard._replaced_files import replacing
from steelyard.errors import UsageError
from steelyard.evaluation._folder import read_head
from steelyard.evaluation._report import TaskTally, read_tallies, stored_program, stored_report
from steelyard.schemas import (
    EvaluatedSample,
    EvaluationHead,
    EvaluationReport,
    Verdict,
    sha256_of,
)

_VERSION = 2
_SCORER = "steelyard"
_PLAN = {"name": "plan", "steps": []}
_PROGRAM_BYTES = 1_000_000
_SUMMARY_CHARS = 1_000


@checks_arguments
def export_evaluation(folder: str | Path, out: str | Path | None = None) -> Path:
    """Write an evaluation as a log of Inspect, and return the log's path.

    Args:
        folder: The evaluation's folder.
        out: A file NAME.eval; a file that is there is replaced. None is `inspect.eval` in the
            folder.

    Raises:
        UsageError: if the folder holds no evaluation, or the log cannot be written.
    """
    path = Path(folder)
    file = path / "inspect.eval" if out is None else Path(out)
    if file.suffix != ".eval":
        raise UsageError(f"{file} must end in .eval, by which Inspect knows its logs; change --out")
    head, report, tallies = read_head(path), stored_report(path), read_tallies(path)
    spec = _spec(head, report, tallies)
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        with replacing(file) as text, ZipFile(text.buffer, "w") as log:

            def add(name: str, content: object) -> None:
                log.writestr(ZipInfo(name), json.dumps(content), ZIP_DEFLATED)

            add("_journal/start.json", {"version": _VERSION, "eval": spec, "plan": _PLAN})
            summaries = []
            for sample in _samples(path, tallies, spec["model"]):
                add(f"samples/{sample['id']}_epoch_{sample['epoch']}.json", sample)
                summaries.append(_summary(sample))
            add("summaries.json", summaries)
            add("header.json", _header(head, report, spec))
    except OSError as error:
        raise UsageError(f"{file} cannot be written: {error.strerror}; change --out") from error
    return file


def _spec(
    head: EvaluationHead, report: EvaluationReport, tallies: list[TaskTally]
) -> dict[str, Any]:
    identity = sha256_of(head.model_dump_json())[:22]
    names = [each.line.task for each in tallies if each.every]
    source = f"samples/{head.source[:12]}" if head.origin == "samples" else head.source
    return {
        "eval_id": identity,
        "run_id": identity,
        "task_id": identity,
        "created": head.begun.isoformat(),
        "task": head.benchmark,
        "task_version": report.version[:12],
        "dataset": {"name": head.benchmark, "samples": len(names), "sample_ids": names},
        "model": source.replace(":", "/", 1),
        "config": {"epochs": max((len(each.every) for each in tallies), default=1)},
        "packages": {"steelyard": head.steelyard},
        "scorers": [{"name": _SCORER}],
        "metadata": {"tasks": report.size, "settings": head.settings, "notes": report.notes},
    }


def _header(head: EvaluationHead, report: EvaluationReport, spec: dict[str, Any]) -> dict[str, Any]:
    named = {
        f"{each.label} ({each.basis})" if each.k and each.basis else each.label: each
        for each in report.metrics
        if each.value is not None
    }
    metrics = {
        name: {
            "name": name,
            "value": each.value,
            "metadata": {"interval": each.interval, "tasks": each.tasks, "basis": each.basis},
        }
        for name, each in named.items()
    }
    score = {
        "name": _SCORER,
        "scorer": _SCORER,
        "metrics": metrics,
        "scored_samples": report.samples,
        "unscored_samples": report.unjudged,
    }
    return {
        "version": _VERSION,
        "status": "success" if report.complete else "cancelled",
        "eval": spec,
        "plan": _PLAN,
        "results": {
            "total_samples": report.samples + report.unjudged,
            "completed_samples": report.samples,
            "scores": [score],
        },
        "stats": {
            "started_at": head.begun.isoformat(),
            "completed_at": (head.begun + timedelta(seconds=report.seconds)).isoformat(),
            "model_usage": _usage(spec["model"], report.spending),
        },
    }


def _samples(folder: Path, tallies: list[TaskTally], model: str) -> Iterator[dict[str, Any]]:
    for tally in tallies:
        statement = tally.line.statement
        for epoch, sample in enumerate(tally.every, 1):
            program = stored_program(folder, sample, most_bytes=_PROGRAM_BYTES)
            answer = {"role": "assistant", "content": _fenced(program, sample.language)}
            error = sample.error and {
                "message": sample.error.message,
                "traceback": "",
                "traceback_ansi": "",
            }
            yield {
                "id": tally.line.task,
                "epoch": epoch,
                "input": statement,
                "target": Verdict.AC,
                "messages": [{"role": "user", "content": statement}, answer],
                "output": {"model": model, "choices": [{"message": answer, "stop_reason": "stop"}]},
                "scores": None if error else {_SCORER: _score(sample)},
                "metadata": {"seed": sample.seed, "sample": sample.sample, "file": sample.program},
                "model_usage": _usage(model, sample),
                "total_time": sample.seconds,
                "error": error,
            }


def _score(sample: EvaluatedSample) -> dict[str, Any]:
    case = sample.failure
    shown: dict[str, Any] = {
        "verdict": sample.verdict,
        "reward": sample.reward,
        "cpu_ms": sample.cpu_ms,
        "memory_mib": sample.memory_mib,
    }
    if case is not None:
        shown |= {"case": case.name, "input": sample.failing_input, "message": case.message}
        shown |= {"standard_output": case.stdout, "standard_error": case.stderr}
        if case.difference is not None:
            shown |= {"expected": case.difference.expected, "got": case.difference.got}
    return {
        "value": "C" if sample.passed else "I",
        "answer": sample.verdict,
        "explanation": f"{sample.verdict}: {sample.details}",
        "metadata": shown,
    }


def _summary(sample: dict[str, Any]) -> dict[str, Any]:
    scores = sample["scores"] and {
        name: {field: score[field] for field in ("value", "answer", "explanation")}
        for name, score in sample["scores"].items()
    }
    return {
        **{name: sample[name] for name in ("id", "epoch", "target", "metadata", "total_time")},
        "input": sample["input"][:_SUMMARY_CHARS],
        "scores": scores,
        "completed": True,
        "error": sample["error"] and sample["error"]["message"],
        "message_count": 2,
    }


def _fenced(program: str, language: str) -> str:
    """Return a program as a block of Markdown, whose fence is longer than any in the program."""
    fence = "`" * max([3, *(len(each) + 1 for each in re.findall("`{3,}", program))])
    return f"{fence}{language}\n{program}\n{fence}" if program else ""


def _usage(model: str, spent: Any) -> dict[str, Any]:
    if not spent.tokens_out:
        return {}
    return {
        model: {
            "input_tokens": spent.tokens_in,
            "output_tokens": spent.tokens_out,
            "total_tokens": spent.tokens_in + spent.tokens_out,
            "total_cost": spent.cost_usd,
        }
    }
