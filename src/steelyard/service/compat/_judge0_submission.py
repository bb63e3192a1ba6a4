"""One submission of Judge0: its fields, their validation, and the forms in which it is shown.

Languages, statuses and the configuration are the peer's, as far as this machine offers them.

Source: https://ce.judge0.com, version 1.13.1, which its clients know.
"""

import base64
import binascii
import shlex
import uuid
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from signal import Signals
from typing import Any

from steelyard.schemas import Execution, Limits, StopReason
from steelyard.service._error_responses import Problem
from steelyard.service.compat._callbacks import MOST_TRIES, TIMEOUT_S, CallbackError, target_of
from steelyard.service.compat._peers import PeerProgram, milliseconds, words_of_end
from steelyard.service.compat._semver import version_numbers
from steelyard.settings import ServiceSettings
from steelyard.toolchains import find_toolchain, language_table, languages

_TEXTS = ("source_code", "stdin", "expected_output")
_OUTPUTS = ("stdout", "stderr", "compile_output", "message")
_FLAGS = (
    "enable_per_process_and_thread_time_limit",
    "enable_per_process_and_thread_memory_limit",
    "redirect_stderr_to_stdout",
    "enable_network",
)
_OPTION_FIELDS = ("compiler_options", "command_line_arguments")
DEFAULT_FIELDS = (
    "stdout",
    "time",
    "memory",
    "stderr",
    "token",
    "compile_output",
    "message",
    "status",
)
VERSION = "1.13.1"
STATUSES = {
    1: "In Queue",
    2: "Processing",
    3: "Accepted",
    4: "Wrong Answer",
    5: "Time Limit Exceeded",
    6: "Compilation Error",
    7: "Runtime Error (SIGSEGV)",
    8: "Runtime Error (SIGXFSZ)",
    9: "Runtime Error (SIGFPE)",
    10: "Runtime Error (SIGABRT)",
    11: "Runtime Error (NZEC)",
    12: "Runtime Error (Other)",
    13: "Internal Error",
    14: "Exec Format Error",
}
DEFAULTS: dict[str, float] = {
    "number_of_runs": 1,
    "cpu_time_limit": 5.0,
    "cpu_extra_time": 1.0,
    "wall_time_limit": 10.0,
    "memory_limit": 128_000,
    "stack_limit": 64_000,
    "max_processes_and_or_threads": 60,
    "max_file_size": 1_024,
}
"""Limits of a submission that sets none: seconds, and KiB."""
FIELDS = (
    "source_code",
    "language_id",
    "stdin",
    "expected_output",
    "stdout",
    "status_id",
    "created_at",
    "finished_at",
    "time",
    "memory",
    "stderr",
    "token",
    *DEFAULTS,
    *_FLAGS,
    "compile_output",
    "exit_code",
    "exit_signal",
    "message",
    "wall_time",
    "compiler_options",
    "command_line_arguments",
    "callback_url",
    "additional_files",
    "status",
    "language",
)
_LONGEST_OPTIONS = 512
_LINE_BYTES = 45


class Faults(Exception):  # noqa: N818  (a submission's faults, not an error of the service)
    """The faults of a submission's fields: field -> messages, as the peer reports them."""

    def __init__(self, fields: Mapping[str, list[str]]) -> None:
        super().__init__("; ".join(f"{name} {' '.join(why)}" for name, why in fields.items()))
        self.fields = dict(fields)


@dataclass(frozen=True, slots=True)
class OfferedLanguage:
    """A language of the peer that this machine has."""

    id: int
    name: str
    language: str
    compiler: str | None

    @property
    def shown(self) -> dict[str, Any]:
        """The language in a list."""
        return {"id": self.id, "name": self.name}


