"""The verdict's lines: the reasons against a candidate, each with its evidence."""

from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import PurePosixPath
from sys import stdlib_module_names

from steelyard.comparing._baseline import CompareBaseline
from steelyard.comparing._options import CompareOptions
from steelyard.comparing._screening import screen
from steelyard.comparing._words import speed_grounds, times_as_fast
from steelyard.comparing.decision._behaviour import MOST_INPUT, is_file, is_only_warned
from steelyard.comparing.function import Candidate
from steelyard.comparing.recording._outcomes import CallRecord, CallsRun, TestsRun
from steelyard.comparing.recording._versions import RECORDED
from steelyard.reports import counted
from steelyard.schemas import (
    BehaviourCase,
    Coverage,
    MemoryUse,
    Reason,
    ReasonCode,
    Speed,
    ValueDifference,
)
from steelyard.values.snapshots import show_call

_MORE_MEMORY, _LEAST_MORE_BYTES = 1.5, 1 << 20
_SLOWER_IMPORT, _LEAST_IMPORT_MS = 1.5, 50.0
_CONFIGURATION = frozenset(
    {
        "conftest.py",
        "pytest.ini",
        ".pytest.ini",
        "pyproject.toml",
        "tox.ini",
        "setup.cfg",
        "setup.py",
        "sitecustomize.py",
        "usercustomize.py",
    }
)
_MOST_CHARS = 300
_REFUSED = "MemoryError"
_ENDED: dict[str, ReasonCode] = {
    "timed-out": "timed-out",
    "memory-limit": "memory-limit",
    "crashed": "crashed",
    "left": "crashed",
}


def of_text(baseline: CompareBaseline, candidate: Candidate) -> Iterator[Reason]:
    """Yield what its text shows before anything of it is run."""
    source = baseline.subject.source
    yield from map(_tampers, screen(source, candidate.module_text))
    with_tests = _files_with_tests(baseline) if candidate.other_files else set()
    for path, text in candidate.other_files.items():
        if _is_a_judge(path) or path in with_tests:
            yield _tampers(f"it changes {path}, which is used to judge it")
        if path.endswith(".py"):
            original = (baseline.stand.project.content(path) or b"").decode("utf-8", "replace")
            yield from (_tampers(f"{path}: {found}") for found in screen(original, text))
    if candidate.also_changed:
        also = ", ".join(candidate.also_changed)
        yield _warning("changes-others", f"it also changes {also}, which only the tests compare")


def _warning(code: ReasonCode, text: str) -> Reason:
    return Reason(code=code, text=text, rejects=False)


def _tampers(text: str) -> Reason:
    return Reason(code="tampers", text=text)


def _files_with_tests(baseline: CompareBaseline) -> set[str]:
    """Return the files that hold tests, whatever their names; not those with only docstrings."""
    names = [name.split("::") for name in baseline.tests.tests]
    return {file for file, *rest in names if rest and "." not in rest[0].partition("[")[0]}


def _is_a_judge(path: str) -> bool:
    """Return whether a file has a say in how the candidate is judged."""
    file = PurePosixPath(path)
    return (
        file.name in _CONFIGURATION
        or file.name.startswith("test_")
        or file.stem.endswith("_test")
        or bool({"tests", "test"} & set(file.parts[:-1]))
        or (len(file.parts) == 1 and file.stem in stdlib_module_names)
        or file.suffix == ".pth"
    )


def of_calls(baseline: CompareBaseline) -> Iterator[Reason]:
    """Yield whether the tests reach the function, and which of them give no evidence."""
    tests, dropped = baseline.tests.tests, baseline.dropped_tests
    calling = {name for name, test in tests.items() if test.calls}
    # A test that did not end might have called it.
    lost = [
        name for name in dropped if name in calling or name not in tests or not tests[name].passed
    ]
    why = f"{lost[0]}: {dropped[lost[0]]}" if lost else ""
    missing = baseline.tests.uncollected
    for file, error in islice(missing.items(), 1):
        files = counted(len(missing), "test file")
        yield _warning("tests-dropped", f"{files} cannot be loaded: {file}: {_in_one_line(error)}")
    replayed = any(call.test_type in RECORDED for call in baseline.calls)
    if not calling - set(lost):
        texts = (
            (lost, f"no test that calls it can be used: {why}"),
            (tests, f"none of {len(tests)} tests calls {baseline.subject.name}"),
            (True, f"there are no tests of {baseline.subject.name}"),
        )
        text = next(text for is_so, text in texts if is_so)
        text += "; only the script's calls were compared" if replayed else ""
        yield Reason(code="not-called", text=text, rejects=not replayed)
        return
    if lost:
        count = len(calling | set(lost))
        yield _warning("tests-dropped", f"{len(lost)} of {count} tests cannot be used: {why}")
    if not replayed:
        text = (
            "no call of the tests could be repeated by itself, because the arguments cannot "
            "be pickled; only the tests themselves were compared"
        )
        yield _warning("tests-only", text)


def of_run(baseline: CompareBaseline, run: TestsRun | CallsRun) -> list[Reason]:
    """Return how the candidate's run ended."""
    found = []
    if run.forged:
        found.append(_tampers("the candidate wrote to the harness's result channel"))
    if run.ended == "failed":
        text = f"it cannot be loaded: {_in_one_line(run.why)}"
        found.append(Reason(code="does-not-import", text=text))
    if code := _ENDED.get(run.ended):
        names = [call.name for call in baseline.calls]
        at = run.at if isinstance(run, TestsRun) else "".join(names[run.at : run.at + 1])
        found.append(Reason(code=code, text=f"{run.why}, at {at}" if at else run.why))
    missing = run.uncollected if isinstance(run, TestsRun) else {}
    for file in [each for each in missing if each not in baseline.tests.uncollected][:1]:
        text = f"{file} cannot be loaded with the candidate: {_in_one_line(missing[file])}"
        found.append(Reason(code="does-not-import", text=text))
    return found


