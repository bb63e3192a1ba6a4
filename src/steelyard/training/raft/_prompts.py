"""The prompts of a run, each with the tests of its answers."""

import hashlib
import json
import math
import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from steelyard.datasets import with_sized_tests
from steelyard.datasets.formats import format_of, task_of
from steelyard.datasets.rows import Row, RowError, read_rows, refuse
from steelyard.errors import TestsError, UsageError
from steelyard.judging import (
    ExecutionVerifier,
    LoadedTask,
    RowReader,
    as_entry,
    extract_tests,
    loaded,
    program_of,
)
from steelyard.schemas import Entry, Task

PromptSource: TypeAlias = str | Path | Sequence[str | Mapping[str, Any] | Task]
"""A file of a data set or of prompts (JSONL, JSON, parquet, gzipped), a folder of such files, or
prompts in memory: texts, tasks, or mappings like the file's rows."""

_STDIO = Entry()
_NOT_IN_DIGESTS = {"tests", "prompt", "provenance"}
_DIFFICULTIES = {
    "easy": 1.0,
    "introductory": 1.0,
    "beginner": 1.0,
    "medium": 2.0,
    "interview": 2.0,
    "intermediate": 2.0,
    "hard": 3.0,
    "competition": 3.0,
    "advanced": 3.0,
}


@dataclass(frozen=True, slots=True)
class TrainingPrompt:
    """One prompt.

    Attributes:
        id: Names it in the run's files.
        text: What the model is asked.
        row: The task of its answers, with the tests.
        prefix: Text before each completion, such as the head of the function to complete.
        difficulty: From the file, or the number of its cases; larger is harder.
    """

    id: str
    text: str
    row: LoadedTask
    prefix: str = ""
    difficulty: float = 0.0

    def program_of(self, reply: str) -> str:
        """Return the program that a reply makes; it holds the prefix."""
        return reply if self.prefix else program_of(self.row.task, reply)


def read_prompts(source: PromptSource, verifier: ExecutionVerifier) -> tuple[TrainingPrompt, ...]:
    """Return the prompts of a source, with their tests.

    A row is one of a known data set, such as halo-forge's, or an object with `prompt`, and
    optionally `id`, `tests` (or `test_cases`) with other fields of `Task`, `prefix` and
    `difficulty` (a number, or a word such as easy, medium, hard). Other keys are ignored. A
    prompt's tests are its own, in every form that `Reward.score` takes, else the verifier's, else
    the examples in its text.

    Raises:
        UsageError: for a prompt that cannot be read, or has no tests; the message names its row.
    """
    found: dict[str, TrainingPrompt] = {}
    for row in rows_of(source):
        prompt = prompt_of(row, verifier)
        if prompt.id in found:
            position = f"{row.file}:{row.number}"
            raise UsageError(f"{position}: two prompts have the id {prompt.id!r}; rename one")
        found[prompt.id] = prompt
    if not found:
        where = source if isinstance(source, str | Path) else "prompts"
        raise UsageError(f"{where} holds no prompt; give at least one")
    return tuple(found.values())


def split_prompts(
    prompts: Sequence[TrainingPrompt], share: float, seed: int
) -> tuple[tuple[TrainingPrompt, ...], tuple[TrainingPrompt, ...]]:
    """Return the prompts to train on and those held out, in their order.

    Prompts with the same text are on the same side.

    Raises:
        UsageError: if one side would be empty.
    """
    texts = sorted({each.text for each in prompts})
    random.Random(seed).shuffle(texts)  # noqa: S311  (a split, not a secret)
    out = set(texts[: max(1, round(share * len(texts)))])
    trained = tuple(each for each in prompts if each.text not in out)
    if not trained:
        raise UsageError(
            f"held_out {share:g} leaves none of {len(texts)} prompts to train on; lower it, or "
            "give a file of further prompts"
        )
    return trained, tuple(each for each in prompts if each.text in out)


