"""Reports with realistic figures, one for each thing that a reader may meet."""

import math
from collections.abc import Callable

from steelyard.schemas import (
    Band,
    ComplexityEstimate,
    LineWork,
    Measurement,
    Method,
    Prediction,
    ProfileReport,
    StopReason,
    Term,
)

HOSTILE = "\x1b[31m<script>alert(1)</script>\u202e[bold]&"

_METHOD = Method(
    work="gcov arc counters, g++ 12.2 -O1",
    timing="user and system CPU time, 3 interleaved rounds, pinned",
    memory="peak heap by an allocation hook, and peak resident set",
    inputs="gen.py, seed 1",
    seeds=(1,),
    isolation="full (cell)",
    compiler="g++ 12.2.0 -O2",
)


def wobble(k: int) -> float:
    """Noise that is the same in every run."""
    return 1 + 0.03 * math.sin(7 * k)


def measured(
    sizes: list[int],
    work: Callable[[int], float] | None,
    cpu_ms: Callable[[int], float],
    memory_mib: Callable[[int], float],
    base_ms: float = 1.0,
) -> tuple[Measurement, ...]:
    return tuple(
        Measurement(
            n=n,
            input_bytes=10 * n,
            work=None if work is None else round(work(n)),
            cpu_ms=base_ms + cpu_ms(n) * wobble(k),
            cpu_ms_max=(base_ms + cpu_ms(n) * wobble(k)) * 1.08,
            wall_ms=(base_ms + cpu_ms(n)) * 1.1,
            memory_mib=memory_mib(n),
            repetitions=3,
        )
        for k, n in enumerate(sizes)
    )


def halves(n_max: int, count: int) -> list[int]:
    return sorted(round(n_max / 2**k) for k in range(count))


def sort_cpp() -> ProfileReport:
    return ProfileReport(
        time=ComplexityEstimate(
            complexity="O(n log n)",
            confidence=0.982,
            candidates=(("O(n log n)", 0.982), ("O(n)", 0.014)),
            runner_up="O(n)",
            terms=(
                Term(complexity="O(n log n)", share=0.62, lines=(6,)),
                Term(complexity="O(n)", share=0.38, lines=(5, 7)),
            ),
            basis="work",
        ),
        space=ComplexityEstimate(
            complexity="O(n)", confidence=0.99, candidates=(("O(n)", 0.99),), basis="heap"
        ),
        prediction=Prediction(
            n=2_000_000,
            cpu_ms=Band(low=280, mid=331, high=560),
            wall_ms=Band(low=300, mid=360, high=600),
            memory_mib=Band(low=10.6, mid=11.1, high=11.6),
            meets_time_limit=True,
            meets_memory_limit=True,
        ),
        measurements=measured(
            halves(500_000, 9),
            lambda n: 1.1 * n * math.log2(n) + 13 * n,
            lambda n: 7.5e-6 * n * math.log2(n),
            lambda n: 3.4 + n * 4 / 2**20,
        ),
        work_by_line=(
            LineWork(line=6, share=0.55, classes=(("O(n log n)", 0.45), ("O(n)", 0.1))),
            LineWork(line=5, share=0.28, classes=(("O(n)", 0.28),)),
            LineWork(line=7, share=0.12, classes=(("O(n)", 0.119), ("O(n log n)", 0.001))),
        ),
        method=_METHOD,
        time_limit_ms=1000,
        memory_limit_mib=256,
        base_cpu_ms=1.0,
        base_memory_mib=3.4,
        seconds=6.2,
    )


def pairs_py() -> ProfileReport:
    return ProfileReport(
        time=ComplexityEstimate(
            complexity="O(n^2)",
            confidence=0.995,
            candidates=(("O(n^2)", 0.995), ("O(n^2 log n)", 0.004)),
            runner_up="O(n^2 log n)",
            terms=(Term(complexity="O(n^2)", share=0.997, lines=(4, 5, 3)),),
            basis="work",
        ),
        space=ComplexityEstimate(
            complexity="O(n)", confidence=0.97, candidates=(("O(n)", 0.97),), basis="heap"
        ),
        prediction=Prediction(
            n=20_000,
            cpu_ms=Band(low=9_800, mid=12_900, high=21_000),
            memory_mib=Band(low=11.2, mid=11.6, high=12),
            meets_time_limit=False,
            meets_memory_limit=True,
        ),
        measurements=measured(
            halves(5_000, 9),
            lambda n: 0.5 * n * n + 12 * n,
            lambda n: 3.2e-5 * n * n,
            lambda n: 10.1 + n * 72 / 2**20,
            base_ms=14,
        ),
        flags=("limited-by-time-out",),
        notes=("n = 10,000 and larger ran into the time limit of 2 s",),
        method=_METHOD.model_copy(
            update={"work": "block counters in the source", "compiler": "CPython 3.11.7"}
        ),
        time_limit_ms=2000,
        memory_limit_mib=256,
        base_cpu_ms=14,
        base_memory_mib=10.1,
        seconds=9.6,
    )