@dataclass
class Judge0Submission:
    """A submission, from its creation to its result."""

    owner: str
    """The token id of its caller."""
    language: OfferedLanguage
    program: PeerProgram
    expected: bytes | None
    given: Mapping[str, Any]
    """Limits and options, as they hold for it."""
    archive: bytes = b""
    """A ZIP archive of further files; empty if there is none."""
    token: str = field(default_factory=lambda: str(uuid.uuid4()))
    created: datetime = field(default_factory=lambda: datetime.now(UTC))
    finished: datetime | None = None
    status: int = 1
    result: dict[str, Any] = field(default_factory=dict)
    """Outputs as bytes, figures as the peer writes them."""

    def shown(self, names: Iterable[str], *, coded: bool) -> dict[str, Any]:
        """Return some of its fields.

        Args:
            names: Of `FIELDS`.
            coded: Texts in base64.

        Raises:
            UnicodeDecodeError: if a text is not UTF-8, and not coded.
        """
        return {name: self._field(name, coded=coded) for name in names}

    @property
    def size(self) -> int:
        """Its size in memory, about, in bytes."""
        outputs = sum(len(self.result.get(name) or b"") for name in _OUTPUTS)
        program = self.program
        texts = len(program.source) + len(program.stdin) + 3 * len(self.archive)
        return 4_096 + texts + outputs

    def _field(self, name: str, *, coded: bool) -> Any:
        own: dict[str, Any] = {
            "source_code": self.program.source,
            "stdin": self.program.stdin,
            "expected_output": self.expected,
            "token": self.token,
            "status_id": self.status,
            "status": {"id": self.status, "description": STATUSES[self.status]},
            "language_id": self.language.id,
            "language": self.language.shown,
            "created_at": _stamp(self.created),
            "finished_at": None if self.finished is None else _stamp(self.finished),
        }
        value = own[name] if name in own else self.result.get(name, self.given.get(name))
        if isinstance(value, bytes):
            return _encode64(value) if coded else value.decode()
        return value


def new_submission(
    owner: str, given: Any, settings: ServiceSettings, *, coded: bool
) -> Judge0Submission:
    """Return the submission in a request.

    Args:
        owner: The token id of its caller.
        given: The request's object.
        settings: The limits of the service.
        coded: Its texts are in base64.

    Raises:
        Faults: if a field has a fault.
        Problem: for what this service does not run.
    """
    fields = given if isinstance(given, dict) else {}
    faults: dict[str, list[str]] = {}
    texts = {name: _text(fields, name, faults, coded=coded) for name in _TEXTS}
    if not texts["source_code"] and "source_code" not in faults:
        faults["source_code"] = ["can't be blank"]
    language = _language(fields.get("language_id"), faults)
    numbers = {name: _number(fields, name, settings, faults) for name in DEFAULTS}
    for name in _FLAGS:
        if fields.get(name) not in (None, False):
            faults[name] = ["this option cannot be enabled"]
    callback = _callback(fields, settings, faults)
    archive = _text(fields, "additional_files", faults, coded=True)
    words = {name: _words(fields, name, faults) for name in _OPTION_FIELDS}
    if faults or language is None:
        raise Faults(faults)
    options = words["compiler_options"]
    toolchain = find_toolchain(language.language, compiler=language.compiler)
    if options and not toolchain.builds:
        raise Faults({"compiler_options": ["can be set for compiled languages only"]})
    if options:
        flags = [*toolchain.flags, *options]
        toolchain = find_toolchain(language.language, compiler=language.compiler, flags=flags)
    program = PeerProgram(
        toolchain,
        texts["source_code"] or b"",
        stdin=texts["stdin"] or b"",
        args=tuple(words["command_line_arguments"]),
        limits=_limits(numbers),
    )
    try:
        program.check(settings)
    except Problem as problem:
        raise Faults({"base": [str(problem.detail)]}) from problem
    kept = {
        **numbers,
        **dict.fromkeys(_FLAGS, False),
        "callback_url": callback or None,
        "additional_files": fields.get("additional_files"),
        **{name: fields.get(name) for name in _OPTION_FIELDS},
    }
    for name in ("cpu_time_limit", "cpu_extra_time", "wall_time_limit"):
        kept[name] = str(kept[name])  # the peer writes decimals as texts
    return Judge0Submission(
        owner, language, program, texts["expected_output"], kept, archive or b""
    )


