"""Calls beyond the tests' own: those of a script, and made-up ones."""

from collections.abc import Iterable, Sequence

from steelyard.comparing._kinds import MAKING, SCRIPT
from steelyard.comparing._options import CompareOptions
from steelyard.comparing.incell.told import MakeUpCalls, NewCall, Notes, RecordedCall, RunScript
from steelyard.comparing.recording._outcomes import last_line
from steelyard.comparing.recording._stand import Stand
from steelyard.comparing.recording._versions import ORIGINAL, KnownCall
from steelyard.errors import TestsError
from steelyard.project_runs import EndOfRun, Failed
from steelyard.schemas import TestType

_SCRIPT_S, _GENERATING_S, _QUICK_CALL_S = 300.0, 10.0, 0.25


def calls_of_script(stand: Stand, options: CompareOptions) -> list[bytes]:
    """The calls that the script makes, as far as they can be made again.

    Raises:
        TestsError: where it fails.
    """
    if not options.script:
        return []
    run = stand.run(SCRIPT, RunScript(list(options.script)), ORIGINAL, seconds=_SCRIPT_S)
    ended = run.told.last(EndOfRun)
    if ended is None or ended.status != 0:
        failed = run.told.last(Failed)
        why = failed.what if failed else run.execution.stderr.decode("utf-8", "replace")
        if not why.strip():
            why = f"its process exited ({run.execution.stop.value})"
        raise TestsError(
            f"{options.script[0]} fails: {last_line(why)}; run it alone until it ends well"
        )
    return [each.call for each in run.told.of(RecordedCall) if each.call is not None]


def generated_calls(
    stand: Stand,
    options: CompareOptions,
    seed: int,
    recorded: Sequence[KnownCall],
    methods: Sequence[bytes],
) -> tuple[list[KnownCall], list[str]]:
    """Calls made up from recorded ones and from annotations, with what is to be noted.

    Args:
        stand: Where they are made.
        options: How many.
        seed: Decides which.
        recorded: Calls of the function.
        methods: Calls of methods of its arguments.
    """
    if not options.generate:
        return [], []
    asked = MakeUpCalls(
        tests=[call.test for call in recorded],
        calls=[call.pickled for call in recorded],
        methods=list(methods),
        count=options.generate,
        seed=seed,
        seconds=_GENERATING_S,
        call_seconds=_QUICK_CALL_S,
    )
    run = stand.run(MAKING, asked, ORIGINAL, seconds=60)
    told = run.told.last(Notes)
    notes = list(told.notes) if told else ["no calls could be generated"]
    kind = TestType.GENERATED_REGRESSION
    return numbered("generated", kind, run.told.of(NewCall)), notes


def numbered(name: str, kind: TestType, made: Iterable[NewCall]) -> list[KnownCall]:
    """New calls, each with a name."""
    return [
        KnownCall(f"{name} {i + 1}", kind, each.call, is_known=each.is_known, shown=each.shown)
        for i, each in enumerate(made)
    ]
