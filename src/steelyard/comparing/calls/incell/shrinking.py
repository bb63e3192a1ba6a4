"""Makes a call on which both versions differ as small as it can be."""

from __future__ import annotations

import pickle

from steelyard.comparing.calls.incell.calling import make_call
from steelyard.comparing.calls.incell.shrink import shrink
from steelyard.comparing.incell.told import NewCall, ShrinkCall
from steelyard.comparing.recording.incell.sides import Call, Side, both
from steelyard.comparing.steadiness.incell import patches
from steelyard.project_runs.incell.task import Context
from steelyard.values.incell.snapshot import snapshot


def run_shrinking(asked: ShrinkCall, context: Context) -> int:
    """Tells the smallest call found; the host makes it once more, in a process for each version."""
    clock = context.clocks.cpu_ns
    sides = [Side(context.function, text, clock) for text in both(asked.versions)]

    def outcome(side: Side, data: bytes) -> bytes:
        side.enter()
        patches.restart()
        args, kwargs = pickle.loads(data)  # noqa: S301 - made in such a cell, read in one
        roots, streams = make_call(side.function, args, kwargs)
        return snapshot({**roots, "arguments": [args, kwargs], "streams": streams})

    def differs(call: Call) -> bool:
        sides[0].enter()  # what the call holds is of this version's classes
        try:
            data = pickle.dumps(call, 5)
            return outcome(sides[0], data) != outcome(sides[1], data)
        except Exception:  # what cannot be pickled, or loaded by the other, cannot be told
            return False
        finally:
            sides[0].enter()

    sides[0].enter()
    call = pickle.loads(asked.call)  # noqa: S301 - made in such a cell, read in one
    smallest = shrink(call, differs, seconds=asked.seconds, most_tries=asked.most_tries)
    context.tell(NewCall(pickle.dumps(smallest, 5)))
    return 0
