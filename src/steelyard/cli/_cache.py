"""`steelyard cache`: what the cache of models' replies holds; clearing it; another key for it."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from steelyard.cli._groups import ClosingCommand, group_of
from steelyard.cli._options import Json
from steelyard.cli._outputs import print_result
from steelyard.errors import CacheError, UsageError
from steelyard.reports import Block, Code, Column, Figure, Figures, Table, count, mebibytes, visible

if TYPE_CHECKING:
    from steelyard.models import CacheStats

cache = group_of(
    "Manage the cache of language models' replies.",
    "The cache is in clear, or encrypted with the key that CACHE_ENCRYPT_KEY holds: 32 "
    "bytes, as hex or base64.",
)


@cache.command(cls=ClosingCommand)
def stats(json: Json = False) -> None:
    """Show how many replies there are, of which roles and models, and how they are encrypted.

    Neither prompts nor replies are shown, and no key is needed.
    """
    from steelyard.models import cache_stats, default_cache_path  # noqa: PLC0415

    found = cache_stats(default_cache_path())
    print_result(found.model_dump(mode="json"), _blocks(found), json=json)


@cache.command(cls=ClosingCommand)
def clear(
    damaged: Annotated[
        bool, typer.Option("--damaged", help="Remove only the replies that cannot be read.")
    ] = False,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
    json: Json = False,
) -> None:
    """Remove the replies; models are asked, and paid, anew.

    A file that cannot be read is removed itself. No key is needed, but for --damaged.
    """
    from steelyard.models import (  # noqa: PLC0415
        clear_cache,
        default_cache_path,
        drop_damaged,
        read_key,
    )

    path = default_cache_path()
    if not (yes or damaged or _confirmed(path)):
        raise typer.Exit(1)
    removed = drop_damaged(path, read_key()) if damaged else clear_cache(path)
    text = f"removed {path}, which could not be read"
    if removed is not None:
        text = f"removed {_replies(removed)} from {path}"
    print_result({"path": str(path), "removed": removed}, [Code(text)], json=json)


@cache.command(cls=ClosingCommand)
def rekey(
    decrypt: Annotated[bool, typer.Option("--decrypt", help="Keep the replies in clear.")] = False,
    json: Json = False,
) -> None:
    """Give the replies another key: that of CACHE_ENCRYPT_KEY_NEW.

    Set CACHE_ENCRYPT_KEY to the present key; leave it unset if the replies are not encrypted.
    Either all replies get the new key or none does, even if the process is killed.
    """
    from steelyard.models import (  # noqa: PLC0415
        KEY_VARIABLE,
        NEW_KEY_VARIABLE,
        default_cache_path,
        key_id,
        read_key,
        rekey_cache,
    )

    new = read_key(NEW_KEY_VARIABLE)
    if decrypt == (new is not None):
        raise UsageError(
            f"say what becomes of the replies: set {NEW_KEY_VARIABLE} to their new key, "
            "or keep them in clear with --decrypt, and not both"
        )
    path = default_cache_path()
    changed = rekey_cache(path, read_key(), new)
    text = f"{_replies(changed)} in clear; unset {KEY_VARIABLE}"
    if new is not None:
        key = key_id(new)
        text = f"{_replies(changed)} under the key {key}; set {KEY_VARIABLE} to the new key"
    plain = {"path": str(path), "changed": changed, "key_id": key_id(new)}
    print_result(plain, [Code(text)], json=json)


def _confirmed(path: Path) -> bool:
    """Ask a person to confirm; return True if they agree.

    Raises:
        UsageError: if there is nobody to ask.
    """
    from steelyard.models import cache_stats  # noqa: PLC0415

    if not sys.stdin.isatty():
        raise UsageError("replies that were paid for would be lost; say --yes to remove them")
    try:
        held = cache_stats(path)
        what = f"{_replies(held.entries)} ({mebibytes(held.bytes / 2**20)}) from {path}"
    except CacheError as error:
        typer.echo(visible(str(error)), err=True)
        what = str(path)
    return typer.confirm(f"remove {visible(what)}?", err=True)


def _replies(number: int) -> str:
    return "1 reply" if number == 1 else f"{count(number)} replies"


def _blocks(found: "CacheStats") -> Iterator[Block]:
    size, whole = mebibytes(found.bytes / 2**20), mebibytes(found.file_bytes / 2**20)
    figures = [
        Figure("file", found.path),
        Figure("replies", f"{count(found.entries)}, {size} (the file: {whole})"),
    ]
    if found.entries:
        encrypted = f"with AES-256-GCM, key {', '.join(found.key_ids)}"
        plain = "no; `steelyard cache rekey` encrypts them"
        figures.append(Figure("encrypted", encrypted if found.encrypted else plain))
    yield Figures(figures)
    if found.entries:
        yield Table(
            ("role", "model", Column("replies", "figure"), Column("size", "figure")),
            [
                (row.role, row.model, count(row.entries), mebibytes(row.bytes / 2**20))
                for row in found.by_role
            ],
        )
