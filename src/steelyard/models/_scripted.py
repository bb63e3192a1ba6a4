"""A model that reads its replies from a file: for demonstrations, examples and tests.

    {
      "planner": [{"algorithm": "sort, then sweep"}],
      "coder": [
        {"code_cpp": {"$file": "slow.cpp"}, "compiler_flags": []},
        "Here is your program! I hope that it helps.",
        {"$error": "the provider is overloaded"},
        {"$reply": {"code_cpp": {"$file": "fast.cpp"}}, "$tokens_out": 412, "$cost_usd": 0.01}
      ],
      "analyst": [{"$file": "answer.txt"}]
    }

Each role gets its replies in this order. A reply is a text, or an object or array, which becomes
JSON text. Names with a dollar are directives:

- `{"$file": PATH}`, instead of any value or of a whole reply: the text of a file. The path is
  relative to the script's folder and must not leave it.
- `{"$error": TEXT}`, as a reply: the call fails as if no provider was reached.
- `{"$reply": REPLY, "$tokens_in": N, "$tokens_out": N, "$cost_usd": X, "$finish": REASON}`: a reply
  with its cost and the reason why it ended; all but `$reply` are optional.
"""

import json
import os
import stat
from collections.abc import Mapping
from pathlib import Path

from pydantic import JsonValue, ValidationError

from steelyard.errors import ModelTransportError, ScriptError
from steelyard.models._request import Reply, Request
from steelyard.schemas import JsonError, decode_json


class ScriptedFailure(str):
    """The text of a call that fails."""

    __slots__ = ()


Script = dict[str, tuple[Reply | ScriptedFailure, ...]]
"""The outcomes of each role's calls, in order."""


class ScriptedModel:
    """A model that gives each role its replies from a script, in order.

    Each object starts at the first reply.

    Args:
        file: The script, in the format that this module describes.

    Raises:
        ScriptError: if the script, or a file that it names, cannot be used.
    """

    def __init__(self, file: Path) -> None:
        self._file = file
        self._script = read_script(file)
        self._next = dict.fromkeys(self._script, 0)

    @property
    def name(self) -> str:
        """The model's name, `scripted:FILE`."""
        return f"scripted:{self._file}"

    async def complete(self, request: Request) -> Reply:
        """Return the role's next reply.

        Raises:
            ScriptError: if the role has none left.
            ModelTransportError: if the script has `$error` at this position.
        """
        replies = self._script.get(request.role, ())
        index = self._next.get(request.role, 0)
        if index >= len(replies):
            available = ", ".join(f"{role} {len(each)}" for role, each in self._script.items())
            raise ScriptError(
                f"the script {self._file} has no reply number {index + 1} for the role "
                f"{request.role} (it has: {available or 'none'}); add it"
            )
        self._next[request.role] = index + 1
        reply = replies[index]
        if isinstance(reply, ScriptedFailure):
            raise ModelTransportError(
                f"{self.name}, {request.role}[{index}]: {reply}; the script sets this error"
            )
        return reply.model_copy(update={"model": self.name})

    def resume_after(self, replies: Mapping[str, int]) -> None:
        """Resume after an earlier run.

        Args:
            replies: The number of replies that each role got, without faults; the faults directly
                after its last reply are skipped too. A role that is missing starts at its first
                reply.

        Raises:
            ScriptError: if the script has fewer replies than that.
        """
        for role, paid in replies.items():
            left = sum(not isinstance(each, ScriptedFailure) for each in self._script.get(role, ()))
            if paid > left:
                raise ScriptError(
                    f"the script {self._file} has {left} replies for the role {role}, and "
                    f"the run to resume had {paid}; give the script that it was started with"
                )
        self._next = {
            role: _start(each, replies.get(role, 0)) for role, each in self._script.items()
        }


def _start(replies: tuple[Reply | ScriptedFailure, ...], paid: int) -> int:
    """Return the index of the reply after the first `paid` ones."""
    if not paid:
        return 0
    indices = [index for index, each in enumerate(replies) if not isinstance(each, ScriptedFailure)]
    return indices[paid] if paid < len(indices) else len(replies)


_MAX_FILE_BYTES = 32 << 20
_PARTS = {"$tokens_in", "$tokens_out", "$cost_usd", "$finish"}


def read_script(file: Path) -> Script:
    """Read a script with all the files that it names.

    Raises:
        ScriptError: if a file cannot be read, or the script is not of this format; the message
            names file, role and position.
    """
    try:
        return _read_document(file)
    except RecursionError as error:
        raise ScriptError(f"the script {file} is too deeply nested; flatten it") from error


