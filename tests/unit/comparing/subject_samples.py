"""Small projects on disk, and candidates read for their functions."""

import warnings
from collections.abc import Mapping
from pathlib import Path

from steelyard.comparing.function import Candidate, read_candidate
from steelyard.project_runs import Subject, find_subject
from steelyard.schemas import Reason

__all__ = ["project", "read", "refused", "subject_in"]


def project(root: Path, files: Mapping[str, str | bytes]) -> Path:
    """A folder with the files, by their paths in it."""
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return root


def subject_in(root: Path, module: str | bytes, qualname: str = "f") -> Subject:
    """A function of a project of one module."""
    return find_subject(project(root, {"m.py": module}), f"m:{qualname}")


def read(subject: Subject, text: str, kind: str = "auto") -> Candidate:
    """A candidate that is taken; its diff, read as a candidate, gives the same module again."""
    candidate = read_candidate(subject, text, kind=kind)  # type: ignore[arg-type]
    assert isinstance(candidate, Candidate), candidate
    with warnings.catch_warnings(action="ignore"):
        compile(candidate.module_text, "m.py", "exec", dont_inherit=True)
    if candidate.diff:
        again = read_candidate(subject, candidate.diff, kind="diff")
        assert isinstance(again, Candidate), again
        assert again.module_text == candidate.module_text
        assert again.other_files == candidate.other_files
    else:
        assert not candidate.changed
    return candidate


def refused(subject: Subject, text: str, kind: str = "auto") -> Reason:
    """Why a candidate is not taken: one line."""
    reason = read_candidate(subject, text, kind=kind)  # type: ignore[arg-type]
    assert isinstance(reason, Reason), reason
    assert reason.text.isprintable()
    assert len(reason.text) < 400
    return reason
