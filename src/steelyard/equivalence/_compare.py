"""Compares candidates with their original: the verdict, with all that it rests on."""

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from steelyard.equivalence import _reasons
from steelyard.equivalence._baseline import Baseline
from steelyard.equivalence._behaving import behaviour_of
from steelyard.equivalence._evidence import coverage_of, memory_and_lines_of
from steelyard.equivalence._options import Options
from steelyard.equivalence._timing import time_both
from steelyard.equivalence._versions import Version
from steelyard.equivalence.subject import Candidate, CandidateKind, read_candidate
from steelyard.errors import UsageError
from steelyard.schemas import Comparison, Reason

__all__ = ["compare", "compare_candidate", "rank"]


def compare(
    root: Path | str,
    function: str,
    candidate: str,
    *,
    kind: CandidateKind = "auto",
    **options: Any,
) -> Comparison:
    """Whether a rewritten function behaves as its original, and is faster.

    Args:
        root: The project's folder; it is only read.
        function: `pkg.module:qualified.name`.
        candidate: The function's source, its whole module, or a unified diff.
        kind: Which of these it is; told by its look where it is `auto`.
        options: Fields of `Options`.

    Raises:
        SubjectError: where the project or the function is not there.
        TestsError: where the project's tests cannot be run.
        InfrastructureError: where the machine failed.
    """
    return compare_candidate(Baseline(root, function, Options.of(**options)), candidate, kind=kind)


def rank(
    baseline: Baseline, candidates: Iterable[str], *, kind: CandidateKind = "auto"
) -> list[tuple[int, Comparison]]:
    """Many candidates beside one original that is measured once.

    Returns:
        Each with its place in `candidates`: first those to take, the surest gain first.

    Raises:
        UsageError: where `candidates` is a single text.
        TestsError: where the project's tests cannot be run.
        InfrastructureError: where the machine failed.
    """
    if isinstance(candidates, str):
        raise UsageError("rank takes several candidates, and this is one text; put it in a list")
    found = [
        (place, compare_candidate(baseline, candidate, kind=kind))
        for place, candidate in enumerate(candidates)
    ]
    return sorted(found, key=lambda each: (not each[1].accepted, -_gain_of(each[1])))


def _gain_of(comparison: Comparison) -> float:
    speed = comparison.speed
    return speed.speedup.low if speed and speed.speedup else 0.0


def compare_candidate(
    baseline: Baseline, candidate: str, *, kind: CandidateKind = "auto"
) -> Comparison:
    """One candidate beside a baseline: from the cheapest question to the dearest.

    Args:
        baseline: The original; measured at its first candidate.
        candidate: As for `compare`.
        kind: As for `compare`.

    Raises:
        UsageError: where the candidate is no text.
        TestsError: where the project's tests cannot be run.
        InfrastructureError: where the machine failed.
    """
    if not isinstance(candidate, str):
        raise UsageError(f"a candidate is given as its text, not as {type(candidate).__name__}")
    read = read_candidate(baseline.subject, candidate, kind=kind)
    if isinstance(read, Reason):
        return _verdict(baseline, None, [read])
    others = {path: text.encode() for path, text in read.other_files.items()}
    version = Version({**others, baseline.subject.path: read.module_bytes})
    baseline.prepare()
    clock = _Stopwatch(baseline.on_part)
    reasons = [*_reasons.of_text(baseline, read), *_reasons.of_calls(baseline)]
    with clock.part("behaviour"):
        behaviour, found = behaviour_of(baseline, version)
    reasons += found
    if behaviour.verdict != "same" or any(reason.rejects for reason in reasons):
        return _verdict(baseline, read, reasons, behaviour=behaviour, seconds=clock.seconds)
    with clock.part("speed"):
        timed = time_both(baseline, version)
    with clock.part("coverage"):
        coverage = coverage_of(baseline, version)
    with clock.part("memory and lines"):
        memory, lines = memory_and_lines_of(baseline, version)
    wants_gain = baseline.options.accept == "faster"
    reasons += timed.reasons
    reasons += _reasons.of_speed(timed.speed, wants_gain=wants_gain)
    reasons += _reasons.of_coverage(coverage)
    reasons += _reasons.of_memory(memory)
    return _verdict(
        baseline, read, reasons, behaviour=behaviour, speed=timed.speed, coverage=coverage,
        memory=memory, line_profile=lines, seconds=clock.seconds,
    )  # fmt: skip


class _Stopwatch:
    """How long each part takes."""

    def __init__(self, on_part: Callable[[str], None]) -> None:
        self._on_part = on_part
        self.seconds: dict[str, float] = {}

    @contextmanager
    def part(self, name: str) -> Iterator[None]:
        """Takes the time of what is done inside."""
        start = time.monotonic()
        self._on_part(name)
        yield
        self.seconds[name] = time.monotonic() - start


def _verdict(
    baseline: Baseline, candidate: Candidate | None, reasons: Sequence[Reason], **parts: Any
) -> Comparison:
    unique = list({(each.code, each.text): each for each in reasons}.values())
    unique.sort(key=lambda each: not each.rejects)
    seconds = {**baseline.seconds, **parts.pop("seconds", {})}
    return Comparison(
        function=baseline.subject.name,
        verdict="rejected" if any(each.rejects for each in unique) else "accepted",
        reasons=tuple(unique),
        diff=candidate.diff if candidate else "",
        python=f"{baseline.stand.python} ({baseline.stand.python_version})",
        seconds=sum(seconds.values()),
        part_seconds=seconds,
        notes=(*baseline.notes, *(candidate.notes if candidate else ())),
        isolation=baseline.stand.isolation,
        **parts,
    )
