"""Arguments and options that more than one command has, each defined once."""

import shlex
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.models import OptionInfo

from steelyard.errors import UsageError
from steelyard.schemas import Limits
from steelyard.settings import Settings, current_settings
from steelyard.toolchains import MAX_SOURCE_BYTES, compilers_of, language_names

_UNITS = ("_usd", "_mib", "_ms", "_s")
_LIMITS = {"cpu_ms": "--time-limit", "memory_mib": "--memory-limit"}
_ENTRIES = ("stdio", "function:", "class:", "asserts", "asserts:")
LANGUAGE_HELP = "Programming language of the program."


def _seed(text: str) -> int | None:
    if str(text) == "random":
        return None
    try:
        return int(text)
    except ValueError as error:
        raise UsageError(f"--seed must be a whole number or random, got {text!r}") from error


def time_limit(default: str) -> OptionInfo:
    """Return `--time-limit` for a job whose own limit is this."""
    return _option(
        "--time-limit", "MS", "CPU time that one run of the program may take, in ms.", default
    )


def memory_limit(default: str) -> OptionInfo:
    """Return `--memory-limit` for a job whose own limit is this."""
    return _option(
        "--memory-limit", "MIB", "Memory that one run of the program may take, in MiB.", default
    )


def rel_tol(default: str | bool = True) -> OptionInfo:
    """Return `--rel-tol` for a job whose own tolerance is this."""
    return _option(
        "--rel-tol", "X", "Relative tolerance of floats, as a share of the larger one.", default
    )


def abs_tol(default: str | bool = True) -> OptionInfo:
    """Return `--abs-tol` for a job whose own tolerance is this."""
    return _option("--abs-tol", "X", "Absolute tolerance of floats.", default)


def entry(kinds: str, default: str | bool = True) -> OptionInfo:
    """Return `--entry` for a job that takes these kinds of entry points."""
    shown = [each for each in _ENTRIES if each.rstrip(":") in kinds]
    text = f"Entry point of a Python program: {kinds}."
    return _option("--entry", "ENTRY", text, default, lambda: shown)


def _option(
    name: str,
    metavar: str,
    text: str,
    default: str | bool,
    values: Any = None,
) -> OptionInfo:
    """Return an option; `values` gives what a shell completes."""
    option: OptionInfo = typer.Option(
        name, metavar=metavar, help=text, show_default=default, autocompletion=values
    )
    return option


def _compilers(context: typer.Context) -> list[str]:
    return compilers_of(context.params.get("language"))


