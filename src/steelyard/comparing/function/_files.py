"""The files that a diff changes: which they are in the project, and what becomes of them."""

from dataclasses import dataclass
from pathlib import PurePosixPath

from steelyard._printable import printable
from steelyard.comparing.function._diffs import NOWHERE, FilePatch, PatchError, apply_patch
from steelyard.project_runs._layout import is_file
from steelyard.project_runs._parsing import MOST_CHARS
from steelyard.project_runs._subject import Subject, encoding_of

# git's own prefixes, and those of diff.mnemonicPrefix.
_MOST_PATH, _MOST_NAME = 1000, 200
_PREFIXES = ("a", "b", "i", "w", "c", "o")


@dataclass(slots=True)
class Changed:
    """A file beside the module."""

    path: str
    before: str | None
    """None where it is to be made."""
    after: str


def change_files(
    subject: Subject, patches: list[FilePatch]
) -> tuple[str, list[Changed], list[str]]:
    """The module's text, the other files and notes.

    Raises:
        PatchError: where a file is not there, out of the project, not UTF-8, or does not fit.
    """
    module = subject.source
    others: dict[str, Changed] = {}
    notes: list[str] = []
    touched = False
    for patch in patches:
        path = _path(subject, patch)
        if path == subject.path:
            module = apply_patch(module, patch, notes)
            touched = True
            continue
        if path not in others:
            before = _read(subject, path, is_new=patch.old == NOWHERE)
            others[path] = Changed(path, before, before or "")
        others[path].after = apply_patch(others[path].after, patch, notes)
    if not touched:
        notes.append(f"the diff does not change {subject.path}")
    for one in others.values():
        try:
            one.after.encode()
        except UnicodeEncodeError as error:
            raise PatchError(f"'{printable(one.path[:100])}' would not be UTF-8") from error
    if others:
        notes.append(f"the diff also changes {', '.join(sorted(others))}")
    return module, list(others.values()), notes


def _path(subject: Subject, patch: FilePatch) -> str:
    """Return the path of the patched file, relative to the root."""
    own = subject.path
    paths = _spellings(subject, patch) if patch.new or patch.old else [own]
    there = [own] if own in paths else [path for path in paths if is_file(subject.root / path)]
    alike = [own for path in paths if own.endswith(f"/{path}") or path.endswith(f"/{own}")]
    return next(iter([*there, *alike, *paths]))


def _spellings(subject: Subject, patch: FilePatch) -> list[str]:
    """The paths that a header may mean, likeliest first."""
    paths: list[str] = []
    for name in (patch.new, patch.old):
        if name == NOWHERE:
            continue
        pure = PurePosixPath(name.replace("\\", "/"))
        if pure.is_absolute() and pure.is_relative_to(subject.root):
            pure = pure.relative_to(subject.root)
        parts = pure.parts
        wrong = pure.is_absolute() or ".." in parts or not parts or "\0" in name
        if wrong or len(name) > _MOST_PATH or any(len(part) > _MOST_NAME for part in parts):
            raise PatchError(f"'{printable(name[:100])}' is not in the project")
        if len(parts) > 1 and parts[0] in _PREFIXES:
            paths.append("/".join(parts[1:]))
        paths.append("/".join(parts))
    return list(dict.fromkeys(paths))


def _read(subject: Subject, path: str, *, is_new: bool) -> str | None:
    shown = printable(path[:100])
    file = subject.root / path
    try:
        if not file.resolve().is_relative_to(subject.root):
            raise PatchError(f"'{shown}' is outside the project")
        if is_new:
            if file.exists():
                raise PatchError(f"'{shown}' is to be created, but already exists")
            return None
        if not file.is_file():
            raise PatchError(f"file '{shown}' is not in the project")
        if file.stat().st_size > 4 * MOST_CHARS:
            raise PatchError(f"'{shown}' is too large")
        text = file.read_bytes().decode("utf-8")
    except UnicodeDecodeError as error:
        raise PatchError(f"'{shown}' is not UTF-8 text") from error
    except (OSError, RuntimeError, ValueError) as error:
        raise PatchError(f"'{shown}' cannot be read") from error
    if path.endswith(".py") and not encoding_of(text).startswith("utf-8"):
        raise PatchError(f"'{shown}' is not in UTF-8")
    return text
