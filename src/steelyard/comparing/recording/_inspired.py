"""Tests that were written for a comparison, beside the project's own."""

import os
from collections.abc import Iterable
from pathlib import Path, PurePosixPath

from steelyard.errors import UsageError
from steelyard.project_runs import Project

_FOLDER = "inspired_tests"
"""Where those from outside go."""


def take_in(project: Project, root: Path, paths: Iterable[str]) -> tuple[str, ...]:
    """Copies tests that lie outside into a project as it is held in memory.

    Args:
        project: The project.
        root: Its folder.
        paths: Files or folders; those that are relative are in it already.

    Returns:
        Where all of them are, relative to the project.

    Raises:
        UsageError: where there is no such file, or one of that name is in the way.
    """
    found = []
    for path in paths:
        place = root / path
        if not place.exists():
            raise UsageError(f"inspired: {place} does not exist; give a file or folder that exists")
        if not os.path.isabs(path) or place.resolve().is_relative_to(root.resolve()):
            found.append(str(place.resolve().relative_to(root.resolve())))
            continue
        files = sorted(place.rglob("*.py")) if place.is_dir() else [place]
        for file in files:
            inside = PurePosixPath(_FOLDER, place.name)
            if place.is_dir():
                inside /= file.relative_to(place).as_posix()
            _add(project, inside, file)
        found.append(f"{_FOLDER}/{place.name}")
    return tuple(found)


def _add(project: Project, inside: PurePosixPath, file: Path) -> None:
    if project.content(str(inside)) is not None:
        raise UsageError(f"inspired: {inside} already exists; rename {file}")
    for folder in reversed(inside.parents[:-1]):
        if str(folder) not in project.folders:
            project.folders.append(str(folder))
    try:
        project.add(str(inside), file.read_bytes(), executable=False)
    except OSError as error:
        raise UsageError(
            f"inspired: {file} cannot be read: {error.strerror}; make it readable"
        ) from error


def is_inspired(test: str, inspired: Iterable[str]) -> bool:
    """Whether a test, by its name as pytest writes it, is in one of these places."""
    file = PurePosixPath(test.partition("::")[0])
    return any(file.is_relative_to(place.partition("::")[0]) for place in inspired)