Program = Annotated[
    Path, typer.Argument(metavar="PROGRAM", help="Source file of the program under test.")
]
Language = Annotated[
    str | None,
    _option("--language", "NAME", LANGUAGE_HELP, "by the ending of the file", language_names),
]
Compiler = Annotated[
    str | None,
    _option(
        "--compiler",
        "NAME",
        "Compiler of the language; `steelyard languages` lists all.",
        "the first that is installed",
        _compilers,
    ),
]
Flags = Annotated[
    str | None, _option("--flags", "FLAGS", 'Flags for the compiler: "-O2 -Wall".', False)
]
Preload = Annotated[
    str | None,
    _option("--preload", "MODULES", "Modules to load before a Python program: numpy,scipy.", False),
]
Seed = Annotated[
    int | None,
    typer.Option(
        "--seed",
        metavar="N",
        parser=_seed,
        help="Seed for everything pseudo-random. `random` picks a new seed for each run.",
    ),
]
Jobs = Annotated[
    int | None,
    _option("--jobs", "N", "Number of cases to run in parallel.", "one for each core"),
]
Html = Annotated[
    Path | None, _option("--html", "FILE", "Write the report as one HTML page.", False)
]
Models = Annotated[
    str | None,
    typer.Option(metavar="MODEL", help="Model for all roles, such as scripted:replies.json."),
]
MaxCost = Annotated[
    float | None,
    typer.Option(
        metavar="USD",
        show_default="no limit",
        help="Hard limit on model spending, in US dollars.",
    ),
]
MaxTokens = Annotated[
    int | None,
    typer.Option(metavar="N", show_default="no limit", help="Hard limit on model tokens."),
]
Resume = Annotated[
    Path | None,
    typer.Option(metavar="DIR", help="Resume the run in this folder; budgets may be changed."),
]
Logs = Annotated[
    Path | None,
    typer.Option(metavar="DIR", show_default="logs", help="Folder for the files of runs."),
]
Caching = Annotated[
    bool, typer.Option("--cache/--no-cache", help="Reuse replies, and keep new ones.")
]
Database = Annotated[
    str | None,
    typer.Option(
        "--db",
        metavar="URL",
        show_default="setting database_url",
        help="The database: a file, sqlite:///FILE or postgresql://USER@HOST/NAME.",
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object, for errors too.")]


def stated(**options: Any) -> dict[str, Any]:
    """Return the options that are not None: the user has stated them."""
    return {name: value for name, value in options.items() if value is not None}


def limits_of(time_limit: int | None, memory_limit: int | None) -> Limits | None:
    """Return limits with those that were given set; None if there are none.

    Raises:
        UsageError: if one of them is out of range.
    """
    found = stated(cpu_ms=time_limit, memory_mib=memory_limit)
    with flags_named(_LIMITS):
        return Limits(**found) if found else None


def settings_of(database: str | None) -> Settings:
    """Return the settings, with the database that `--db` names."""
    settings = current_settings()
    if database is None:
        return settings
    return settings.model_copy(update={"database_url": str(database)})


def flag_of(keyword: str) -> str:
    """Return the flag of a keyword: its words without the unit, as `--budget` of `budget_s`."""
    if keyword in _LIMITS:
        return _LIMITS[keyword]
    unit = next((unit for unit in _UNITS if keyword.endswith(unit)), "")
    return f"--{keyword.removesuffix(unit).replace('_', '-')}"


@contextmanager
def flags_named(keywords: Iterable[str]) -> Iterator[None]:
    """Name the flag, in place of its keyword, in an error about one of these keywords."""
    try:
        yield
    except UsageError as error:
        keyword, colon, rest = str(error).partition(": ")
        name = keyword.partition(".")[0]  # an item of a list is `k.0`
        if not colon or name not in keywords:
            raise
        raise type(error)(f"{flag_of(name)}: {rest}") from error


def require_jobs(jobs: int | None) -> None:
    """Require that `--jobs` is positive.

    Raises:
        UsageError: if it is not.
    """
    if jobs is not None and jobs < 1:
        raise UsageError(f"--jobs must be 1 or more, got {jobs}")


def split_flags(flags: str | None) -> list[str] | None:
    """Return flags as a shell would pass them; None if none are given.

    Raises:
        UsageError: if a quote is left open.
    """
    return split_words(flags, "--flags")


def split_words(text: str | None, option: str) -> list[str] | None:
    """Return an option's words as a shell would pass them; None if it is not given.

    Raises:
        UsageError: if a quote is left open.
    """
    if text is None:
        return None
    try:
        return shlex.split(text)
    except ValueError as error:
        raise UsageError(f"{option}: {str(error).lower()} in {text!r}; close the quote") from error


def module_names(preload: str | None) -> tuple[str, ...]:
    """Return the modules of `numpy,pandas`; empty if none are given."""
    return tuple(name.strip() for name in preload.split(",")) if preload else ()


def text_of_file(file: Path, most_bytes: int) -> str:
    """Return the text of `--file`, up to a number of bytes, which is more than is accepted.

    Raises:
        UsageError: if it cannot be read.
    """
    try:
        with file.open("rb") as stream:
            data = stream.read(most_bytes)
        # A cut may be within a character.
        return data.decode("utf-8", "ignore" if len(data) == most_bytes else "strict")
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or "it is not UTF-8"
        raise UsageError(f"--file: {file} cannot be read: {why}; give a text file") from error


def read_source(path: Path) -> bytes:
    """Return a source file, up to one byte more than compiles.

    Raises:
        UsageError: if it cannot be read.
    """
    try:
        if not path.is_file() and path.exists():
            raise UsageError(f"{path} is not a file; name a source file")
        with path.open("rb") as file:
            return file.read(MAX_SOURCE_BYTES + 1)
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}; name a source file") from error
