"""What runs did, read from what they told: tests with their calls, or calls alone."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from steelyard.project_runs import Ended, Run, end_of


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
    """What it wrote, logged and warned of, by kind, where that is told by the call."""
    state: Mapping[str, bytes] = field(default_factory=dict, repr=False)
    """What modules and classes of the project hold after it, by name, where that changed."""
    state_before: Mapping[str, bytes] = field(default_factory=dict, repr=False)
    """What the same names held before it."""


@dataclass(frozen=True, slots=True)
class TestRecord:
    """One test."""

    __test__ = False

    passed: bool
    skipped: bool
    why: str
    said: Mapping[str, str]
    """What it wrote, logged and warned of, by kind: `stdout`, `stderr`, `log`, `warnings`."""
    calls: int


@dataclass(frozen=True, slots=True)
class TestsRun:
    """One session of tests."""

    __test__ = False

    tests: Mapping[str, TestRecord]
    calls: Mapping[tuple[str, int], CallRecord]
    pickled: Mapping[tuple[str, int], bytes]
    """Calls as they can be made again, each different one once."""
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


def read_tests(run: Run) -> TestsRun:
    """The session that a run told of."""
    told = run.told
    tests = {
        str(frame.said["test"]): TestRecord(
            passed=frame.said["passed"] is True,
            skipped=frame.said["skipped"] is True,
            why=str(frame.said["why"]),
            said=_texts(frame.said["said"]),
            calls=int(frame.said["calls"]),
        )
        for frame in told.of("test")
    }
    calls, pickled = {}, {}
    history = _History()
    for frame in told.of("call"):
        key = str(frame.said["test"]), int(frame.said["iteration"])
        state, state_before = history.next(frame.blobs)
        calls[key] = CallRecord(
            how=str(frame.said["how"]),
            after=frame.blobs["after"],
            before=frame.blobs["before"],
            first=frame.blobs.get("first", b""),
            items=tuple(frame.said["items"]),
            state=state,
            state_before=state_before,
        )
        if "call" in frame.blobs:
            pickled[key] = frame.blobs["call"]
    begun = [str(frame.said["test"]) for frame in told.of("begin")]
    ended, why = end_of(run)
    collecting = None if begun else told.last("collecting")
    session = told.last("session")
    said = session.said if session else {}
    own = set(said.get("own", ()))
    return TestsRun(
        tests=tests,
        calls=calls,
        pickled=pickled,
        ended=ended,
        at=begun[-1] if begun and begun[-1] not in tests else "",
        loading=str(collecting.said["test"]) if collecting else "",
        is_late=run.execution.stop.out_of_time,
        why=why,
        uncollected={str(f.said["test"]): str(f.said["why"]) for f in told.of("uncollected")},
        changes=_pairs(said.get("changes", {})),
        address_bytes=said.get("address_bytes", 0),
        watched=frozenset(map(str, said.get("watched", ()))),
        forged=told.forged,
        sys_path=tuple(said.get("sys_path", ())),
        modules=tuple(name for name in said.get("modules", ()) if name not in own),
        pid=said.get("pid", 0),
    )


def read_calls(run: Run) -> CallsRun:
    """The calls that a run told of."""
    told = run.told
    calls, changed, elsewhere = {}, {}, {}
    history = _History()
    for frame in told.frames:
        if frame.kind not in ("call", "changed", "elsewhere"):
            continue
        state, state_before = history.next(frame.blobs)
        record = CallRecord(
            how="",
            after=frame.blobs["after"],
            before=frame.blobs.get("before", b""),
            said=_texts(frame.said["said"]),
            state=state,
            state_before=state_before,
        )
        place = int(frame.said["place"])
        if frame.kind == "call":
            calls[place, frame.said["again"] is True] = record
        elif frame.kind == "changed":
            changed[place, int(frame.said["donor"])] = record
        else:
            elsewhere[place] = record
    begun = [int(frame.said["place"]) for frame in told.of("begin")]
    ended, why = end_of(run)
    session = told.last("session")
    return CallsRun(
        calls=calls,
        ended=ended,
        at=begun[-1] if begun else 0,
        why=why,
        changes=_pairs(session.said["changes"] if session else {}),
        watched=frozenset(map(str, session.said["watched"] if session else ())),
        forged=told.forged,
        pid=session.said["pid"] if session else 0,
        begun=len(begun),
        changed=changed,
        elsewhere=elsewhere,
    )


class _History:
    """What names of the project's modules hold, call by call, out of what each tells of changes."""

    def __init__(self) -> None:
        self._held: dict[str, bytes] = {}

    def next(self, blobs: Mapping[str, bytes]) -> tuple[dict[str, bytes], dict[str, bytes]]:
        """What names held after a call and before it; only of those that it changed."""
        after, before = {}, {}
        for blob, document in blobs.items():
            kind, _, name = blob.partition(":")
            if kind == "was":
                self._held[name] = document
            elif kind == "state":
                before[name] = self._held.get(name, b"")
                after[name] = self._held[name] = document
        return after, before


def _texts(said: Mapping[str, object]) -> dict[str, str]:
    return {kind: text for kind, text in said.items() if isinstance(text, str)}


def _pairs(changes: Mapping[str, object]) -> dict[str, tuple[str, str]]:
    found = {}
    for name, pair in changes.items():
        match pair:
            case [str(before), str(after)]:
                found[name] = before, after
    return found


def last_line(text: str) -> str:
    """The line of a failure that says what it was."""
    lines = [line.removeprefix("E").strip() for line in text.strip().splitlines()]
    return next((line for line in reversed(lines) if line), "no message")[:200]
