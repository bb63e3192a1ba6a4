"""The languages of this process: the built-in table with the user's rows."""

from functools import cache
from pathlib import Path

from steelyard._arguments import checks_arguments
from steelyard.errors import LanguageError
from steelyard.settings import user_languages_file
from steelyard.toolchains._table import LanguageTable, shipped_table
from steelyard.toolchains._user_table import with_user_rows


@cache
def language_table() -> LanguageTable:
    """Return the built-in table with the rows of the user's `languages.toml`.

    Raises:
        SettingsError: if that file cannot be used; the message names the file and the key.
    """
    return with_user_rows(shipped_table(), user_languages_file())


def language_called(name: str) -> str | None:
    """Return the language with this name, alias or file ending (without its dot), if any."""
    wanted = name.lower()
    for row in language_table().languages:
        if wanted in row.names or f".{wanted}" in row.extensions:
            return row.name
    return None


def language_names() -> list[str]:
    """Return the names of all languages, for completion."""
    return [row.name for row in language_table().languages]


def compilers_of(language: str | None) -> list[str]:
    """Return the names of a language's compilers, or of all; none for an unknown language."""
    rows = language_table().languages
    chosen = [row for row in rows if language is None or language.lower() in row.names]
    return list(dict.fromkeys(each.name for row in chosen for each in row.compilers))


@checks_arguments
def language_of(path: Path) -> str:
    """Return the language of a file, by its extension.

    Raises:
        LanguageError: if no language has the extension; the message lists the known ones.
    """
    suffix = path.suffix.lower()
    for row in language_table().languages:
        if suffix in row.extensions:
            return row.name
    known = ", ".join(
        extension for row in language_table().languages for extension in row.extensions
    )
    raise LanguageError(
        f"{path.name}: no language has the extension {suffix!r} (known: {known}); "
        "give the language explicitly"
    )
