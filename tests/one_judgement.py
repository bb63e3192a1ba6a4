"""Judge the same completions on every path, for `test_one_judgement` and its benchmark.

A path is a way in: the library's `judge_of`, `evaluate`, `reward`, the adapters for TRL and verl,
the service, and the command. Each gets the task as that path receives it: `evaluate` and the
command a file of tasks, the others a row as `datasets export` writes it.
"""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import nan
from pathlib import Path
from typing import Any

from steelyard import Verdict, VerifyResult, evaluate, judge_of
from steelyard.datasets import write_tasks
from steelyard.evaluation import read_record
from steelyard.judging import RunningOptions, program_of
from steelyard.sandbox import CellPool
from steelyard.schemas import EvaluatedSample, Task
from steelyard.training import reward
from steelyard.training.adapters.trl import trl_reward
from steelyard.training.adapters.verl import compute_score

Judged = tuple[str, float]
"""The verdict (empty on paths that give rewards alone), and the reward."""
Completions = Mapping[str, Sequence[str]]
"""By task."""
Found = dict[tuple[str, int], Judged]
"""By task and position."""


@dataclass(frozen=True)
class Material:
    """Tasks with completions, and where files go."""

    tasks: Sequence[Task]
    completions: Completions
    folder: Path

    @property
    def rows(self) -> list[tuple[Task, dict[str, Any]]]:
        """Each task with its row as trainers get it."""
        file = self.folder / "trainer.jsonl"
        write_tasks(self.tasks, file, format="trainer")
        lines = file.read_text("utf-8").splitlines()
        return list(zip(self.tasks, map(json.loads, lines), strict=True))


def verdict_of(result: VerifyResult) -> Judged:
    """Return the first verdict that is not AC, and the reward."""
    verdicts = [case.verdict for case in result.cases if case.verdict is not Verdict.AC]
    if not result.compile.ok:
        return Verdict.CE, result.reward
    return verdicts[0] if verdicts else Verdict.AC, result.reward


def by_library(given: Material, pool: CellPool) -> Found:
    """Judge with `judge_of`."""
    found: Found = {}
    for task in given.tasks:
        judge = judge_of(task, RunningOptions(pool=pool))
        for number, text in enumerate(given.completions[task.id]):
            result = judge.judge(program_of(task, text).encode("utf-8", "surrogateescape"))
            found[task.id, number] = verdict_of(result)
    return found


def by_evaluation(given: Material, pool: CellPool) -> Found:
    """Judge with `evaluate`, from files of tasks and samples."""
    tasks, samples = given.folder / "tasks.jsonl", given.folder / "samples.jsonl"
    write_tasks(given.tasks, tasks)
    with samples.open("w", encoding="utf-8") as out:
        for task in given.tasks:
            texts = list(given.completions[task.id])
            out.write(json.dumps({"task_id": task.id, "completion": texts}) + "\n")
    folder = given.folder / "evaluation"
    evaluate(tasks, samples=samples, all_cases=True, plots=False, out=folder, pool=pool)
    return {
        (line.task, line.sample): (line.verdict or "none", line.reward)
        for line in read_record(folder)
        if isinstance(line, EvaluatedSample) and line.role == "sample"
    }


def by_reward(given: Material, pool: CellPool) -> Found:
    """Judge with `reward`, from rows."""
    with reward(pool=pool) as judge:
        found: Found = {}
        for task, row in given.rows:
            texts = list(given.completions[task.id])
            for number, each in enumerate(judge.score(texts, [row] * len(texts))):
                assert each.result is not None, each.reason
                found[task.id, number] = verdict_of(each.result)
        return found


def by_trl(given: Material, pool: CellPool) -> Found:
    """Judge with the reward function of TRL, from the columns of a data set."""
    function = trl_reward(reward(pool=pool))
    found: Found = {}
    for task, row in given.rows:
        texts = list(given.completions[task.id])
        columns = {name: [value] * len(texts) for name, value in row.items() if name != "prompt"}
        prompts = [[{"role": "user", "content": row["prompt"]}]] * len(texts)
        messages = [[{"role": "assistant", "content": text}] for text in texts]
        for number, value in enumerate(function(prompts, messages, **columns)):
            assert value is not None
            found[task.id, number] = "", value
    return found


