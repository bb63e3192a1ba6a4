"""Read the artefacts in a run's folder."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from steelyard.errors import UsageError
from steelyard.journal._sealed import content_of
from steelyard.models import Reply, Request
from steelyard.schemas import Message, record_of_json

_EXCHANGE = re.compile(r"(\d{2,})_([a-z]+)\.json")
_ITERATION = re.compile(r"iter_(\d+)")


class Exchange(Message):
    """A request to a model, and its reply."""

    asked: str
    """The model's name, as given to the run."""
    request: Request
    reply: Reply


class Artefact(Message):
    """The result of a step that is not a message of the loop itself."""

    step: str
    content: Any = None


def exchanges_in(folder: Path, *, first: int = 0) -> tuple[Exchange, ...]:
    """Return the requests of a run with their replies, in order.

    Args:
        folder: Of the run.
        first: The first turn to read.
    """
    return tuple(read_record(file, Exchange) for file in _exchange_files(folder, first))


def _exchange_files(folder: Path, first: int) -> Iterator[Path]:
    for number, turn in turns_in(folder):
        if number < first:
            continue
        found = [(_EXCHANGE.fullmatch(file.name), file) for file in turn.iterdir()]
        numbered = sorted((int(match[1]), file) for match, file in found if match)
        yield from (file for _, file in numbered)


def turns_in(folder: Path) -> list[tuple[int, Path]]:
    """Return the folders of a run's turns with their numbers, in order."""
    found = [(_ITERATION.fullmatch(each.name), each) for each in folder.iterdir()]
    return sorted((int(match[1]), each) for match, each in found if match and each.is_dir())


def read_record(file: Path, form: type[Any]) -> Any:
    """Return a record out of an artefact.

    Raises:
        UsageError: if the file is missing or malformed.
    """
    try:
        return record_of_json(form, content_of(file))
    except OSError as error:
        raise UsageError(
            f"{file} cannot be read: {error.strerror}; give the folder of a run"
        ) from error
    except ValidationError as error:
        raise no_artefact(file, error) from error


def no_artefact(file: Path, error: ValidationError) -> UsageError:
    """Return the error for a file that holds another record, with the way out."""
    first = error.errors()[0]
    where = ".".join(str(part) for part in first["loc"])
    fault = f"{where}: {first['msg']}" if where else first["msg"]
    turn, name = file.parent, file.name
    if name == "run.json":
        do = "give the folder of another run"
    else:  # each step can be repeated from the artefacts before it
        folder = turn if name == "result.json" else turn.parent
        step = "request its reply again" if _EXCHANGE.fullmatch(name) else "repeat that step"
        do = f"delete it, and {step} with --resume {folder}"
    return UsageError(f"{file} is not an artefact of this version ({fault}); {do}")


def is_message(form: Any) -> bool:
    """Return True for the type of a message, which is its own artefact."""
    return isinstance(form, type) and issubclass(form, Message)