def _text(
    fields: dict[str, Any], name: str, faults: dict[str, list[str]], *, coded: bool
) -> bytes | None:
    value = fields.get(name)
    if value is None:
        return None
    if not isinstance(value, str):
        faults[name] = ["is not a text"]
        return None
    if not coded:
        return value.encode("utf-8", "surrogatepass")
    try:
        return base64.b64decode("".join(value.split()), validate=True)
    except (binascii.Error, ValueError):
        faults[name] = ["is not base64; encode it, or send base64_encoded=false"]
        return None


def _callback(
    fields: dict[str, Any], settings: ServiceSettings, faults: dict[str, list[str]]
) -> str:
    """Return the URL to which the result is sent; empty if there is none."""
    url = fields.get("callback_url")
    if not url:
        return ""
    if not settings.callbacks:
        faults["callback_url"] = ["callbacks are not allowed"]
        return ""
    try:
        target_of(str(url))
    except CallbackError as error:
        faults["callback_url"] = [str(error)]
    return str(url)


def _language(given: Any, faults: dict[str, list[str]]) -> OfferedLanguage | None:
    if given is None:
        faults["language_id"] = ["can't be blank"]
        return None
    found = next((each for each in offered_languages() if str(each.id) == str(given)), None)
    if found is None:
        faults["language_id"] = [f"language with id {str(given)[:40]} doesn't exist"]
    return found


def _number(
    fields: dict[str, Any], name: str, settings: ServiceSettings, faults: dict[str, list[str]]
) -> float:
    value = fields.get(name)
    if value is None:
        return DEFAULTS[name]
    try:
        number = float(value)
    except (TypeError, ValueError, OverflowError):
        faults[name] = ["is not a number"]
        return 1
    highest = most(settings)[name]
    least = 0 if name != "cpu_extra_time" else -1e-9
    if not number > least:
        faults[name] = ["must be greater than 0"]
    elif number > highest:
        faults[name] = [f"must be less than or equal to {highest:g}"]
    return number if isinstance(DEFAULTS[name], float) else int(max(min(number, highest), 0))


def _words(fields: dict[str, Any], name: str, faults: dict[str, list[str]]) -> list[str]:
    value = fields.get(name)
    if value is None:
        return []
    if not isinstance(value, str) or "\0" in value:
        faults[name] = ["is not a text"]
        return []
    if len(value) > _LONGEST_OPTIONS:
        faults[name] = [f"is too long (maximum is {_LONGEST_OPTIONS} characters)"]
        return []
    try:
        return shlex.split(value)
    except ValueError as error:
        faults[name] = [f"cannot be split: {error}"]
        return []


def _limits(numbers: Mapping[str, float]) -> Limits:
    file_mib = _kib_as_mib(numbers["max_file_size"])
    return Limits(
        cpu_ms=milliseconds(numbers["cpu_time_limit"]),
        wall_ms=milliseconds(numbers["wall_time_limit"]),
        memory_mib=_kib_as_mib(numbers["memory_limit"]),
        stack_mib=_kib_as_mib(numbers["stack_limit"]),
        processes=max(1, int(numbers["max_processes_and_or_threads"])),
        output_mib=file_mib,
        file_mib=file_mib,
    )


