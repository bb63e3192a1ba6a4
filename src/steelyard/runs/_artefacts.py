"""Read the artefacts in a run's folder, encrypted with `CACHE_ENCRYPT_KEY` or not."""

import base64
import binascii
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from steelyard.errors import CacheKeyError, UsageError
from steelyard.models import KEY_VARIABLE, Reply, Request, Seal, key_id, read_key
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


_NAME = "sealed_with"
_MOST_HEAD = 64


def sealed(file: Path, text: str, key: bytes | None) -> bytes:
    """Return what an artefact's file holds: its text, or the encrypted text with the key's id.

    An encrypted text is bound to the file's name.
    """
    data = text.encode("utf-8", "backslashreplace")
    if key is None:
        return data
    seal = Seal(key)
    value = base64.b64encode(seal.seal(data, _label(file))).decode("ascii")
    return json.dumps({_NAME: seal.key_id, "value": value}).encode()


def content_of(file: Path) -> bytes:
    """Return the text of an artefact's file, decrypted if needed.

    Raises:
        OSError: if it cannot be read.
        CacheKeyError: if it is encrypted with another key than `CACHE_ENCRYPT_KEY`.
        UsageError: if it was changed.
    """
    data = file.read_bytes()
    if _NAME.encode() not in data[:_MOST_HEAD]:
        return data
    try:
        envelope = json.loads(data)
        used, value = str(envelope[_NAME]), base64.b64decode(envelope["value"], validate=True)
    except (ValueError, KeyError, TypeError, RecursionError, binascii.Error):
        return data
    key = read_key()
    if key is None or key_id(key) != used:
        raise CacheKeyError(
            f"{file} is encrypted with the key {used}; set {KEY_VARIABLE} to that key"
        )
    opened = Seal(key).open(value, _label(file))
    if opened is None:
        raise UsageError(f"{file} was changed, and cannot be decrypted; give another run")
    return opened


def _label(file: Path) -> bytes:
    turn = file.parent.name if file.parent.name.startswith("iter_") else ""
    return f"{turn}/{file.name}".encode()