def by_verl(given: Material, _: CellPool) -> Found:
    """Judge with verl's function, with the row as its ground truth."""
    return {
        (task.id, number): ("", compute_score(task.source, text, json.dumps(row))["score"])
        for task, row in given.rows
        for number, text in enumerate(given.completions[task.id])
    }


def by_service(post: Callable[[str, object], Any], given: Material) -> Found:
    """Judge with `POST /v1/judge`, with the row as its task."""
    found: Found = {}
    for task, row in given.rows:
        for number, text in enumerate(given.completions[task.id]):
            answer = post("/v1/judge", {"program": text, "task": row})
            refused = f"{answer.status} {answer.body}", nan
            judged = answer.status == 200 and verdict_of(result_in(answer.json))
            found[task.id, number] = judged or refused
    return found


def result_in(answer: dict[str, Any]) -> VerifyResult:
    """Return the result that JSON holds."""
    known = {name: value for name, value in answer.items() if name in VerifyResult.model_fields}
    return VerifyResult.model_validate(known)


PATHS: Mapping[str, Callable[[Material, CellPool], Found]] = {
    "evaluate": by_evaluation,
    "reward": by_reward,
    "trl": by_trl,
    "verl": by_verl,
}
"""Those that need nothing but a pool."""


def disagreements(first: Found, other: Found, name: str) -> list[str]:
    """Return a line for each completion that a path judges otherwise than the library."""
    lines = []
    for place, (verdict, earned) in first.items():
        also, got = other.get(place, ("missing", float("nan")))
        if got != earned or (also and also != verdict):
            lines.append(f"{place}: {verdict} {earned}, {name}: {also} {got}")
    return lines


def completions_of(task: Task) -> list[str]:
    """Return right, wrong and odd completions of a task."""
    language = task.language or "python"
    solution = next(
        (each for each in task.solutions if each.label == "right" and each.language == language),
        None,
    )
    texts = ["", "pass", "def f(:", "print(0)\n", "I cannot do that."]
    if solution is None:
        return texts
    if task.completion == "expression":
        value = solution.source.partition("(\n")[2].rpartition("\n)")[0]
        reply = f"<think>\n1?\n</think>\n[ANSWER]\nassert f(1) == {value}\n[/ANSWER]"
        odd = [f"({value},)", f"[{value}]", f"str({value})", f"{value}  # the end"]
        return [*texts, value, f"f(1) == {value}", reply, f"```python\n{value}\n```", *odd]
    source, begun = solution.source, task.starter_code or task.prompt
    goes_on = task.completion == "continuation" and source.startswith(begun)
    texts += [
        source[len(begun) :] if goes_on else source,
        source,
        f"Here it is:\n```python\n{source}\n```\nIt runs like this:\n```\n>>> f(1)\n2\n```\n",
        f"<think>\nA loop?\n```python\nx = 1\n```\n</think>\n```python\n{source}\n```<|im_end|>",
        f"{source}\n# the end   \n\n",
        f"```py\n{source}\n```\nUse it so:\n```python\nprint({task.title or 'f'}(3))\n```",
    ]
    kind, _, name = task.entry.partition(":")
    if kind == "asserts" and not name:
        name = ["", *re.findall(r"^def (\w+)", source, re.MULTILINE)][-1]
    name = name.rpartition(".")[2]
    if name.isidentifier() and kind in ("function", "asserts"):
        wrap = f"{source}\n\n_first = {name}\ndef {name}(*args):\n    found = _first(*args)\n"
        texts += [
            f"{wrap}    return tuple(found) if type(found) is list else [found]\n",
            f"{wrap}    return list(found) if type(found) in (tuple, set) else found\n",
            f"{wrap}    return float(found) if type(found) in (int, bool) else found\n",
            f"{wrap}    return found + 2e-7 if type(found) is float else found\n",
            f"{wrap}    return [found]\n",
            f"{wrap}    return None\n",
        ]
    if task.entry == "stdio":
        own = "_print = print\ndef print(*given, **more):\n    _print("
        texts += [
            f"{own}*given, '', **more)\n{source}",
            f"{own}*(str(each).upper() for each in given), **more)\n{source}",
            f"{own}*given, **more)\n    _print()\n{source}",
            f"{own}*(f'{{each}}.0' for each in given), **more)\n{source}",
        ]
    return texts