def unsure() -> ProfileReport:
    return ProfileReport(
        time=ComplexityEstimate(
            complexity="unsure",
            confidence=0.58,
            candidates=(("O(n)", 0.58), ("O(n log n)", 0.4)),
            runner_up="O(n log n)",
            basis="work",
            reason="two classes fit about as well",
        ),
        space=ComplexityEstimate(
            complexity="unsure", confidence=0, reason="too few sizes", basis="none"
        ),
        prediction=Prediction(n=100_000, memory_mib=None, cpu_ms=None),
        measurements=measured(
            halves(3_000, 7),
            lambda n: n * (20 + 0.6 * math.log2(n)),
            lambda n: 1e-4 * n,
            lambda n: 3.5,
        ),
        flags=("too-few-sizes", "counts-differ"),
        method=_METHOD,
        time_limit_ms=500,
        base_cpu_ms=1.0,
        base_memory_mib=3.4,
        seconds=4.4,
    )


def two_parameters() -> ProfileReport:
    grid = [
        Measurement(
            n=n,
            m=m,
            work=round(3.1 * n * m + 40 * (n + m)),
            cpu_ms=1 + 1.3e-6 * n * m * wobble(k),
            wall_ms=2 + 1.3e-6 * n * m,
            memory_mib=3.6 + (4 * n + 12 * m) / 2**20,
        )
        for k, (n, m) in enumerate((n, r * n) for n in halves(8_000, 4) for r in (2, 4, 12, 30))
    ]
    return ProfileReport(
        time=ComplexityEstimate(
            complexity="O(n*m)",
            confidence=0.96,
            candidates=(("O(n*m)", 0.96), ("O(n+m)", 0.02)),
            runner_up="O(n+m)",
            terms=(
                Term(complexity="O(n*m)", share=0.97, lines=(12,)),
                Term(complexity="O(m)", share=0.03, lines=(8,)),
            ),
            basis="work",
        ),
        space=ComplexityEstimate(
            complexity="O(n+m)", confidence=0.94, candidates=(("O(n+m)", 0.94),), basis="heap"
        ),
        prediction=Prediction(
            n=16_000,
            m=64_000,
            cpu_ms=Band(low=1150, mid=1330, high=2600),
            memory_mib=Band(low=4.2, mid=4.4, high=4.7),
            meets_time_limit=None,
            meets_memory_limit=True,
        ),
        measurements=tuple(grid),
        method=_METHOD,
        parameters=("n", "m"),
        time_limit_ms=2000,
        memory_limit_mib=64,
        base_cpu_ms=1.0,
        base_memory_mib=3.6,
        seconds=8.0,
    )


def shortest_routes() -> ProfileReport:
    """Small sizes, where terms of lower order weigh as much as those of the class."""
    sizes = [(n, 3 * n) for n in halves(30_000, 15)]
    sizes += [(n, r * n) for n in halves(24_000, 4) for r in (1, 2, 7)]
    return two_parameters().model_copy(
        update={
            "time": ComplexityEstimate(
                complexity="O(m log n + n)",
                confidence=0.99,
                candidates=(("O(m log n + n)", 0.99), ("O(n+m)", 0.01)),
                runner_up="O(n+m)",
                terms=(
                    Term(complexity="O(m log n)", share=0.886, lines=(22, 14)),
                    Term(complexity="O(m)", share=0.087, lines=(25,)),
                    Term(complexity="O(n)", share=0.026, lines=(11,)),
                ),
                basis="work",
            ),
            "measurements": tuple(
                Measurement(
                    n=n,
                    m=m,
                    work=round(60 + 1.9 * m * math.log2(n + m) + 9 * m + 5 * n),
                    cpu_ms=1 + 1e-5 * m * math.log2(n + m),
                    memory_mib=3.6 + (4 * n + 12 * m) / 2**20,
                )
                for n, m in sorted(sizes)
            ),
            "prediction": Prediction(
                n=30_000,
                m=90_000,
                cpu_ms=Band(low=25.4, mid=26.7, high=28.1),
                measured=True,
                memory_mib=Band(low=3.67, mid=3.86, high=4.06),
                meets_time_limit=True,
                meets_memory_limit=True,
            ),
        }
    )


