"""Judge0's languages, statuses and configuration, as far as this machine offers them.

Source: https://ce.judge0.com, version 1.13.1, which its clients know.
"""

from dataclasses import dataclass
from signal import Signals
from typing import Any

from steelyard.schemas import Execution, StopReason
from steelyard.service.compat._callbacks import MOST_TRIES, TIMEOUT_S
from steelyard.service.compat._semver import version_numbers
from steelyard.settings import ServiceSettings
from steelyard.toolchains import languages

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
_SIGNALS = {Signals.SIGSEGV: 7, Signals.SIGXFSZ: 8, Signals.SIGFPE: 9, Signals.SIGABRT: 10}
_IDS: tuple[tuple[int, str, str | None, str], ...] = (
    (50, "c", "gcc", "C (GCC {})"),
    (52, "cpp", "gcc", "C++ (GCC {})"),
    (53, "cpp", "gcc", "C++ (GCC {})"),
    (54, "cpp", "gcc", "C++ (GCC {})"),
    (60, "go", None, "Go ({})"),
    (62, "java", None, "Java (OpenJDK {})"),
    (63, "javascript", None, "JavaScript (Node.js {})"),
    (71, "python", None, "Python ({})"),
    (73, "rust", None, "Rust ({})"),
    (75, "c", "clang", "C (Clang {})"),
    (76, "cpp", "clang", "C++ (Clang {})"),
)
"""The peer's id; this library's language and compiler; and the peer's name."""


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


def offered_languages() -> list[OfferedLanguage]:
    """Return the peer's languages that this machine has, by id."""
    installed = [each for each in languages() if each.installed and each.runnable]
    found = []
    for number, language, compiler, name in _IDS:
        tools = [each for each in installed if each.language == language]
        tool = next((each for each in tools if compiler in (None, each.compiler)), None)
        if tool is not None:
            title = name.format(version_numbers(tool.version))
            found.append(OfferedLanguage(number, title, language, compiler))
    return found


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
        "allowed_languages_for_compile_options": ["C", "C++", "Java", "Rust", "Go"],
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
    match done.stop:
        case StopReason.EXITED:
            code = done.exit_code
            return (11, f"Exited with error status {code}") if code else (3, None)
        case StopReason.CPU_LIMIT:
            return 5, "Time limit exceeded"
        case StopReason.WALL_LIMIT:
            return 5, "Time limit exceeded (wall clock)"
        case StopReason.OUTPUT_LIMIT:
            return 8, f"Caught fatal signal {Signals.SIGXFSZ.value}"
        case StopReason.MEMORY_LIMIT:
            return 12, "Memory limit exceeded"
        case StopReason.NOT_STARTED:
            return 14, done.message or None
        case _:
            number = done.signal or 0
            status = next((each for name, each in _SIGNALS.items() if name == number), 12)
            return status, f"Caught fatal signal {number}"
