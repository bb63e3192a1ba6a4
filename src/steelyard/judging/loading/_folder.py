"""Read cases from a folder of NAME.in with NAME.ans or NAME.out."""

import os
import re
from pathlib import Path

from steelyard.errors import TestsError
from steelyard.judging.loading._cases import suite_of
from steelyard.judging.loading._row import Row
from steelyard.schemas import Entry, TestSuite

_ANSWERS = (".ans", ".out")
_PACKAGES = {"problem.yaml": "Kattis", "problem.xml": "Polygon", "init.yml": "DMOJ"}
"""The file that each kind of problem package has; its tests alone are not the whole problem."""


def read_folder(root: Path) -> TestSuite:
    """Return the suite in a folder and its subfolders.

    Raises:
        TestsError: with the file that lacks its partner, disagrees with it, leads out of the
            folder, or makes it a problem package.
        OSError: if a file cannot be read.
    """
    files = _files_below(root)
    stems = {path.with_suffix("") for path in files if path.suffix == ".in"}
    for path in files:
        if path.suffix in _ANSWERS and path.with_suffix("") not in stems:
            raise TestsError(f"{path}: an answer without {path.stem}.in; add the input")
    if not stems:
        raise TestsError(f"{root}: no NAME.in in this folder; add tests, or check the path")
    entries = []
    for stem in sorted(stems, key=lambda stem: _natural(stem.relative_to(root))):
        relative = stem.relative_to(root)
        entries.append(
            Row(
                {
                    "name": _shown(relative),
                    "category": "" if relative.parent == Path() else _shown(relative.parent),
                    "input": _with_suffix(stem, ".in").read_bytes(),
                    "expected": _answer_of(stem, files),
                },
                str(_with_suffix(stem, ".in")),
            )
        )
    return suite_of(entries, source=str(root), entry=Entry())


def _files_below(root: Path) -> set[Path]:
    inside = root.resolve()
    found = set()
    for folder, subfolders, names in os.walk(root, onerror=_raise):
        subfolders[:] = [name for name in subfolders if not name.startswith(".")]
        for name in names:
            if name in _PACKAGES:
                raise TestsError(
                    f"{Path(folder, name)}: a problem package of {_PACKAGES[name]}, which is not "
                    "read, as its checker, limits and groups would be left out; copy its tests as "
                    "NAME.in with NAME.ans into a folder of their own"
                )
            path = Path(folder, name)
            if name.startswith(".") or path.suffix not in (".in", *_ANSWERS):
                continue
            if path.is_symlink() and not path.resolve().is_relative_to(inside):
                raise TestsError(f"{path}: a link that leads out of the folder; copy the file")
            if not path.is_file():
                raise TestsError(f"{path}: not a regular file; remove it or fix the link")
            found.add(path)
    return found


def _raise(error: OSError) -> None:
    raise error


def _answer_of(stem: Path, files: set[Path]) -> bytes:
    held = [path for suffix in _ANSWERS if (path := _with_suffix(stem, suffix)) in files]
    if not held:
        raise TestsError(
            f"{_with_suffix(stem, '.in')}: no answer; add {stem.name}.ans or {stem.name}.out"
        )
    answers = [path.read_bytes() for path in held]
    if len(set(answers)) > 1:
        raise TestsError(
            f"{_with_suffix(stem, '.in')}: {stem.name}.ans and {stem.name}.out differ; keep one"
        )
    return answers[0]


def _with_suffix(stem: Path, suffix: str) -> Path:
    return stem.with_name(stem.name + suffix)


def _shown(relative: Path) -> str:
    """Return a path as text; bytes that are not UTF-8 become escapes."""
    return os.fsencode(relative).decode("utf-8", "backslashreplace")


def _natural(relative: Path) -> tuple[tuple[tuple[int, int, str], ...], ...]:
    """Return a sort key that puts 2 before 10, folder by folder."""
    return tuple(_natural_name(part) for part in relative.parts)


def _natural_name(name: str) -> tuple[tuple[int, int, str], ...]:
    return tuple(
        (0, int(run), run) if run[0] in "0123456789" else (1, 0, run)
        for run in re.findall(r"[0-9]+|[^0-9]+", name)
    )