def exponential() -> ProfileReport:
    return ProfileReport(
        time=ComplexityEstimate(
            complexity="O(2^n)",
            confidence=0.99,
            candidates=(("O(2^n)", 0.99), ("O(n^3)", 0.01)),
            runner_up="O(n^3)",
            terms=(Term(complexity="O(2^n)", share=1.0, lines=(2,)),),
            basis="work",
        ),
        space=ComplexityEstimate(
            complexity="O(1)", confidence=0.98, candidates=(("O(1)", 0.98),), basis="heap"
        ),
        prediction=Prediction(
            n=36,
            cpu_ms=Band(low=1_650, mid=1_702, high=1_790),
            memory_mib=Band(low=10.1, mid=10.1, high=10.1),
            measured=True,
            meets_time_limit=True,
        ),
        measurements=measured(
            list(range(10, 37)),
            lambda n: 5 * 1.618**n,
            lambda n: 5.1e-5 * 1.618**n,
            lambda n: 10.1,
            base_ms=14,
        ),
        method=_METHOD,
        time_limit_ms=5000,
        base_cpu_ms=14,
        base_memory_mib=10.1,
        seconds=7.7,
    )


def pointer_chase() -> ProfileReport:
    return sort_cpp().model_copy(
        update={
            "time": ComplexityEstimate(
                complexity="O(n)",
                confidence=0.97,
                candidates=(("O(n)", 0.97), ("O(n log n)", 0.03)),
                runner_up="O(n log n)",
                terms=(Term(complexity="O(n)", share=1.0, lines=(9,)),),
                basis="work",
            ),
            "prediction": Prediction(
                n=8_000_000,
                cpu_ms=Band(low=620, mid=890, high=3_100),
                memory_mib=Band(low=33.1, mid=33.9, high=35),
            ),
            "measurements": measured(
                halves(2_000_000, 10),
                lambda n: 9 * n + 500,
                lambda n: 1.6e-7 * n**1.4,
                lambda n: 3.4 + n * 4 / 2**20,
            ),
            "flags": ("memory-bound",),
            "notes": (),
            "time_limit_ms": None,
            "memory_limit_mib": None,
        }
    )


def no_counts() -> ProfileReport:
    report = sort_cpp()
    bare = tuple(item.model_copy(update={"work": None}) for item in report.measurements)
    stopped = Measurement(
        n=1_000_000, cpu_ms=1000, wall_ms=1020, memory_mib=7.2, stop=StopReason.CPU_LIMIT
    )
    return report.model_copy(
        update={
            "time": report.time.model_copy(
                update={"basis": "time", "terms": (), "confidence": 0.81}
            ),
            "measurements": (*bare, stopped),
            "flags": ("no-counts",),
            "method": Method(timing=_METHOD.timing, inputs="tests/, 9 files"),
        }
    )


def hostile() -> ProfileReport:
    report = sort_cpp()
    return report.model_copy(
        update={
            "notes": (HOSTILE,),
            "method": Method(work=HOSTILE, timing=HOSTILE, inputs=HOSTILE, compiler=HOSTILE),
            "time": report.time.model_copy(
                update={
                    "complexity": "unsure",
                    "reason": HOSTILE,
                    "runner_up": HOSTILE,
                    "candidates": ((HOSTILE, 0.5), ("O(n)", 0.5)),
                    "terms": (Term(complexity=HOSTILE, share=0.5, lines=(1, 99)),),
                }
            ),
        }
    )


def nothing_measured() -> ProfileReport:
    nothing = ComplexityEstimate(complexity="unsure", confidence=0, reason="no size could be run")
    return ProfileReport(
        time=nothing, space=nothing, prediction=Prediction(n=1000), flags=("too-few-sizes",)
    )


SAMPLES: dict[str, Callable[[], ProfileReport]] = {
    make.__name__: make
    for make in (
        sort_cpp,
        pairs_py,
        unsure,
        two_parameters,
        shortest_routes,
        exponential,
        pointer_chase,
        no_counts,
        hostile,
        nothing_measured,
    )
}
