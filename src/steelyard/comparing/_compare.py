"""Compare candidates with their original: the verdict and its evidence."""

import tokenize
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, get_args

from steelyard._arguments import checks_arguments
from steelyard.comparing import _reasons
from steelyard.comparing._baseline import CompareBaseline
from steelyard.comparing._behaving import behaviour_of
from steelyard.comparing._kinds import MEASURING
from steelyard.comparing._options import AcceptMode, CompareOptions, TimingMethod
from steelyard.comparing.function import Candidate, CandidateKind, read_candidate
from steelyard.comparing.incell.told import CallMemory, LineTimes, MeasureCalls, NoLineTimes
from steelyard.comparing.recording._stand import OutOfBudgetError
from steelyard.comparing.recording._versions import ORIGINAL, Version
from steelyard.comparing.timing._timing import time_both
from steelyard.errors import UsageError
from steelyard.options import in_thread
from steelyard.sandbox import CellPool
from steelyard.schemas import (
    Comparison,
    Coverage,
    Limits,
    LineProfile,
    LineTime,
    MemoryUse,
    OnEvent,
    Reason,
    VersionMemory,
)
from steelyard.toolchains import read_source

_MOST_CALLS = 12
_ALLOWED_S = 120.0


@checks_arguments
def compare(
    program: str | bytes | Path,
    *,
    function: str,
    root: Path | str = ".",
    kind: CandidateKind = "auto",
    tests: Sequence[str | Path] | str | Path = (),
    inspired: Sequence[str | Path] | str | Path = (),
    all_tests: bool = False,
    python: Path | str | None = None,
    script: Sequence[str] = (),
    threshold: float = 0.05,
    accept: AcceptMode = "faster",
    method: TimingMethod = "paired",
    rel_tol: float | None = None,
    abs_tol: float | None = None,
    dict_order: bool = True,
    messages: bool = False,
    strict: bool = False,
    coverage: float = 0.6,
    generate: int = 120,
    concolic_s: float = 0.0,
    least_cases: int = 6,
    budget_s: float | None = None,
    pool: CellPool | None = None,
    limits: Limits | None = None,
    seed: int | None = 0,
    on_event: OnEvent | None = None,
) -> Comparison:
    """Compare a rewritten function with its original: behaviour, speed, coverage.

    Args:
        program: The function's source, its whole module, or a unified diff. A `Path` is a file;
            `str` and `bytes` are the text.
        function: The original, as `pkg.module:qualified.name`.
        root: The project's folder; it is only read.
        kind: What `program` is; `auto` detects it.
        tests: File or folder of tests, or several, relative to the project; empty for the files
            that can reach the function.
        inspired: File or folder of tests, or several, that were written for this comparison.
        all_tests: Run all tests of the project, and not only the files that can reach the function.
        python: The project's interpreter; None is its `.venv` or `venv`, else the current one.
        script: A script of the project with its arguments, whose calls are recorded too.
        threshold: The smallest gain that counts, as a share; at least 0.01.
        accept: What the candidate must be: `faster` or `not-slower`.
        method: Timing method; `loops` reproduces best-of-N timing and can report false gains.
        rel_tol: Largest difference of floats, relative to the larger one.
        abs_tol: Largest absolute difference of floats.
        dict_order: Compare the order of a dictionary's keys.
        messages: Compare the messages of exceptions; their types always count.
        strict: Reject a difference on any generated input; by default one on a kind of input that
            neither annotations nor recorded calls have is a warning.
        coverage: Share of the function's lines and branches below which to warn.
        generate: Number of calls to generate in addition to the recorded ones.
        concolic_s: Seconds for a solver to look for calls that differ; it is an extra.
        least_cases: Tests and calls that must agree before anything is accepted.
        budget_s: Seconds for the whole comparison; what does not finish in time is undecided.
        pool: Where everything runs; None is the pool that the process shares.
        limits: Bounds of each run, such as `Limits(memory_mib=512)`; only those that are set count.
        seed: Seed for generated calls; None draws one.
        on_event: Called as each part begins.

    Raises:
        UsageError: if an option or the program cannot be used.
        SubjectError: if the project or the function does not exist.
        TestsError: if the project's tests cannot be run.
        InfrastructureError: if the machine failed.
    """
    options = CompareOptions.among(locals())
    return compare_candidate(CompareBaseline(function, root, options), program, kind=kind)


acompare = in_thread(compare, "acompare")


def rank_candidates(
    baseline: CompareBaseline,
    programs: Iterable[str | bytes | Path],
    *,
    kind: CandidateKind = "auto",
) -> list[tuple[int, Comparison]]:
    """Compare many candidates with one original that is measured once.

    Returns:
        Comparisons with their index in `programs`: accepted ones first, most certain gain first.

    Raises:
        UsageError: if `programs` is a single program.
        TestsError: if the project's tests cannot be run.
        InfrastructureError: if the machine failed.
    """
    if isinstance(programs, str | bytes | Path):
        raise UsageError("rank_candidates takes several programs, got one; put it in a list")
    found = [
        (index, compare_candidate(baseline, program, kind=kind))
        for index, program in enumerate(programs)
    ]
    return sorted(found, key=lambda each: (not each[1].accepted, -_gain_of(each[1])))


