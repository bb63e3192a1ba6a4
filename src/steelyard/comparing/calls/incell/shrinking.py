"""Makes a call on which both versions differ as small as it can be."""

from __future__ import annotations

import pickle

from steelyard.comparing.calls.incell.calling import make_call
from steelyard.comparing.calls.incell.shrink import shrink
from steelyard.comparing.recording.incell.results import Call
from steelyard.comparing.recording.incell.sides import Side
from steelyard.comparing.recording.incell.versions import texts_of
from steelyard.comparing.steadiness.incell import patches
from steelyard.project_runs.incell.channel import Tell
from steelyard.project_runs.incell.task import Clocks, Task
from steelyard.values.incell.snapshot import snapshot


def run_shrinking(task: Task, tell: Tell, clocks: Clocks) -> int:
    """Tells the smallest call found; the host makes it once more, in a process for each version."""
    sides = [Side(task.said, text, [], clocks.cpu_ns) for text in texts_of(task)]

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
    call = pickle.loads(task.calls[0])  # noqa: S301 - made in such a cell, read in one
    smallest = shrink(
        call, differs, seconds=task.said["seconds"], most_tries=task.said["most_tries"]
    )
    tell("made", {"call": pickle.dumps(smallest, 5)})
    return 0
