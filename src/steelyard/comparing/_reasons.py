"""The verdict's lines: what speaks against a candidate, each with its evidence."""

from collections.abc import Sequence
from pathlib import PurePosixPath
from sys import stdlib_module_names

from steelyard.comparing._baseline import CompareBaseline
from steelyard.comparing._options import CompareOptions
from steelyard.comparing._screening import screen
from steelyard.comparing.decision._behaviour import MOST_INPUT, is_file
from steelyard.comparing.function import Candidate
from steelyard.comparing.recording._outcomes import CallRecord, CallsRun, TestsRun
from steelyard.comparing.recording._versions import RECORDED
from steelyard.reports import counted
from steelyard.schemas import (
    BehaviourCase,
    Coverage,
    Interval,
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


def of_text(baseline: CompareBaseline, candidate: Candidate) -> list[Reason]:
    """What its text shows before anything of it is run."""
    subject = baseline.subject
    found = [_tampers(said) for said in screen(subject.source, candidate.module_text)]
    with_tests = _files_with_tests(baseline) if candidate.other_files else set()
    for path, text in candidate.other_files.items():
        if _is_a_judge(path) or path in with_tests:
            found.append(_tampers(f"it changes {path}, which is used to judge it"))
        if path.endswith(".py"):
            original = (baseline.stand.project.content(path) or b"").decode("utf-8", "replace")
            found += [_tampers(f"{path}: {said}") for said in screen(original, text)]
    if candidate.also_changed:
        also = ", ".join(candidate.also_changed)
        text = f"it also changes {also}, which only the tests compare"
        found.append(Reason(code="changes-others", text=text[:_MOST_CHARS], rejects=False))
    return found


def _tampers(text: str) -> Reason:
    return Reason(code="tampers", text=text)


def _files_with_tests(baseline: CompareBaseline) -> set[str]:
    """Files that hold tests, whatever they are called; not those with examples in docstrings."""
    names = [name.split("::") for name in baseline.tests.tests]
    return {file for file, *rest in names if rest and "." not in rest[0].partition("[")[0]}


def _is_a_judge(path: str) -> bool:
    """Whether a file has a say in how the candidate is judged."""
    file = PurePosixPath(path)
    return (
        file.name in _CONFIGURATION
        or file.name.startswith("test_")
        or file.stem.endswith("_test")
        or bool({"tests", "test"} & set(file.parts[:-1]))
        or (len(file.parts) == 1 and file.stem in stdlib_module_names)
        or file.suffix == ".pth"
    )


def of_calls(baseline: CompareBaseline) -> list[Reason]:
    """Whether the tests reach the function, and which of them say nothing."""
    tests, dropped = baseline.tests.tests, baseline.dropped_tests
    calling = {name for name, test in tests.items() if test.calls}
    # One that never came to its end might have called it.
    lost = [
        name for name in dropped if name in calling or name not in tests or not tests[name].passed
    ]
    found = _of_missing_files(baseline)
    replayed = any(call.test_type in RECORDED for call in baseline.calls)
    if not calling - set(lost):
        text = f"none of {len(tests)} tests calls {baseline.subject.name}"
        if not tests:
            text = f"there are no tests of {baseline.subject.name}"
        if lost:
            text = f"no test that calls it can be used: {lost[0]}: {dropped[lost[0]]}"
        if replayed:
            text += "; only the script's calls were compared"
        found.append(Reason(code="not-called", text=text, rejects=not replayed))
        return found
    if lost:
        count = len(calling | set(lost))
        text = f"{len(lost)} of {count} tests cannot be used: {lost[0]}: {dropped[lost[0]]}"
        found.append(Reason(code="tests-dropped", text=text, rejects=False))
    if not replayed:
        text = (
            "no call of the tests could be repeated by itself, because the arguments cannot "
            "be pickled; only the tests themselves were compared"
        )
        found.append(Reason(code="tests-only", text=text, rejects=False))
    return found


def _of_missing_files(baseline: CompareBaseline) -> list[Reason]:
    missing = baseline.tests.uncollected
    if not missing:
        return []
    file, why = next(iter(missing.items()))
    files = "file" if len(missing) == 1 else "files"
    text = f"{len(missing)} test {files} cannot be loaded: {file}: {_in_one_line(why)}"
    return [Reason(code="tests-dropped", text=text, rejects=False)]


def of_run(baseline: CompareBaseline, run: TestsRun | CallsRun) -> list[Reason]:
    """How the candidate's run ended."""
    found = []
    if run.forged:
        found.append(_tampers("the candidate wrote to the harness's result channel"))
    if run.ended == "failed":
        text = f"it cannot be loaded: {_in_one_line(run.why)}"
        found.append(Reason(code="does-not-import", text=text))
    code = _ENDED.get(run.ended)
    if code is not None:
        at = run.at if isinstance(run, TestsRun) else _name_of_call(baseline, run.at)
        text = f"{run.why}, at {at}" if at else run.why
        found.append(Reason(code=code, text=text))
    if isinstance(run, TestsRun):
        for file, why in run.uncollected.items():
            if file not in baseline.tests.uncollected:
                text = f"{file} cannot be loaded with the candidate: {_in_one_line(why)}"
                found.append(Reason(code="does-not-import", text=text))
                break
    return found


def _name_of_call(baseline: CompareBaseline, place: int) -> str:
    return baseline.calls[place].name if place < len(baseline.calls) else ""


def _in_one_line(text: str) -> str:
    return " ".join(text.split())[:_MOST_CHARS]


def of_effects(effects: Sequence[ValueDifference]) -> list[Reason]:
    """What it left changed in the world around."""
    if not effects:
        return []
    replaced = [
        each
        for each in effects
        if "." in each.path and "[" not in each.path and not is_file(each.path)
    ]
    text = f"it changes state outside the function: {(replaced or effects)[0]}"
    return [Reason(code="tampers" if replaced else "behaviour-differs", text=text)]


def of_memos(differences: Sequence[ValueDifference]) -> list[Reason]:
    """Whether it fills a memo otherwise that nobody else reads."""
    if not differences:
        return []
    text = f"it leaves different data in state that only the function reads: {differences[0]}"
    return [Reason(code="private-state", text=text, rejects=False)]


def of_awaits(found: tuple[CallRecord, ValueDifference] | None) -> list[Reason]:
    """Return a warning if a call gives way to others at other moments."""
    if found is None:
        return []
    text = f"{found[1]}, in {show_call(found[0].before, most_chars=MOST_INPUT)}"
    return [Reason(code="awaits-differ", text=text, rejects=False)]


def of_cases(
    cases: Sequence[BehaviourCase],
    inputs: int,
    options: CompareOptions,
    earlier: Sequence[Reason],
) -> list[Reason]:
    """Return what tests and calls showed.

    Args:
        cases: All of them.
        inputs: On so many different inputs both versions are alike.
        options: How many must be alike, and whether any difference rejects.
        earlier: The reasons that there are already.
    """
    found = []
    least, strict = options.least_cases, options.strict
    different = [case for case in cases if case.outcome == "different" and case.is_known]
    unusual = [case for case in cases if case.outcome == "different" and not case.is_known]
    if unusual:
        what = unusual[0].note or str(unusual[0].differences[0])
        kind = "no annotation and no recorded call has this kind"
        text = f"{unusual[0].name}: {what}, if {unusual[0].input} ({kind})"
        found.append(Reason(code="behaviour-differs", text=text, rejects=strict))
    failing = [case for case in different if case.note]
    by_value = [case for case in different if case.differences]
    if failing and not any(reason.code in _ENDED.values() for reason in earlier):
        text = f"{failing[0].name}: {failing[0].note}"
        code: ReasonCode = "memory-limit" if _REFUSED in failing[0].note else "test-fails"
        found.append(Reason(code=code, text=text))
    if by_value:
        text = f"{by_value[0].name}: {by_value[0].differences[0]}"
        found.append(Reason(code="behaviour-differs", text=text))
    if different:
        return found
    same = [case for case in cases if case.outcome == "same" and case.calls]
    unknown = [case for case in cases if case.differences and case not in (*different, *unusual)]
    if unknown:
        text = f"{len(unknown)} cases: {unknown[0].name}: {unknown[0].differences[0]}"
        found.append(Reason(code="not-comparable", text=text, rejects=not same))
    if max(len(same), inputs) < least and not any(reason.rejects for reason in (*earlier, *found)):
        text = f"only {len(same)} tests and calls could be compared; {least} are required"
        found.append(Reason(code="too-few-tests", text=text))
    elif inputs < least and not any(reason.rejects for reason in (*earlier, *found)):
        some = counted(inputs, "different input")
        text = f"both versions are alike on only {some}; {least} are recommended"
        found.append(Reason(code="too-few-tests", text=text, rejects=strict))
    return found


def of_budget(baseline: CompareBaseline, *, is_timed: bool) -> Reason:
    """What the end of the budget left open."""
    missing = "coverage and memory were" if is_timed else "its speed was"
    if not baseline.is_prepared:
        missing = "the original's tests were"
    text = f"the budget of {baseline.options.budget_s:g} s was spent before {missing} measured"
    return Reason(code="undecided", text=text, rejects=not is_timed)


def of_speed(speed: Speed, *, wants_gain: bool) -> list[Reason]:
    """What its speed says against it."""
    interval = speed.speedup
    figure = ""
    if interval:
        figure = (
            f"it is {interval.mid:.3g} times as fast ({interval.low:.3g} to {interval.high:.3g})"
        )
    found = []
    if speed.verdict == "slower":
        found.append(Reason(code="slower", text=figure))
    elif speed.verdict == "same" and wants_gain:
        text = f"{figure}: the same within {speed.threshold:.0%}"
        found.append(Reason(code="not-faster", text=text))
    elif speed.verdict == "undecided" and wants_gain and interval:
        found.append(_no_gain(figure, interval, speed.threshold))
    elif speed.verdict == "not-measured":
        text = f"its speed was not measured: {' '.join(speed.notes)}"
        found.append(Reason(code="undecided", text=text))
    if speed.import_ms:
        one, two = speed.import_ms
        if two > _LEAST_IMPORT_MS + _SLOWER_IMPORT * one:
            text = f"importing its module takes {two:.0f} ms instead of {one:.0f}"
            found.append(Reason(code="slower-import", text=text, rejects=False))
    return found


def _no_gain(figure: str, interval: Interval, threshold: float) -> Reason:
    """Return what an undecided interval says about the gain that is required."""
    if interval.high < 1:
        return Reason(code="slower", text=figure)
    if interval.high <= 1 + threshold:
        return Reason(code="not-faster", text=f"{figure}: less than a gain of {threshold:.0%}")
    if interval.low > 1 + threshold:
        return Reason(code="undecided", text=f"{figure}, but the gain was not confirmed")
    text = f"{figure}, which does not show a gain of {threshold:.0%}"
    return Reason(code="undecided", text=text)


def of_coverage(coverage: Coverage | None) -> list[Reason]:
    """Whether the tests reach enough of it."""
    if coverage is None or coverage.enough:
        return []
    share = min(coverage.original.share, coverage.candidate.share)
    text = f"tests and calls reach {share:.0%} of it, less than {coverage.threshold:.0%}"
    return [Reason(code="low-coverage", text=text, rejects=False)]


def of_memory(memory: MemoryUse | None) -> list[Reason]:
    """Whether it takes much more memory."""
    if memory is None:
        return []
    one, two = memory.original.peak_bytes, memory.candidate.peak_bytes
    if two < _MORE_MEMORY * one or two - one < _LEAST_MORE_BYTES:
        return []
    text = f"a call takes {two / 2**20:.1f} MiB at its peak instead of {one / 2**20:.1f}"
    return [Reason(code="more-memory", text=text, rejects=False)]
