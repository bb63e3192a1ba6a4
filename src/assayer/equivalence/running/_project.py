"""A copy of the user's project for cells: what is there now, less what no test needs."""

import os
import shutil
import stat
import tempfile
import weakref
from collections.abc import Collection
from pathlib import Path

from assayer.errors import SubjectError

__all__ = ["Project", "copy_of_project"]

_LEFT_OUT = frozenset({
    ".git", ".hg", ".svn", ".venv", "venv", "env", ".env", ".tox", ".nox", "node_modules",
    "__pycache__", ".mypy_cache", ".ruff_cache", ".pytest_cache", ".hypothesis", ".idea",
    ".vscode", ".eggs", ".ipynb_checkpoints",
})  # fmt: skip
_MOST_BYTES = 256 << 20
_MOST_FILES = 20_000


class Project:
    """The copy, in a folder of its own that goes when this object does."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        """Holds `project/`, and whatever else a cell is to be shown beside it."""
        self.files = 0
        self.size_bytes = 0
        self._finalizer = weakref.finalize(self, shutil.rmtree, folder, ignore_errors=True)

    def content(self, path: str) -> bytes | None:
        """What a file of the project holds; None where there is no such file."""
        try:
            return (self.folder / "project" / path).read_bytes()
        except (FileNotFoundError, IsADirectoryError, NotADirectoryError):
            return None

    def close(self) -> None:
        """Removes the copy."""
        self._finalizer()


def copy_of_project(root: Path, *, keep: Collection[str] = ()) -> Project:
    """Copies a project, readable by a cell's user.

    Args:
        root: The project's folder. It is only read.
        keep: Names that are copied though they are usually left out.

    Raises:
        SubjectError: where it cannot be read, or is too large for a cell's scratch tree.
    """
    project = Project(Path(tempfile.mkdtemp(prefix="assayer-project-")))
    project.folder.chmod(0o755)
    try:
        _copy(project, root, project.folder / "project", _LEFT_OUT - set(keep))
    except OSError as error:
        project.close()
        raise SubjectError(
            f"{error.filename or root} cannot be copied: {error.strerror}; make it readable"
        ) from error
    except BaseException:
        project.close()
        raise
    return project


def _copy(project: Project, source: Path, target: Path, left_out: Collection[str]) -> None:
    target.mkdir(mode=0o755)
    target.chmod(0o755)
    with os.scandir(source) as entries:
        for entry in sorted(entries, key=lambda entry: entry.name):
            copy = target / entry.name
            if entry.name in left_out or entry.name.endswith((".pyc", ".egg-info")):
                continue
            if entry.is_symlink():
                _copy_link(Path(entry.path), copy)
            elif entry.is_dir():
                if not _is_environment(Path(entry.path)):
                    _copy(project, Path(entry.path), copy, left_out)
            elif stat.S_ISREG(entry.stat().st_mode):
                project.files += 1
                project.size_bytes += entry.stat().st_size
                if project.files > _MOST_FILES or project.size_bytes > _MOST_BYTES:
                    raise SubjectError(
                        f"the project is larger than {_MOST_BYTES >> 20} MiB or {_MOST_FILES:,} "
                        "files; name a smaller folder with --root"
                    )
                shutil.copyfile(entry.path, copy)
                copy.chmod(0o755 if entry.stat().st_mode & 0o100 else 0o644)


def _copy_link(source: Path, copy: Path) -> None:
    """A link within the project stays one; what leads out of it is not there in a cell."""
    target = os.readlink(source)
    if not os.path.isabs(target):
        copy.symlink_to(target)


def _is_environment(folder: Path) -> bool:
    return (folder / "pyvenv.cfg").is_file()