def _kib_as_mib(size: float) -> int:
    return max(1, -int(-size // 1_024))


def _stamp(moment: datetime) -> str:
    return moment.strftime("%Y-%m-%dT%H:%M:%S.") + f"{moment.microsecond // 1_000:03}Z"


def _encode64(value: bytes) -> str:
    """Return base64 in lines of 60 characters, as Ruby writes it."""
    parts = (value[at : at + _LINE_BYTES] for at in range(0, len(value), _LINE_BYTES))
    return "".join(base64.b64encode(part).decode() + "\n" for part in parts)


_STATUSES = {
    StopReason.EXITED: 11,
    StopReason.CPU_LIMIT: 5,
    StopReason.WALL_LIMIT: 5,
    StopReason.OUTPUT_LIMIT: 8,
    StopReason.MEMORY_LIMIT: 12,
    StopReason.NOT_STARTED: 14,
}
_SIGNALS: dict[int, int] = {
    Signals.SIGSEGV: 7,
    Signals.SIGXFSZ: 8,
    Signals.SIGFPE: 9,
    Signals.SIGABRT: 10,
}


def offered_languages() -> list[OfferedLanguage]:
    """Return the peer's languages that this machine has, by id."""
    installed = [each for each in languages() if each.installed and each.runnable]
    found: dict[int, OfferedLanguage] = {}
    for tool in installed:
        row = language_table().row(tool.language)
        titles = {each.name: each.title for each in row.compilers}
        version = f"{titles[tool.compiler]} {version_numbers(tool.version)}".lstrip()
        for number, compiler in row.peers.judge0.items():
            if compiler in ("", tool.compiler) and number not in found:
                title = f"{row.title} ({version})"
                found[number] = OfferedLanguage(number, title, row.name, compiler or None)
    return [found[number] for number in sorted(found)]


def most(settings: ServiceSettings) -> dict[str, float]:
    """Return the highest limits that a submission may set: seconds, and KiB."""
    memory = settings.max_memory_mib * 1_024
    return {
        "number_of_runs": 20,
        "cpu_time_limit": settings.max_time_s,
        "cpu_extra_time": settings.max_time_s,
        "wall_time_limit": settings.max_time_s,
        "memory_limit": memory,
        "stack_limit": memory,
        "max_processes_and_or_threads": 4_096,
        "max_file_size": settings.max_output_mib * 1_024,
    }


def configuration(settings: ServiceSettings, *, batch: int) -> dict[str, Any]:
    """Return the answer of `/config_info`."""
    highest = most(settings)
    return {
        "maintenance_mode": False,
        "enable_wait_result": True,
        "enable_compiler_options": True,
        "allowed_languages_for_compile_options": [
            row.title for row in language_table().languages if row.output
        ],
        "enable_command_line_arguments": True,
        "enable_submission_delete": False,
        "enable_callbacks": settings.callbacks,
        "callbacks_max_tries": MOST_TRIES,
        "callbacks_timeout": TIMEOUT_S,
        "enable_additional_files": True,
        "max_queue_size": settings.most_waiting,
        **{name: value for name, value in DEFAULTS.items() if name != "cpu_extra_time"},
        "cpu_extra_time": DEFAULTS["cpu_extra_time"],
        **{f"max_{name}": value for name, value in highest.items()},
        "enable_per_process_and_thread_time_limit": False,
        "allow_enable_per_process_and_thread_time_limit": False,
        "enable_per_process_and_thread_memory_limit": False,
        "allow_enable_per_process_and_thread_memory_limit": False,
        "redirect_stderr_to_stdout": False,
        "enable_network": False,
        "allow_enable_network": False,
        "max_extract_size": 0,
        "enable_batched_submissions": True,
        "max_submission_batch_size": batch,
        "submission_cache_duration": 0.0,
        "use_docs_as_homepage": False,
    }


def status_of_run(done: Execution) -> tuple[int, str | None]:
    """Return the status of a run, with its message; 3 means that its output decides."""
    if done.stop is StopReason.EXITED and not done.exit_code:
        return 3, None
    status = _STATUSES.get(done.stop) or _SIGNALS.get(done.signal or 0, 12)
    return status, words_of_end(done)
