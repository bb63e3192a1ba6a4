"""Read a file of samples: the programs that a model wrote, by task."""

from collections import Counter
from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Annotated

from pydantic import (
    AfterValidator,
    AliasChoices,
    BaseModel,
    BeforeValidator,
    Field,
    ValidationError,
)

from steelyard import judging
from steelyard.datasets.rows import Row, RowError, read_rows
from steelyard.errors import LanguageError, UsageError
from steelyard.schemas import RowFault, Task, fault_of_record
from steelyard.toolchains import MAX_SOURCE_BYTES, language_called

_CONTINUES = "completion"
_TEXTS = (_CONTINUES, "solution", "program", "code")


@dataclass(frozen=True, slots=True)
class Sample:
    """One program of a task."""

    task: str
    text: str
    seed: int = 0
    sample: int = 0
    language: str | None = None
    whole: bool = True
    """False if the text may continue the task's prompt."""
    place: str = ""
    """File and line, for messages."""


@dataclass(frozen=True, slots=True)
class SampleFile:
    """The samples of a file, by task in the file's order."""

    by_task: dict[str, list[Sample]]
    digest: str
    """SHA-256 over the rows."""
    repeated: int
    """Samples whose text equals an earlier one of the same task."""


def read_samples(path: Path, on_fault: Callable[[RowFault], None]) -> SampleFile:
    """Return the samples of a JSONL, JSON, gzip or parquet file.

    Args:
        path: The file. Each row has `task_id` and one of `completion`, `solution`, `program` and
            `code`: a text or a list of texts. `seed`, `sample` and `language` are optional.
        on_fault: Receives each row that is left out.

    Raises:
        UsageError: if the file cannot be read, or holds no sample.
    """
    by_task: dict[str, list[Sample]] = {}
    taken: set[tuple[str, int, int]] = set()
    texts: Counter[tuple[str, str]] = Counter()
    counts: Counter[tuple[str, int]] = Counter()
    digest, left_out = sha256(), list[RowFault]()

    def leave_out(fault: RowFault) -> None:
        left_out.append(fault)
        on_fault(fault)

    for row in read_rows(path, leave_out):
        digest.update(row.digest.encode())
        try:
            found = _samples_in(row, counts, taken)
        except RowError as error:
            leave_out(RowFault(file=row.file, row=row.number, message=str(error)))
            continue
        for sample in found:
            taken.add((sample.task, sample.seed, sample.sample))
            counts[sample.task, sample.seed] += 1
            by_task.setdefault(sample.task, []).append(sample)
            texts[sample.task, sample.text] += 1
    if not by_task:
        first = f" (the first row left out is {left_out[0]})" if left_out else ""
        raise UsageError(
            f"{path} holds no sample{first}; write a line such as "
            '{"task_id": "HumanEval/0", "completion": "..."}'
        )
    return SampleFile(by_task, digest.hexdigest(), texts.total() - len(texts))


def program_of(sample: Sample, task: Task) -> str:
    """Return the program of a sample."""
    return sample.text if sample.whole else judging.program_of(task, sample.text)


def _language(name: str | None) -> str | None:
    known = None
    with suppress(LanguageError):
        known = language_called(name) if name else None
    if name and known is None:
        raise ValueError(f"unknown language, got {name!r}; `steelyard languages` lists all")
    return known


Texts = Annotated[
    list[Annotated[str, Field(max_length=MAX_SOURCE_BYTES)]],
    Field(min_length=1),
    BeforeValidator(lambda value: value if isinstance(value, list) else [value]),
]
Number = Annotated[int, Field(strict=True, ge=0, lt=1 << 31)]


class _Fields(BaseModel):
    """The fields of a row that count."""

    task_id: Annotated[
        str,
        Field(pattern=r"\S", validation_alias=AliasChoices("task_id", "task")),
        BeforeValidator(lambda value: str(value) if isinstance(value, int) else value),
    ]
    completion: Texts | None = None
    solution: Texts | None = None
    program: Texts | None = None
    code: Texts | None = None
    seed: Number | None = None
    sample: Number | None = None
    language: Annotated[str | None, AfterValidator(_language)] = None


def _samples_in(
    row: Row, counts: Mapping[tuple[str, int], int], taken: Collection[tuple[str, int, int]]
) -> list[Sample]:
    """Return the samples of a row; those without a number follow the `counts` earlier ones."""
    try:
        fields = _Fields.model_validate(row.fields)
    except ValidationError as error:
        raise RowError(fault_of_record(error, row.fields, _Fields, "a sample")[:200]) from error
    given = [name for name in _TEXTS if getattr(fields, name) is not None]
    if len(given) != 1:
        found = f"got {' and '.join(given)}" if given else "it has none"
        raise RowError(f"a sample needs one of {', '.join(_TEXTS)}, {found}")
    task, seed, first = fields.task_id, fields.seed or 0, fields.sample
    first = counts.get((task, seed), 0) if first is None else first
    found = getattr(fields, given[0])
    for number in range(first, first + len(found)):
        if (task, seed, number) in taken:
            raise RowError(
                f"sample {number} of seed {seed} of {task} comes a second time; number samples "
                "from 0, or leave the number out"
            )
    return [
        Sample(
            task=task,
            text=text,
            seed=seed,
            sample=first + index,
            language=fields.language,
            whole=given[0] != _CONTINUES,
            place=f"{row.file}:{row.number}",
        )
        for index, text in enumerate(found)
    ]
