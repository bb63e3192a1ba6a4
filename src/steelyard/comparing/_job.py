"""The job of comparing: a rewritten function with its original, in a project's files."""

import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path, PurePosixPath
from typing import Annotated, Any

from pydantic import Field

from steelyard.comparing._baseline import CompareBaseline
from steelyard.comparing._compare import compare_candidate
from steelyard.comparing._options import CompareOptions
from steelyard.comparing._view import view
from steelyard.comparing._words import times_as_fast
from steelyard.comparing.function import CandidateKind
from steelyard.errors import UsageError
from steelyard.job import FormField, Job, JobForm, JobRequest, Needs
from steelyard.options import Flag, Options
from steelyard.schemas import BehaviourCase, Comparison, ReasonCode, ValueDifference

_Path = Annotated[str, Field(min_length=1, max_length=300)]
_REJECTED: dict[ReasonCode, str] = {
    "does-not-parse": "does not parse",
    "function-missing": "does not define the function",
    "signature-changed": "changes the signature",
    "does-not-import": "cannot be imported",
    "test-fails": "fails a test",
    "behaviour-differs": "behaves differently",
    "not-comparable": "cannot be compared",
    "crashed": "crashes",
    "timed-out": "does not end in time",
    "memory-limit": "needs too much memory",
    "tampers": "tampers with the measurement",
    "remembers-calls": "is faster only if a call is repeated",
    "skips-timed-work": "does less when it is timed",
    "works-elsewhere": "works in other threads or processes",
    "slower": "is slower",
    "not-faster": "is not faster",
    "undecided": "is not shown to be faster",
    "more-memory": "needs more memory",
    "not-called": "no test calls it",
    "too-few-tests": "too few tests",
    "low-coverage": "too little is tested",
    "tests-dropped": "tests were dropped",
    "tests-only": "calls cannot be repeated outside their tests",
    "private-state": "changes private data",
    "awaits-differ": "awaits in another order",
    "changes-others": "changes other functions",
    "slower-import": "is slower to import",
}
_DIFFERS = {
    "value": "gives other values",
    "type": "gives another type",
    "missing": "leaves values out",
    "extra": "adds values",
    "order": "changes the order",
    "aliasing": "shares objects differently",
}
"""What a rewritten function does by the kind of the first difference."""


class CompareRequest(JobRequest):
    """A rewritten function, and the files of its project."""

    program: Annotated[bytes, Flag("PROGRAM", takes=str, is_source=True)]
    """The function's source, its whole module, or a unified diff."""
    function: Annotated[str, Flag("NAME")] = Field(max_length=500)
    """The original, as `pkg.module:qualified.name`."""
    files: Annotated[dict[str, bytes], Flag(takes=dict[_Path, str], is_source=True)] = Field(
        min_length=1, max_length=2_000
    )
    """The project's files, by their paths in it."""
    kind: CandidateKind = "auto"
    """What the program is; `auto` detects it."""

    def subject(self, _options: Options) -> str:
        """Name the function."""
        return self.function.rpartition(":")[2]

    def needs(self, options: Options) -> Needs:
        """Return what the request asks of a service."""
        assert isinstance(options, CompareOptions)
        for name in (*self.files, *options.tests):
            parts = PurePosixPath(name).parts
            long = any(len(part.encode("utf-8", "replace")) > _LONGEST for part in parts)
            if name.startswith("/") or ".." in parts or not parts or long or not name.isprintable():
                raise _bad_path(name, "give a relative path inside the project")
        return super().needs(options)


def run(request: CompareRequest, options: CompareOptions, _folder: Path | None) -> Comparison:
    """Compare a rewritten Python function with its original in a project."""
    # The project's own interpreter would be a program that the caller sent.
    options = options.model_copy(update={"python": Path(sys.executable)})
    with tempfile.TemporaryDirectory(prefix="steelyard-compare-") as folder:
        root = Path(folder)
        for name, text in request.files.items():
            file = root / name
            try:
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_bytes(text)
            except (FileExistsError, IsADirectoryError, NotADirectoryError) as error:
                raise _bad_path(name, "it is a file and a folder at once") from error
        baseline = CompareBaseline(request.function, root, options)
        return compare_candidate(baseline, request.program, kind=request.kind)


def outcome(report: Comparison) -> str:
    """Return the verdict in a few words."""
    if report.accepted:
        speed = report.speed and report.speed.speedup
        return f"accepted, {times_as_fast(speed)}" if speed else "accepted"
    reason = next((each for each in report.reasons if each.rejects), None)
    if reason is None:
        return "rejected"
    found = _first_difference(report) if reason.code == "behaviour-differs" else None
    why = _DIFFERS.get(found.kind) if found else None
    return f"rejected, {why or _REJECTED[reason.code]}"


_LONGEST = 255


def _of_form(given: Mapping[str, str]) -> dict[str, Any]:
    return {
        "program": given["program"],
        "function": f"original:{given['function']}",
        "files": {"original.py": given["original"], "test_original.py": given["tests"]},
    }


def _bad_path(name: str, why: str) -> UsageError:
    return UsageError(f"the path {name[:100]!r}: {why}")


def _first_difference(report: Comparison) -> ValueDifference | None:
    cases: tuple[BehaviourCase, ...] = report.behaviour.cases if report.behaviour else ()
    differing = (each for case in cases if case.outcome == "different" for each in case.differences)
    return next(differing, None)


JOB = Job(
    name="compare",
    request=CompareRequest,
    options=CompareOptions,
    report=Comparison,
    run=run,
    view=view,
    outcome=outcome,
    advice="Use it before you propose an optimisation. The project's tests and generated "
    "calls run with both versions. It takes from seconds to minutes. If it is "
    "rejected, `reasons` and `differences` show what to fix.",
    tool=("program", "function", "files", "accept"),
    own_form=JobForm(
        "Compare two functions",
        "A rewritten Python function is compared with its original: behaviour first, then speed.",
        "Compare",
        (
            FormField("function", "Name of the function", "line"),
            FormField("original", "Module with the original", "code"),
            FormField("program", "Rewritten function, or the whole module", "code"),
            FormField(
                "tests",
                "Tests for pytest, which import the module original",
                "code",
                "import original\n\n\ndef test_it():\n    assert original.total(3) == 6\n",
            ),
        ),
        _of_form,
    ),
    example={
        "program": "def total(n):\n    return sum(range(1, n + 1))\n",
        "function": "sums:total",
        "files": {
            "sums.py": "def total(n):\n    return sum(range(n + 1))\n",
            "test_sums.py": "import sums\n\n\ndef test_it():\n    assert sums.total(3) == 6\n",
        },
    },
)
