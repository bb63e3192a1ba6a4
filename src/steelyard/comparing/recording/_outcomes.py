"""What runs did, read from what they told: tests with their calls, or calls alone."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from steelyard.comparing.incell.told import (
    CallBegun,
    CallChanged,
    CallElsewhere,
    CallMade,
    CallsDone,
    CallTabled,
    MethodCall,
    RecordedCall,
    TestDone,
    TestsDone,
)
from steelyard.project_runs import Collecting, Ended, Run, TestBegun, Uncollected, end_of


@dataclass(frozen=True, slots=True)
class CallRecord:
    """One outermost call of the function, as snapshots."""

    how: str
    """`returned`, `raised`, `closed` or `unfinished`."""
    after: bytes = field(repr=False)
    before: bytes = field(default=b"", repr=False)
    first: bytes = field(default=b"", repr=False)
    """For a generator, when it gave its first item."""
    items: tuple[str, ...] = ()
    """For a generator, a digest of all there was when it gave each item."""
    said: Mapping[str, str] = field(default_factory=dict)
    """What it wrote, logged and warned of, by kind, if that is told by the call; and `awaits`."""
    state: Mapping[str, bytes] = field(default_factory=dict, repr=False)
    """What modules and classes of the project hold after it, by name, where that changed."""
    state_before: Mapping[str, bytes] = field(default_factory=dict, repr=False)
    """What the same names held before it."""
    raised: str = ""
    """The type of the exception, where that is told by the call."""


_NOT_DONE = TestsDone({}, [], [], [], 0, [], 0)


@dataclass(frozen=True, slots=True)
class TestsRun:
    """One session of tests."""

    __test__ = False

    tests: Mapping[str, TestDone]
    calls: Mapping[tuple[str, int], CallRecord]
    pickled: Mapping[tuple[str, int], bytes]
    """Calls as they can be made again, each different one once."""
    methods: tuple[bytes, ...]
    """Calls of methods of the arguments, each different one once."""
    ended: Ended
    at: str
    """The test in which it ended, where it did not finish."""
    loading: str
    """The file that was being loaded, where it ended before its tests began."""
    is_late: bool
    """Whether the time of the whole session was up, and not that of a test."""
    why: str
    """How it ended, in words, where it did not finish."""
    uncollected: Mapping[str, str]
    changes: Mapping[str, tuple[str, str]]
    """What is different in the world around, after the session."""
    address_bytes: int
    """The most that its process had mapped at once."""
    watched: frozenset[str]
    """The names in modules and classes of the project whose data was looked at."""
    forged: bool
    sys_path: tuple[str, ...]
    modules: tuple[str, ...]
    """That it had to load, in order, the project's own ones left out."""
    pid: int
    """Of its process; 0 where it did not finish."""


@dataclass(frozen=True, slots=True)
class CallsRun:
    """Calls that were made one after the other, each twice."""

    calls: Mapping[tuple[int, bool], CallRecord]
    """By place and whether it came again."""
    ended: Ended
    at: int
    why: str
    changes: Mapping[str, tuple[str, str]]
    watched: frozenset[str]
    forged: bool
    pid: int
    begun: int
    """How many calls were begun, also those that were made once more."""
    changed: Mapping[tuple[int, int], CallRecord] = field(default_factory=dict)
    """Made once more with the arguments of another call in the same objects: by both places."""
    elsewhere: Mapping[int, CallRecord] = field(default_factory=dict)
    """Made in another world, by place."""
    tabled: Mapping[int, CallRecord] = field(default_factory=dict)
    """Made while tables of the module had other contents, by place."""


def read_tests(run: Run) -> TestsRun:
    """The session that a run told of."""
    told = run.told
    tests = {test.test: test for test in told.of(TestDone)}
    calls, pickled = {}, {}
    for call in told.of(RecordedCall):
        key = call.test, call.iteration
        calls[key] = CallRecord(
            how=call.how,
            after=call.after,
            before=call.before,
            first=call.first,
            items=tuple(call.items),
            said=call.said,
            state={name: held for name, (_, held) in call.state.items()},
            state_before={name: was for name, (was, _) in call.state.items()},
        )
        if call.call is not None:
            pickled[key] = call.call
    begun = [each.test for each in told.of(TestBegun)]
    ended, why = end_of(run)
    collecting = None if begun else told.last(Collecting)
    done = told.last(TestsDone) or _NOT_DONE
    return TestsRun(
        tests=tests,
        calls=calls,
        pickled=pickled,
        methods=tuple(dict.fromkeys(each.call for each in told.of(MethodCall))),
        ended=ended,
        at=begun[-1] if begun and begun[-1] not in tests else "",
        loading=collecting.test if collecting else "",
        is_late=run.execution.stop.out_of_time,
        why=why,
        uncollected={each.test: each.why for each in told.of(Uncollected)},
        changes=done.changes,
        address_bytes=done.address_bytes,
        watched=frozenset(done.watched),
        forged=told.forged,
        sys_path=tuple(done.sys_path),
        modules=tuple(name for name in done.modules if name not in set(done.own)),
        pid=done.pid,
    )


def read_calls(run: Run) -> CallsRun:
    """The calls that a run told of."""
    told = run.told
    calls, changed = {}, {}
    elsewhere: dict[int, CallRecord] = {}
    tabled: dict[int, CallRecord] = {}
    for each in told.records:
        if not isinstance(each, CallMade | CallChanged | CallElsewhere | CallTabled):
            continue
        record = CallRecord(
            how="",
            after=each.after,
            before=each.before if isinstance(each, CallMade | CallChanged) else b"",
            said=each.said,
            state={name: held for name, (_, held) in each.state.items()},
            state_before={name: was for name, (was, _) in each.state.items()},
            raised=each.raised if isinstance(each, CallMade) else "",
        )
        if isinstance(each, CallMade):
            calls[each.place, each.again] = record
        elif isinstance(each, CallChanged):
            changed[each.place, each.donor] = record
        else:
            (tabled if isinstance(each, CallTabled) else elsewhere)[each.place] = record
    begun = [each.place for each in told.of(CallBegun)]
    ended, why = end_of(run)
    done = told.last(CallsDone) or CallsDone({}, 0, [])
    return CallsRun(
        calls=calls,
        ended=ended,
        at=begun[-1] if begun else 0,
        why=why,
        changes=done.changes,
        watched=frozenset(done.watched),
        forged=told.forged,
        pid=done.pid,
        begun=len(begun),
        changed=changed,
        elsewhere=elsewhere,
        tabled=tabled,
    )


def last_line(text: str) -> str:
    """The line of a failure that says what it was."""
    lines = [line.removeprefix("E").strip() for line in text.strip().splitlines()]
    return next((line for line in reversed(lines) if line), "no message")[:200]