def digest_of(prompts: Iterable[TrainingPrompt]) -> str:
    """Return the SHA-256 of all that prompts hold, in hex."""
    digest = hashlib.sha256()
    for each in prompts:
        how = each.row.task.model_dump_json(exclude=_NOT_IN_DIGESTS, exclude_defaults=True)
        fields = [each.id, each.text, each.prefix, each.difficulty, each.row.suite.digest, how]
        digest.update(json.dumps(fields).encode())
    return digest.hexdigest()


def rows_of(source: PromptSource) -> Iterable[Row]:
    """Yield the rows of a source; a file's first fault ends it."""
    if isinstance(source, str | Path):
        yield from read_rows(source, refuse)
        return
    for number, each in enumerate(source, 1):
        fields = {"prompt": each} if isinstance(each, str) else each
        if isinstance(fields, Task):
            fields = fields.model_dump(mode="json")
        if not isinstance(fields, Mapping):
            raise UsageError(f"prompts:{number} is neither a text nor an object with a prompt")
        yield Row("prompts", number, fields, "")


def prompt_of(row: Row, verifier: ExecutionVerifier) -> TrainingPrompt:
    """Return the prompt of a row.

    Raises:
        UsageError: as `read_prompts`.
    """
    position = f"{row.file}:{row.number}"
    try:
        task = with_sized_tests(task_of(row)) if format_of(row.fields) else None
    except (RowError, UsageError) as error:
        raise UsageError(f"{position}: {error}") from error
    fields = {name: value for name, value in row.fields.items() if value is not None}
    texts: dict[str, Any] = {
        "id": str(fields.get("id", fields.get("task_id", row.number))),
        "prompt": fields.get("prompt"),
        "prefix": fields.get("prefix", ""),
    }
    if task is not None:
        texts |= {"id": task.id, "prompt": task.prompt}
    for name, value in texts.items():
        if not isinstance(value, str) or (name == "prompt" and not value.strip()):
            raise UsageError(f"{position}: {name} must be a text, got {value!r:.80}")
        if any("\ud800" <= letter <= "\udfff" for letter in value):
            raise UsageError(f"{position}: {name} has half of a character (a surrogate); remove it")
    loaded_row = _own(fields, texts, position, verifier) if task is None else loaded(task)
    cases = float(len(loaded_row.suite.cases))
    return TrainingPrompt(
        id=texts["id"],
        text=texts["prompt"],
        row=loaded_row,
        prefix=texts["prefix"],
        difficulty=_DIFFICULTIES.get(task.difficulty.lower(), cases)
        if task is not None
        else _difficulty(fields.get("difficulty", cases), position),
    )


def _own(
    fields: Mapping[str, Any], texts: Mapping[str, str], position: str, verifier: ExecutionVerifier
) -> LoadedTask:
    """Return the task of a row: by its own tests, the verifier's, or the examples in its text."""
    own = fields.get("tests") or fields.get("test_cases")
    try:
        reader, entry = RowReader(verifier.options), as_entry(fields.get("entry", verifier.entry))
        if own:
            return reader.read({**fields, **texts})
        if verifier.suite.cases:
            return reader.read(verifier.suite, entry)
        if entry == _STDIO:
            return reader.read(extract_tests(texts["prompt"]).suite)
    except UsageError as error:
        if own or not isinstance(error, TestsError):
            raise UsageError(f"{position}: {error}") from error
    raise UsageError(
        f"{position} has no tests, and its text shows no example; add tests to the row, or "
        "test_cases to the verifier"
    )


def _difficulty(given: object, position: str) -> float:
    if isinstance(given, str) and given.lower() in _DIFFICULTIES:
        return _DIFFICULTIES[given.lower()]
    if isinstance(given, bool) or not isinstance(given, int | float) or not math.isfinite(given):
        raise UsageError(
            f"{position}: difficulty must be a number or easy, medium, hard, got {given!r}"
        )
    return float(given)