def _text_of(program: str | bytes | Path) -> str:
    """Return a candidate's text, in the encoding that it declares."""
    if isinstance(program, str) and "\n" in program:
        return program
    data, _ = read_source(program, "python")
    lines = iter(data.splitlines(keepends=True))
    try:
        encoding, _ = tokenize.detect_encoding(lambda: next(lines, b""))
        return data.decode(encoding)
    except (SyntaxError, UnicodeDecodeError) as error:
        name = program if isinstance(program, Path) else "the program"
        raise UsageError(f"{name} is not text: {error}; save it as UTF-8") from error


def _gain_of(comparison: Comparison) -> float:
    speed = comparison.speed
    return speed.speedup.low if speed and speed.speedup else 0.0


def compare_candidate(
    baseline: CompareBaseline, program: str | bytes | Path, *, kind: CandidateKind = "auto"
) -> Comparison:
    """Compare one candidate with a baseline, from the cheapest check to the most expensive.

    Args:
        baseline: The original; measured at its first candidate.
        program: As for `compare`.
        kind: As for `compare`.

    Raises:
        UsageError: if the program cannot be read, or `kind` is unknown.
        TestsError: if the project's tests cannot be run.
        InfrastructureError: if the machine failed.
    """
    if kind not in get_args(CandidateKind):
        kinds = ", ".join(get_args(CandidateKind))
        raise UsageError(f"kind must be one of {kinds}, got {kind!r}")
    read = read_candidate(baseline.subject, _text_of(program), kind=kind)
    if isinstance(read, Reason):
        return _verdict(baseline, None, [read])
    others = {path: text.encode() for path, text in read.other_files.items()}
    version = Version({**others, baseline.subject.path: read.module_bytes})
    baseline.stand.begin_budget()
    seconds: dict[str, float] = {}
    reasons: list[Reason] = []
    parts: dict[str, Any] = {}
    try:
        baseline.prepare((*read.also_changed, *read.other_files))
        reasons += [*_reasons.of_text(baseline, read), *_reasons.of_calls(baseline)]
        with baseline.part("behaviour", seconds):
            parts["behaviour"], found = behaviour_of(baseline, version)
        reasons += found
        if parts["behaviour"].verdict == "same" and not any(each.rejects for each in reasons):
            _measure(baseline, version, seconds, parts, reasons)
    except OutOfBudgetError:
        reasons.append(_reasons.of_budget(baseline, is_timed="speed" in parts))
    return _verdict(baseline, read, reasons, **parts, seconds=seconds)


def _measure(
    baseline: CompareBaseline,
    version: Version,
    seconds: dict[str, float],
    parts: dict[str, Any],
    reasons: list[Reason],
) -> None:
    """Measure what behaves alike: speed first, then what a reviewer wants to see beyond it."""
    with baseline.part("speed", seconds):
        timed = time_both(baseline, version)
    parts["speed"] = timed.speed
    reasons += timed.reasons
    reasons += _reasons.of_speed(timed.speed, wants_gain=baseline.options.accept == "faster")
    with baseline.part("coverage", seconds):
        parts["coverage"] = _coverage_of(baseline, version)
    reasons += _reasons.of_coverage(parts["coverage"])
    with baseline.part("memory and lines", seconds):
        parts["memory"], parts["line_profile"] = _memory_and_lines_of(baseline, version)
    reasons += _reasons.of_memory(parts["memory"])


def _coverage_of(baseline: CompareBaseline, candidate: Version) -> Coverage | None:
    """Return the coverage of both versions; None if it is not known."""
    one, two = baseline.covered(ORIGINAL), baseline.covered(candidate)
    if one is None or two is None:
        return None
    return Coverage(threshold=baseline.options.coverage, original=one, candidate=two)


def _memory_and_lines_of(
    baseline: CompareBaseline, candidate: Version
) -> tuple[MemoryUse | None, LineProfile | None]:
    """Return both over the same calls; None for what could not be measured."""
    calls = [
        call.pickled
        for place, call in enumerate(baseline.calls)
        if place not in baseline.dropped_calls
    ][:_MOST_CALLS]
    memory: list[VersionMemory] = []
    lines: list[tuple[LineTime, ...]] = []
    for version in (ORIGINAL, candidate):
        run = baseline.stand.run(MEASURING, MeasureCalls(calls), version, seconds=_ALLOWED_S)
        used, timed = run.told.last(CallMemory), run.told.last(LineTimes)
        if used is not None:
            memory.append(VersionMemory(peak_bytes=used.peak_bytes, allocated_blocks=used.blocks))
        if timed is not None:
            lines.append(
                tuple(
                    LineTime(line=line, hits=hits, time_ns=time_ns, text=text)
                    for line, hits, time_ns, text in timed.lines
                )
            )
        if version is ORIGINAL and run.told.last(NoLineTimes) is not None:
            baseline.note("the time of each line is unknown: line_profiler cannot be loaded")
    return (
        MemoryUse(original=memory[0], candidate=memory[1]) if len(memory) == 2 else None,
        LineProfile(original=lines[0], candidate=lines[1]) if len(lines) == 2 else None,
    )


acompare_candidate = in_thread(compare_candidate, "acompare_candidate")


def _verdict(
    baseline: CompareBaseline, candidate: Candidate | None, reasons: Sequence[Reason], **parts: Any
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
