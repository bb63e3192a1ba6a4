"""Write a backup while services and workers go about their work."""

import os
import stat
from contextlib import suppress
from pathlib import Path

from steelyard.service.backup._archive import (
    FILES,
    JOBS,
    RECORDS,
    TOKENS,
    ArchiveWriter,
    Manifest,
)
from steelyard.service.backup._jobs import jobs_connection, number_of_jobs, rows_of
from steelyard.service.jobs import job_place
from steelyard.settings import Settings
from steelyard.storage import Reader, export_lines, list_tokens, open_database


def write_backup(settings: Settings, file: Path) -> Manifest:
    """Write all that a service keeps into a file.

    The records and tokens are of one instant, and the jobs are of one instant not after it: a job
    whose result is in the records may be running in the backup, never the other way round.

    Args:
        settings: Those of the service.
        file: The file to write; it appears when it is complete.

    Raises:
        UsageError: if the file cannot be written.
        DatabaseError: if the database fails, is missing, or has another revision.
    """
    place = job_place(settings)
    with (
        open_database(settings.database_url or None, create=False) as database,
        ArchiveWriter.new(file, database.revision()) as archive,
    ):
        if place.file is not None and place.file.exists():
            with jobs_connection(place) as connection:
                archive.add_lines(JOBS, rows_of(connection))
        with database.read() as reader:
            if place.file is None and number_of_jobs(reader.connection):
                archive.add_lines(JOBS, rows_of(reader.connection))
            _add_records(archive, reader)
        _add_files(archive, place.folder / "runs")
        return archive.manifest()


def _add_records(archive: ArchiveWriter, reader: Reader) -> None:
    archive.add_lines(RECORDS, export_lines(reader))
    archive.add_lines(TOKENS, (f"{each.model_dump_json()}\n" for each in list_tokens(reader)))


def _add_files(archive: ArchiveWriter, runs: Path) -> None:
    for folder, _, names in os.walk(runs):
        for name in names:
            each = Path(folder, name)
            with suppress(FileNotFoundError):  # a worker renames what it has written
                if stat.S_ISREG(each.lstat().st_mode):
                    archive.add_file(FILES + each.relative_to(runs).as_posix(), each)
