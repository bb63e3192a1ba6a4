"""Write and read the file of a backup: a ZIP archive with the SHA-256 of each of its members."""

import errno
import hashlib
import os
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath
from typing import IO, Literal, Self

from pydantic import Field, ValidationError

from steelyard import __version__
from steelyard._replaced_files import replacing
from steelyard.errors import DatabaseError, UsageError
from steelyard.schemas import Record, Sha256

RECORDS, TOKENS, JOBS, FILES = "records.jsonl", "tokens.jsonl", "jobs.jsonl", "runs/"
_MANIFEST = "manifest.json"
_CHUNK = 1 << 20
_MAX_MANIFEST = 1 << 28
_MAX_LINE = 1 << 30
_BROKEN = "is broken or cut off ({}); take another backup"


class Member(Record):
    """A file in a backup."""

    bytes: int = Field(ge=0)
    sha256: Sha256


class Manifest(Record):
    """The contents of a backup."""

    steelyard_backup: Literal[1] = 1
    steelyard: str
    """The version that wrote it."""
    revision: str
    """The revision of the tables of records."""
    created: datetime
    members: dict[str, Member]
    lines: dict[str, int]
    """The number of lines of each member that has lines."""

    @property
    def files(self) -> tuple[str, ...]:
        """The members that are files of runs."""
        return tuple(name for name in self.members if name.startswith(FILES))


class ArchiveWriter:
    """A backup that appears under its name when it is complete."""

    def __init__(self, archive: zipfile.ZipFile, revision: str) -> None:
        self._archive = archive
        self._revision = revision
        self._members: dict[str, Member] = {}
        self._lines: dict[str, int] = {}

    @classmethod
    @contextmanager
    def new(cls, file: Path, revision: str) -> Iterator[Self]:
        """Write a backup that only this user can read; nothing is left of it if the block fails.

        Raises:
            UsageError: if it cannot be written.
        """
        try:
            with replacing(file) as out:
                os.fchmod(out.fileno(), 0o600)
                with zipfile.ZipFile(out.buffer, "w", zipfile.ZIP_DEFLATED) as archive:
                    writer = cls(archive, revision)
                    yield writer
                    archive.writestr(_MANIFEST, writer.manifest().model_dump_json())
        except OSError as error:
            advice = "free disk space" if error.errno == errno.ENOSPC else "name another file"
            raise UsageError(f"{file} cannot be written: {error.strerror}; {advice}") from error

    def manifest(self) -> Manifest:
        """Return the contents so far."""
        return Manifest(
            steelyard=__version__,
            revision=self._revision,
            created=datetime.now(UTC),
            members=self._members,
            lines=self._lines,
        )

    def add_lines(self, name: str, lines: Iterable[str]) -> None:
        """Add a member from lines that end with a newline."""
        number = 0

        def encoded() -> Iterator[bytes]:
            nonlocal number
            for line in lines:
                number += 1
                yield line.encode()

        self._add(name, encoded())
        self._lines[name] = number

    def add_file(self, name: str, file: Path) -> None:
        """Add a file; one that vanished meanwhile is left out."""
        try:
            source = file.open("rb")
        except FileNotFoundError:
            return
        with source:
            self._add(name, iter(lambda: source.read(_CHUNK), b""))

    def _add(self, name: str, chunks: Iterable[bytes]) -> None:
        digest, size = hashlib.sha256(), 0
        with self._archive.open(name, "w", force_zip64=True) as out:
            for chunk in chunks:
                out.write(chunk)
                digest.update(chunk)
                size += len(chunk)
        self._members[name] = Member(bytes=size, sha256=digest.hexdigest())


class ArchiveReader:
    """A backup whose members all have their digest."""

    def __init__(self, file: Path, archive: zipfile.ZipFile) -> None:
        self.file = file
        self._archive = archive
        self.manifest = self._manifest()
        for name, member in self.manifest.members.items():
            _check_name(file, name)
            self._check(name, member)

    @classmethod
    @contextmanager
    def open(cls, file: Path) -> Iterator[Self]:
        """Read a backup.

        Raises:
            UsageError: if it cannot be read, is broken, or is of a newer format.
        """
        try:
            with zipfile.ZipFile(file) as archive:
                yield cls(file, archive)
        except OSError as error:
            if error.filename not in (None, str(file)):
                raise
            raise UsageError(
                f"{file} cannot be read: {error.strerror or error}; name the file of a backup"
            ) from error
        except (zipfile.BadZipFile, zlib.error, EOFError) as error:
            raise UsageError(f"{file} {_BROKEN.format(error)}") from error

    def lines(self, name: str) -> Iterator[bytes]:
        """Yield the lines of a member."""
        with self._archive.open(name) as source:
            while line := source.readline(_MAX_LINE):
                yield line

    def extract_files(self, folder: Path) -> None:
        """Write the files of runs into a folder; those that are there already stay.

        Raises:
            DatabaseError: if one cannot be written.
        """
        for name in self.manifest.files:
            file = folder / name.removeprefix(FILES)
            try:
                file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
                with self._archive.open(name) as source, file.open("xb") as out:
                    _copy(source, out)
            except FileExistsError:
                continue
            except OSError as error:
                raise DatabaseError(
                    f"{file} cannot be written: {error.strerror}; free disk space, "
                    "or correct the rights of its folder"
                ) from error

    def _manifest(self) -> Manifest:
        try:
            with self._archive.open(_MANIFEST) as source:
                text = source.read(_MAX_MANIFEST)
            manifest = Manifest.model_validate_json(text)
        except KeyError as error:
            raise UsageError(f"{self.file} is not a backup; name the file of one") from error
        except ValidationError as error:
            if any(each["loc"] == ("steelyard_backup",) for each in error.errors()):
                raise UsageError(
                    f"{self.file} has a newer format; use the version of Steelyard that wrote it"
                ) from error
            raise UsageError(f"{self.file} {_BROKEN.format('its manifest')}") from error
        names = set(self._archive.namelist()) - {_MANIFEST}
        if names != set(manifest.members) or not names >= {RECORDS, TOKENS}:
            raise UsageError(f"{self.file} {_BROKEN.format('its list of members')}")
        return manifest

    def _check(self, name: str, member: Member) -> None:
        digest, size = hashlib.sha256(), 0
        with self._archive.open(name) as source:
            while size <= member.bytes and (chunk := source.read(_CHUNK)):
                digest.update(chunk)
                size += len(chunk)
        if (size, digest.hexdigest()) != (member.bytes, member.sha256):
            raise UsageError(f"{self.file} {_BROKEN.format(name + ' was changed')}")


def _check_name(file: Path, name: str) -> None:
    """Refuse a name that leads out of the folder of runs."""
    parts = PurePosixPath(name).parts
    safe = ".." not in parts and not name.startswith("/") and "\\" not in name
    if not safe or not (name in (RECORDS, TOKENS, JOBS) or name.startswith(FILES)):
        raise UsageError(f"{file} {_BROKEN.format(f'a member is named {name[:100]!r}')}")


def _copy(source: IO[bytes], out: IO[bytes]) -> None:
    while chunk := source.read(_CHUNK):
        out.write(chunk)
