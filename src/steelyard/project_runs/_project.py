"""A user's project as it is at this moment, held in memory; its folder is only read."""

import os
import stat
from collections.abc import Iterator
from pathlib import Path

from steelyard.errors import SubjectError
from steelyard.project_runs._metadata import metadata_of
from steelyard.project_runs.incell.project import METADATA, is_kept_by_tools

_LEFT_OUT = {
    ".hg",
    ".svn",
    ".venv",
    "venv",
    "env",
    ".env",
    ".tox",
    ".nox",
    "node_modules",
    ".idea",
    ".vscode",
    ".eggs",
    ".ipynb_checkpoints",
}
_MOST_BYTES = 256 << 20
_MOST_FILES = 20_000


class Project:
    """The project's files. What no test needs (version control, environments) is left out."""

    def __init__(self) -> None:
        self._files: dict[str, bytes] = {}
        self._executable: set[str] = set()
        self.folders: list[str] = []
        self.links: dict[str, str] = {}
        self.size_bytes = 0

    def add(self, path: str, content: bytes, *, executable: bool) -> None:
        """Takes a file in.

        Raises:
            SubjectError: where the project is too large for a cell's scratch tree.
        """
        self._files[path] = content
        self.size_bytes += len(content)
        if executable:
            self._executable.add(path)
        if len(self._files) > _MOST_FILES or self.size_bytes > _MOST_BYTES:
            raise SubjectError(
                f"the project is larger than {_MOST_BYTES >> 20} MiB or {_MOST_FILES:,} files; "
                "choose a smaller folder with --root"
            )

    def content(self, path: str) -> bytes | None:
        """What a file holds; None where there is no such file."""
        return self._files.get(path)

    def listed(self) -> list[tuple[str, int, bool]]:
        """Each file with its size in bytes and whether it is executable, as `packed` has them."""
        return [
            (path, len(content), path in self._executable) for path, content in self._files.items()
        ]

    def python_texts(self) -> Iterator[tuple[str, str]]:
        """Path and text of each Python file."""
        return self.texts((".py",))

    def texts(self, endings: tuple[str, ...]) -> Iterator[tuple[str, str]]:
        """Path and text of each file whose name ends so."""
        for path, content in self._files.items():
            if path.endswith(endings):
                yield path, content.decode("utf-8", "replace")

    def packed(self) -> bytes:
        """All files, one after the other."""
        return b"".join(self._files.values())


def read_project(root: Path) -> Project:
    """Reads a project.

    Raises:
        SubjectError: where it cannot be read, or is too large for a cell's scratch tree.
    """
    project = Project()
    try:
        _read(project, root, "")
    except OSError as error:
        raise SubjectError(
            f"{error.filename or root} cannot be read: {error.strerror}; make it readable"
        ) from error
    metadata = {f"{METADATA}/{path}": text for path, text in metadata_of(root).items()}
    project.folders += sorted({os.path.dirname(path) for path in metadata} | {METADATA})
    for path, text in metadata.items():
        project.add(path, text.encode(), executable=False)
    return project


def _read(project: Project, folder: Path, prefix: str) -> None:
    with os.scandir(folder) as entries:
        for entry in sorted(entries, key=lambda entry: entry.name):
            path = f"{prefix}{entry.name}"
            left_out = entry.name in _LEFT_OUT or is_kept_by_tools(entry.name)
            if left_out or entry.name.endswith((".pyc", ".egg-info")):
                continue
            if entry.is_symlink():
                target = os.readlink(entry.path)
                if not os.path.isabs(target):  # what leads out of the project is not in a cell
                    project.links[path] = target
            elif entry.is_dir():
                if not os.path.exists(os.path.join(entry.path, "pyvenv.cfg")):
                    project.folders.append(path)
                    _read(project, Path(entry.path), f"{path}/")
            elif stat.S_ISREG(entry.stat().st_mode):
                executable = bool(entry.stat().st_mode & stat.S_IXUSR)
                project.add(path, Path(entry.path).read_bytes(), executable=executable)