def _in_one_line(text: str) -> str:
    return " ".join(text.split())[:_MOST_CHARS]


def of_effects(effects: Sequence[ValueDifference]) -> Iterator[Reason]:
    """Yield what it left changed in the world around."""
    replaced = [
        each
        for each in effects
        if "." in each.path and "[" not in each.path and not is_file(each.path)
    ]
    for effect in (replaced or effects)[:1]:
        text = f"it changes state outside the function: {effect}"
        yield Reason(code="tampers" if replaced else "behaviour-differs", text=text)


def of_memos(differences: Sequence[ValueDifference]) -> Iterator[Reason]:
    """Yield a warning if it fills a memo differently that nobody else reads."""
    for each in differences[:1]:
        text = f"it leaves different data in state that only the function reads: {each}"
        yield _warning("private-state", text)


def of_awaits(found: tuple[CallRecord, ValueDifference] | None) -> Iterator[Reason]:
    """Yield a warning if a call gives way to others at other moments."""
    if found:
        given = show_call(found[0].before, most_chars=MOST_INPUT)
        yield _warning("awaits-differ", f"{found[1]}, in {given}")


def of_cases(
    cases: Sequence[BehaviourCase],
    inputs: int,
    options: CompareOptions,
    earlier: Sequence[Reason],
) -> Iterator[Reason]:
    """Yield what tests and calls showed.

    Args:
        cases: All of them.
        inputs: On so many different inputs both versions are alike.
        options: How many must be alike, and whether any difference rejects.
        earlier: The reasons that there are already.
    """
    least, strict = options.least_cases, options.strict
    different = [case for case in cases if case.outcome == "different" and case.is_known]
    unusual = [case for case in cases if case.outcome == "different" and not case.is_known]
    failing = [case for case in different if case.note]
    by_value = [case for case in different if case.differences]
    for case in unusual[:1]:
        what = case.note or str(case.differences[0])
        why = "no annotation and no recorded call has this kind"
        if is_only_warned(case.differences):
            why = "only what it warns of differs"
        text = f"{case.name}: {what}, if {case.input} ({why})"
        yield Reason(code="behaviour-differs", text=text, rejects=strict)
    if failing and not any(reason.code in _ENDED.values() for reason in earlier):
        code: ReasonCode = "memory-limit" if _REFUSED in failing[0].note else "test-fails"
        yield Reason(code=code, text=f"{failing[0].name}: {failing[0].note}")
    for case in by_value[:1]:
        yield Reason(code="behaviour-differs", text=f"{case.name}: {case.differences[0]}")
    if different:
        return
    same = [case for case in cases if case.outcome == "same" and case.calls]
    unknown = [case for case in cases if case.differences and case not in unusual]
    for case in unknown[:1]:
        text = f"{len(unknown)} cases: {case.name}: {case.differences[0]}"
        yield Reason(code="not-comparable", text=text, rejects=not same)
    if (unusual and strict) or (unknown and not same) or any(each.rejects for each in earlier):
        return
    if max(len(same), inputs) < least:
        text = f"only {len(same)} tests and calls could be compared; {least} are required"
        yield Reason(code="too-few-tests", text=text)
    elif inputs < least:
        some = counted(inputs, "different input")
        text = f"both versions are alike on only {some}; {least} are recommended"
        yield Reason(code="too-few-tests", text=text, rejects=strict)


def of_budget(baseline: CompareBaseline, *, is_timed: bool) -> Reason:
    """Return what the end of the budget left open."""
    missing = "coverage and memory were" if is_timed else "its speed was"
    if not baseline.is_prepared:
        missing = "the original's tests were"
    text = f"the budget of {baseline.options.budget_s:g} s was spent before {missing} measured"
    return Reason(code="undecided", text=text, rejects=not is_timed)


def of_speed(speed: Speed, *, wants_gain: bool) -> Iterator[Reason]:
    """Yield what its speed shows against it."""
    if speed.verdict == "not-measured":
        yield Reason(code="undecided", text=f"its speed was not measured: {' '.join(speed.notes)}")
    elif speed.speedup and speed.verdict != "faster" and (wants_gain or speed.verdict == "slower"):
        code, words = speed_grounds(speed, speed.speedup)
        yield Reason(code=code, text=f"it is {times_as_fast(speed.speedup)}, {words}")
    one, two = speed.import_ms or (0.0, 0.0)
    if two > _LEAST_IMPORT_MS + _SLOWER_IMPORT * one:
        text = f"importing its module takes {two:.0f} ms instead of {one:.0f}"
        yield _warning("slower-import", text)


def of_coverage(coverage: Coverage | None) -> Iterator[Reason]:
    """Yield a warning if tests and calls do not reach enough of it."""
    if coverage and not coverage.enough:
        share = min(coverage.original.share, coverage.candidate.share)
        text = f"tests and calls reach {share:.0%} of it, less than {coverage.threshold:.0%}"
        yield _warning("low-coverage", text)


def of_memory(memory: MemoryUse | None) -> Iterator[Reason]:
    """Yield a warning if it takes much more memory."""
    one, two = (memory.original.peak_bytes, memory.candidate.peak_bytes) if memory else (0, 0)
    if two >= _MORE_MEMORY * one and two - one >= _LEAST_MORE_BYTES:
        text = f"a call takes {two / 2**20:.1f} MiB at its peak instead of {one / 2**20:.1f}"
        yield _warning("more-memory", text)
