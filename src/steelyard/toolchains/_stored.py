"""Convert a compile's outcome to bytes for the cache, and back."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field

from pydantic import ValidationError

from steelyard.schemas import CompileResult, StopReason


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of a compile, and the files that it made."""

    result: CompileResult
    outputs: Mapping[str, bytes | memoryview] = field(default_factory=dict)
    stop: StopReason = StopReason.EXITED
    """The reason why the compiler ended. It is not stored: a failure never is."""


def pack(outcome: Outcome) -> list[bytes]:
    """Return a length, a JSON head with the files' names and sizes, and the files."""
    files = {name: bytes(data) for name, data in outcome.outputs.items()}
    head = json.dumps(
        {
            "result": outcome.result.model_dump_json(),
            "files": {name: len(data) for name, data in files.items()},
        }
    ).encode()
    return [len(head).to_bytes(4, "little"), head, *files.values()]


def unpack(body: memoryview) -> Outcome | None:
    """Return the packed outcome, or None if another version packed it in another format."""
    length = int.from_bytes(body[:4], "little")
    position = 4 + length
    try:
        head = json.loads(bytes(body[4:position]))
        result = CompileResult.model_validate_json(head["result"])
        outputs = {}
        for name, size in head["files"].items():
            outputs[name] = body[position : position + size]
            position += size
    except (ValueError, KeyError, TypeError, AttributeError, ValidationError):
        return None
    return Outcome(result, outputs)
