"""The kinds of runs of a comparison: where each is, and what it tells."""

from steelyard.comparing.incell.told import (
    ApartTimes,
    CallBegun,
    CallChanged,
    CallElsewhere,
    CallMade,
    CallMemory,
    CallsDone,
    CallTabled,
    FunctionCoverage,
    LineTimes,
    Loop,
    LoopsDone,
    Lost,
    MethodCall,
    NewCall,
    NoLineTimes,
    Notes,
    OddResult,
    PairTimes,
    Passed,
    RecordedCall,
    TestDone,
    TestsDone,
)
from steelyard.project_runs import Collecting, Kind, Plan, TestBegun, Uncollected

TESTS = Kind(
    "steelyard.comparing.recording.incell.testing:run_tests",
    (
        Collecting,
        Uncollected,
        TestBegun,
        RecordedCall,
        MethodCall,
        TestDone,
        TestsDone,
    ),
)
OUTSIDE = Kind("steelyard.comparing.recording.incell.testing:run_outside", (Passed,))
SCRIPT = Kind("steelyard.comparing.recording.incell.testing:run_script", (RecordedCall, MethodCall))
CALLS = Kind(
    "steelyard.comparing.calls.incell.calling:run_calls",
    (
        CallBegun,
        CallMade,
        CallChanged,
        CallElsewhere,
        CallTabled,
        CallsDone,
    ),
)
MAKING = Kind(
    "steelyard.comparing.calls.incell.making:run_making",
    (
        NewCall,
        Notes,
    ),
)
CONCOLIC = Kind(
    "steelyard.comparing.calls.incell.making:run_concolic",
    (
        NewCall,
        Notes,
    ),
)
PLANTING = Kind("steelyard.comparing.calls.incell.making:run_planting", (NewCall,))
SHRINKING = Kind("steelyard.comparing.calls.incell.shrinking:run_shrinking", (NewCall,))
COVERING = Kind("steelyard.comparing.calls.incell.covering:run_covering", (FunctionCoverage,))
MEASURING = Kind(
    "steelyard.comparing.calls.incell.measuring:run_measuring",
    (
        CallMemory,
        LineTimes,
        NoLineTimes,
    ),
)
PAIRS = Kind(
    "steelyard.comparing.timing.incell.pairing:run_pairs",
    (
        PairTimes,
        OddResult,
        Lost,
    ),
)
APART = Kind(
    "steelyard.comparing.timing.incell.apart:run_apart",
    (
        ApartTimes,
        OddResult,
        Lost,
    ),
)
IN_TESTS = Kind("steelyard.comparing.timing.incell.looping:run_in_tests", (Loop, LoopsDone))
LOOPS = Kind("steelyard.comparing.timing.incell.loops:run_loops", (Loop, LoopsDone))

DRAW_ANEW = "steelyard.comparing.steadiness.incell.patches:draw_anew"
"""Called before a run where random values are to be a sequence."""
_DRAWS = "steelyard.comparing.calls.incell.generate:prepare"
_PREPARES = (
    "steelyard.comparing.steadiness.incell.patches:apply",
    "steelyard.comparing.effects.incell.world:made_world",
)
_ALL = (
    TESTS,
    OUTSIDE,
    SCRIPT,
    CALLS,
    MAKING,
    CONCOLIC,
    PLANTING,
    SHRINKING,
    COVERING,
    MEASURING,
    PAIRS,
    APART,
    IN_TESTS,
    LOOPS,
)
PLAN = Plan(_ALL, (_DRAWS, *_PREPARES), (DRAW_ANEW,))
"""Of the processes in which calls are drawn."""
OTHER_PLAN = Plan(_ALL, _PREPARES, (DRAW_ANEW,))
"""Of the others."""