def _read_document(file: Path) -> Script:
    try:
        text = _text_of(file)
        document = decode_json(text, strict=True)
    except OSError as error:
        raise ScriptError(
            f"the script {file} cannot be read: {error.strerror}; give a JSON file"
        ) from error
    except JsonError as error:
        raise ScriptError(f"the script {file}: {error}") from error
    if not isinstance(document, dict):
        raise ScriptError(f'the script {file} must be an object such as {{"coder": [...]}}')
    script: Script = {}
    for role, replies in document.items():
        if not isinstance(replies, list):
            raise ScriptError(
                f"{file}: {role!r} must be a list of replies, got {type(replies).__name__}; "
                'write it like {"coder": ["..."]}'
            )
        script[role] = tuple(
            _read_reply(file, f"{role}[{index}]", value) for index, value in enumerate(replies)
        )
    return script


def _read_reply(file: Path, where: str, value: JsonValue) -> Reply | ScriptedFailure:
    fields: dict[str, JsonValue] = {}
    if isinstance(value, dict):
        if set(value) == {"$error"} and isinstance(value["$error"], str):
            return ScriptedFailure(value["$error"])
        if "$reply" in value:
            others = set(value) - {"$reply"} - _PARTS
            if others:
                raise ScriptError(
                    f"{file}: {where}: {min(others)!r} is not allowed with '$reply'; "
                    f"use {', '.join(sorted(_PARTS))}"
                )
            fields = {name.removeprefix("$"): value[name] for name in _PARTS & set(value)}
            value = value["$reply"]
    value = _filled(file, where, value)
    if not isinstance(value, str | dict | list):
        raise ScriptError(f"{file}: {where}: a reply must be a text, an object or an array")
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    free = not {"tokens_in", "tokens_out", "cost_usd"} & set(fields)
    plain = {"cost_usd": 0.0, **fields, "text": text, "model": "scripted", "from_cache": free}
    try:
        return Reply.model_validate(plain)
    except ValidationError as error:
        first = error.errors()[0]
        raise ScriptError(
            f"{file}: {where}: ${first['loc'][0]}: {first['msg'].lower()}, "
            f"got {first['input']!r:.40}"
        ) from error


def _filled(file: Path, where: str, value: JsonValue) -> JsonValue:
    """Return a value with the texts of the files that it names."""
    if isinstance(value, list):
        return [_filled(file, where, item) for item in value]
    if not isinstance(value, dict):
        return value
    directives = sorted(name for name in value if name.startswith("$"))
    if not directives:
        return {name: _filled(file, where, item) for name, item in value.items()}
    path = value.get("$file")
    if len(value) > 1 or not isinstance(path, str):
        raise ScriptError(
            f"{file}: {where}: {directives[0]!r} is not allowed here; use "
            '{"$file": PATH} in a reply, or {"$error": TEXT} as a whole reply'
        )
    return _included_text(file, where, path)


def _included_text(file: Path, where: str, path: str) -> str:
    """Return the text of a file in the script's folder or below it."""
    folder = file.parent.resolve()
    try:
        target = (folder / path).resolve(strict=True)
        if not target.is_relative_to(folder):
            raise ScriptError(
                f"{file}: {where}: {path!r} leaves the script's folder; put the file into it"
            )
        return _text_of(target)
    except (OSError, RuntimeError, ValueError) as error:  # a loop of links, a NUL byte
        why = getattr(error, "strerror", None) or str(error)
        raise ScriptError(
            f"{file}: {where}: {path!r} cannot be read: {why}; name a file that can"
        ) from error


def _text_of(file: Path) -> str:
    """Return the text of a file, without waiting for another process's pipe.

    Raises:
        OSError: if it cannot be read, is too large, or is not UTF-8.
    """
    with open(file, "rb", opener=_opened_at_once) as stream:
        if not stat.S_ISREG(os.fstat(stream.fileno()).st_mode):
            raise OSError(None, "it is not a file")
        data = stream.read(_MAX_FILE_BYTES + 1)
    if len(data) > _MAX_FILE_BYTES:
        raise OSError(None, f"it has more than {_MAX_FILE_BYTES >> 20} MiB")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise OSError(None, f"it is not UTF-8 at byte {error.start}") from error


def _opened_at_once(name: str, flags: int) -> int:
    return os.open(name, flags | os.O_NONBLOCK)
