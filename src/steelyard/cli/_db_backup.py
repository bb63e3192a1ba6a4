"""`steelyard db backup` and `restore`: all that a service keeps, in one file."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from steelyard._installation import install_command
from steelyard.cli._options import Database, Json
from steelyard.cli._outputs import print_json
from steelyard.errors import UsageError
from steelyard.rendering import counted, visible
from steelyard.settings import Settings, current_settings

if TYPE_CHECKING:
    from steelyard.service.backup import Manifest


def backup(
    file: Annotated[Path, typer.Argument(help="File to write; it appears when it is complete.")],
    database: Database = None,
    json: Json = False,
) -> None:
    """Write records, tokens, jobs and files of runs into one file, also while a service runs."""
    try:
        from steelyard.service.backup import write_backup  # an extra  # noqa: PLC0415
    except ImportError as error:
        raise _missing() from error
    manifest = write_backup(_settings(database), file)
    if json:
        print_json(_plain(file, manifest))
    else:
        typer.echo(f"{visible(str(file))}: {_contents(manifest)}")


def restore(
    file: Annotated[Path, typer.Argument(help="File of a backup.")],
    replace: Annotated[
        bool, typer.Option("--replace", help="Replace a database that holds something.")
    ] = False,
    no_jobs: Annotated[
        bool, typer.Option("--no-jobs", help="Leave out jobs and the files of runs.")
    ] = False,
    database: Database = None,
    json: Json = False,
) -> None:
    """Restore a backup into an empty database and check every record; all of it or nothing."""
    try:
        from steelyard.service.backup import restore_backup  # an extra  # noqa: PLC0415
    except ImportError as error:
        raise _missing() from error
    settings = _settings(database)
    manifest, aside = restore_backup(settings, file, replace=replace, jobs=not no_jobs)
    if json:
        print_json({**_plain(file, manifest), "replaced": None if aside is None else str(aside)})
        return
    typer.echo(f"{visible(str(file))}: {_contents(manifest)}; every record has its digest")
    if aside is not None:
        typer.echo(f"the database before is in {visible(str(aside))}")


def _settings(database: str | None) -> Settings:
    settings = current_settings()
    if database is None:
        return settings
    return settings.model_copy(update={"database_url": str(database)})


def _contents(manifest: "Manifest") -> str:
    # An export has two lines more than records.
    records = manifest.lines["records.jsonl"] - 2
    parts = {
        "record": records,
        "token": manifest.lines["tokens.jsonl"],
        "job row": manifest.lines.get("jobs.jsonl", 0),
        "run file": len(manifest.files),
    }
    return ", ".join(counted(number, noun) for noun, number in parts.items())


def _plain(file: Path, manifest: "Manifest") -> dict[str, object]:
    return {"file": str(file), **manifest.model_dump(mode="json")}


def _missing() -> UsageError:
    return UsageError(
        "backups need the packages of the service; "
        f"run: {install_command('service')}, or use `steelyard db export` for records alone"
    )
