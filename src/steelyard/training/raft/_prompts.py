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
from steelyard.datasets.rows import Row, RowError
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
from steelyard.schemas import (
    Entry,
    RepeatedKeyError,
    Task,
    TestSuite,
    canonical_json,
    decode_json,
    sha256_of,
)

__all__ = ["PromptSource", "TrainingPrompt", "digest_of", "read_prompts", "split_prompts"]

PromptSource: TypeAlias = str | Path | Sequence[str | Mapping[str, Any]]
"""A JSONL file, or prompts in memory: texts, or mappings like the file's lines."""

_STDIO = Entry()
_DIFFICULTIES = {"easy": 1.0, "medium": 2.0, "hard": 3.0}


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

    A line of a file is a row of a known data set, or an object with `prompt`, and optionally `id`,
    `tests` (or `test_cases`) with other fields of `Task`, `prefix` and `difficulty` (a number, or
    easy, medium, hard). Other keys are ignored. A prompt's tests are its own, in every form that
    `Reward.score` takes, else the verifier's, else the examples in its text.

    Raises:
        UsageError: for a prompt that cannot be read, or has no tests; the message names its line.
    """
    where = "prompts"
    if isinstance(source, str | Path):
        where = str(source)
        rows: Iterable[tuple[int, Any]] = _lines(Path(source))
    else:
        rows = enumerate(source, 1)
    found: dict[str, TrainingPrompt] = {}
    for number, row in rows:
        place = f"{where}:{number}"
        prompt = _prompt(row, number, place, verifier)
        if prompt.id in found:
            raise UsageError(f"{place}: two prompts have the id {prompt.id!r}; rename one")
        found[prompt.id] = prompt
    if not found:
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
        how = each.row.task.model_dump_json(exclude={"tests", "prompt"}, exclude_defaults=True)
        fields = [each.id, each.text, each.prefix, each.difficulty, each.row.suite.digest, how]
        digest.update(json.dumps(fields).encode())
    return digest.hexdigest()


def _lines(file: Path) -> Iterable[tuple[int, Any]]:
    """Yield the values of a file's lines, with their numbers."""
    try:
        with file.open(encoding="utf-8-sig") as lines:
            for number, line in enumerate(lines, 1):
                if not line.strip():
                    continue
                try:
                    yield number, decode_json(line)
                except RepeatedKeyError as error:
                    raise UsageError(f"{file}:{number}: {error}") from error
                except (ValueError, RecursionError) as error:
                    raise UsageError(
                        f"{file}:{number} is not JSON: {error}; fix the line"
                    ) from error
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8"
        raise UsageError(
            f"{file} cannot be read: {reason}; give a JSONL file of prompts"
        ) from error


def _prompt(row: Any, number: int, place: str, verifier: ExecutionVerifier) -> TrainingPrompt:
    fields: Mapping[str, Any] = {"prompt": row} if isinstance(row, str) else row
    if not isinstance(fields, Mapping):
        raise UsageError(f"{place} is neither a text nor an object with the key prompt")
    texts = {"id": str(fields.get("id", fields.get("task_id", number)))}
    for name, default in (("prompt", None), ("prefix", "")):
        value = fields.get(name, default)
        if not isinstance(value, str) or (name == "prompt" and not value.strip()):
            raise UsageError(f"{place}: {name} must be a text, got {value!r:.80}")
        texts[name] = value
    for name, value in texts.items():
        if any("\ud800" <= letter <= "\udfff" for letter in value):
            raise UsageError(f"{place}: {name} has half of a character (a surrogate); remove it")
    task = _known_task(fields, number, place)
    row = loaded(task) if task is not None else _row(fields, texts, place, verifier)
    return TrainingPrompt(
        id=texts["id"],
        text=texts["prompt"],
        row=row,
        prefix=texts["prefix"],
        difficulty=_difficulty(fields, place, row.suite),
    )


def _known_task(fields: Mapping[str, Any], number: int, place: str) -> Task | None:
    """Return the task of a row of a known data set; None if it is a line of our own."""
    if format_of(fields) is None:
        return None
    digest = sha256_of(canonical_json(fields))
    try:
        return with_sized_tests(task_of(Row(place.rpartition(":")[0], number, fields, digest)))
    except RowError as error:
        raise UsageError(f"{place}: {error}") from error


def _row(
    fields: Mapping[str, Any], texts: Mapping[str, str], place: str, verifier: ExecutionVerifier
) -> LoadedTask:
    """Return the task of a line: by its own tests, the verifier's, or the examples in its text."""
    own = fields.get("tests") or fields.get("test_cases")
    try:
        reader, entry = RowReader(verifier.options), as_entry(fields.get("entry", verifier.entry))
        if own:
            return reader.read({**fields, **texts})
        if verifier.suite.cases:
            return reader.read(verifier.suite, entry)
        if entry != _STDIO:
            raise UsageError("it has no tests; add tests to the line or to the verifier")
        return reader.read(extract_tests(texts["prompt"]).suite)
    except (TestsError, UsageError) as error:
        if own or not isinstance(error, TestsError):
            raise UsageError(f"{place}: {error}") from error
        raise UsageError(
            f"{place} has no tests, and its text shows no example; add tests to the line, or "
            "test_cases to the verifier"
        ) from error


def _difficulty(fields: Mapping[str, Any], place: str, suite: TestSuite) -> float:
    given = fields.get("difficulty")
    if given is None:
        return float(len(suite.cases))
    if isinstance(given, str) and given.lower() in _DIFFICULTIES:
        return _DIFFICULTIES[given.lower()]
    number = isinstance(given, int | float) and not isinstance(given, bool)
    if not number or not math.isfinite(given):
        raise UsageError(
            f"{place}: difficulty must be a number or easy, medium, hard, got {given!r}"
        )
    return float(given)
