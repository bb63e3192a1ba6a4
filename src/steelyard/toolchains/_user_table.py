"""The user's `languages.toml`: rows that extend or replace those of the built-in table."""

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

from pydantic import Field, ValidationError

from steelyard.errors import SettingsError
from steelyard.schemas import Record
from steelyard.toolchains._table import LanguageRow, LanguageTable

_PLACEHOLDERS = frozenset(
    {
        "compiler",
        "crash",
        "flags",
        "header",
        "heap_mib",
        "machine",
        "main_class",
        "output",
        "report",
        "root",
        "source",
        "stack_kib",
        "stack_mib",
    }
)
_WHAT_TO_DO = "fix the file, or remove it to use the built-in languages only"


class UserTable(Record):
    """A user's file: the schema of the built-in one, with nothing required."""

    views: dict[str, tuple[str, ...]] = Field(default_factory=dict)
    languages: tuple[LanguageRow, ...] = Field(default=(), alias="language")


def with_user_rows(table: LanguageTable, file: Path) -> LanguageTable:
    """Return the table with a file's rows: a known name is replaced, a new one is appended.

    A file that does not exist changes nothing.

    Raises:
        SettingsError: if the file cannot be used; the message names the file and the key.
    """
    try:
        text = file.read_text(encoding="utf-8")
    except (FileNotFoundError, NotADirectoryError):
        return table
    except (OSError, UnicodeDecodeError) as error:
        raise _fault(file, f"cannot be read ({error})") from error
    try:
        data = tomllib.loads(text)
        own = UserTable.model_validate(data)
    except tomllib.TOMLDecodeError as error:
        raise _fault(file, f"is not TOML ({error})") from error
    except ValidationError as error:
        first = error.errors()[0]
        key, got = _key(first["loc"], data), first["input"]
        what = first["msg"][:1].lower() + first["msg"][1:]
        shown = "" if isinstance(got, dict) else f" (got {got!r})"
        raise _fault(file, f"{key}: {what}{shown}") from error
    rows = {row.name: row for row in (*table.languages, *own.languages)}
    merged = LanguageTable(
        views={**table.views, **own.views},
        language=tuple(rows.values()),
        files={row.name: str(file) for row in own.languages},
    )
    for fault in _faults(table, own, merged):
        raise _fault(file, fault)
    return merged


def _fault(file: Path, what: str) -> SettingsError:
    return SettingsError(f"{file}: {what}; {_WHAT_TO_DO}")


def _key(location: tuple[int | str, ...], data: object) -> str:
    """Return the key of a fault, with names instead of list positions if the rows have names."""
    parts: list[str] = []
    value = data
    for part in location:
        if isinstance(part, int):
            value = value[part] if isinstance(value, list) and part < len(value) else None
            name = value.get("name") if isinstance(value, dict) else None
            parts.append(f"{parts.pop()} {name!r}" if name else f"{parts.pop()} number {part + 1}")
        else:
            value = value.get(part) if isinstance(value, dict) else None
            parts.append(part)
    return ", ".join(parts)


def _faults(table: LanguageTable, own: UserTable, merged: LanguageTable) -> Iterator[str]:
    """Yield faults that no schema finds: name clashes, unknown lists and placeholders."""
    for name in own.views:
        if name in table.views:
            yield f"views, {name}: this list is built in; choose another name"
    names = [row.name for row in own.languages]
    for name in names:
        if names.count(name) > 1:
            yield f"language {name!r}: it is defined twice"
    for row in own.languages:
        for other in merged.languages:
            if other is row:
                continue
            for key, mine, theirs in (
                ("aliases", row.names, other.names),
                ("extensions", row.extensions, other.extensions),
            ):
                for clash in sorted(set(mine) & set(theirs)):
                    yield f"language {row.name!r}, {key}: {clash!r} belongs to {other.name!r}"
        yield from _row_faults(row, merged)


def _row_faults(row: LanguageRow, merged: LanguageTable) -> Iterator[str]:
    where = f"language {row.name!r}"
    if not row.compilers:
        yield f"{where}, compiler: give at least one"
    if row.names != tuple(name.lower() for name in row.names):
        yield f"{where}: write the name and the aliases in lower case"
    for extension in row.extensions:
        if not re.fullmatch(r"\.[^./A-Z\s]+", extension):
            yield f"{where}, extensions: {extension!r} is not an ending such as '.pas'"
    templates = [("run", row.run), ("run_view", row.run_view)]
    for compiler in row.compilers:
        own = f"compiler {compiler.name!r}, "
        templates += [(f"{own}compile", compiler.compile), (f"{own}view", compiler.view)]
        for given in compiler.given.values():
            yield f"{where}, {own}given: {given!r} is not a file of the package; leave it out"
    for key, template in templates:
        for part in template:
            if key.endswith("view") and part.startswith("@") and part[1:] not in merged.views:
                known = ", ".join(f"@{name}" for name in merged.views)
                yield f"{where}, {key}: there is no list {part!r}; use one of {known}"
            for name in re.findall(r"\{([^{}]*)\}", part):
                if name not in _PLACEHOLDERS:
                    known = ", ".join(sorted(_PLACEHOLDERS))
                    yield f"{where}, {key}: {{{name}}} is not a placeholder; use one of {known}"
