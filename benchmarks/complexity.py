"""The profiler beside its peers on labelled programs, in one run. Prints JSON.

    nice -n -20 python benchmarks/complexity.py [--corpus complexity-fresh] [--runs 5] [--loaded 2]
        [--peers FOLDER] [--reports FOLDER] [--only ID...] > complexity.json

The rules were made with the corpus `complexity`; `complexity-fresh` was written without knowledge
of them. Every program goes through the real pipeline, from its source and its generator. The last
runs have the other core loaded by a process that writes through 256 MiB of memory. The peers get
the times that the profiler measured, so what is compared is what they make of them: `big_O` and
plasma's `bigO` from this environment or FOLDER (`uv pip install --target FOLDER big_O bigO`), and
the slope on log-log axes.

`exact` and `within_one` count a verdict of "unsure" as wrong. `agreement` is the share of programs
with the same verdict in all runs. Prediction takes the sizes up to n_max/4 and the class that was
found, and is held against the time measured at n_max itself, where that is above 50 ms.
"""

import argparse
import contextlib
import json
import math
import os
import statistics
import subprocess
import sys
import time
import warnings
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from judge import machine

from steelyard.profiling import Parameter, Point, profile
from steelyard.profiling.fitting import LADDER, canonical, predict_time, same_class
from steelyard.sandbox import CellPool
from steelyard.schemas import ComplexityEstimate, Measurement, ProfileReport

CORPORA = Path(__file__).parents[1] / "tests" / "corpus"
LIMITS_AS_SHARES = (0.25, 0.5, 0.8, 1.25, 2.0, 4.0)
"""Of the time at n_max: with each as the limit, a FAIL is right or wrong."""
LEAST_MS = 50.0
HOG = """
import os, sys
os.sched_setaffinity(0, {int(sys.argv[1])})
block = bytearray(256 << 20)
while True:
    for at in range(0, len(block), 64):
        block[at] = (block[at] + 1) & 255
"""
SLOPES = (
    (0.25, "O(1)"),
    (0.75, "O(sqrt n)"),
    (1.04, "O(n)"),
    (1.3, "O(n log n)"),
    (1.7, "O(n sqrt n)"),
    (2.04, "O(n^2)"),
    (2.4, "O(n^2 log n)"),
    (math.inf, "O(n^3)"),
)

Fit = Callable[[Sequence[float], Sequence[float]], str]


@contextlib.contextmanager
def loaded(core: int | None) -> Iterator[None]:
    if core is None:
        yield
        return
    hog = subprocess.Popen([sys.executable, "-c", HOG, str(core)])
    try:
        yield
    finally:
        hog.kill()
        hog.wait()


def label_of(folder: Path) -> dict[str, Any]:
    label: dict[str, Any] = json.loads((folder / "label.json").read_text())
    return label


def profiled(folder: Path, pool: CellPool, *, two: bool = False) -> tuple[ProfileReport, float]:
    label = label_of(folder)
    parameter = None
    if two:
        parameter = Parameter("m", label["m_min"], label["m_max"], str(label["m_default"]))
    begun = time.monotonic()
    report = profile(
        folder / label["source"],
        inputs=folder / "gen.py",
        min_n=label["n_min"],
        max_n=label["n_max"],
        parameter=parameter,
        pool=pool,
    )
    return report, time.monotonic() - begun


def accepted(label: dict[str, Any], kind: str, *, diagonal: bool) -> list[str]:
    if diagonal and f"{kind}_diagonal" in label:
        return [label[f"{kind}_diagonal"]]
    names: list[str] = label[f"{kind}_accept"]
    return names


def is_exact(said: str, right: Sequence[str]) -> bool:
    return any(same_class(said, name) for name in right) if said in LADDER or "(" in said else False


def is_near(said: str, right: Sequence[str]) -> bool:
    first, *others = map(canonical, (said, *right))
    known = [LADDER.index(name) for name in others if name in LADDER]
    return first in LADDER and any(abs(LADDER.index(first) - each) <= 1 for each in known)


def scored(estimate: ComplexityEstimate, right: Sequence[str]) -> dict[str, Any]:
    said = estimate.complexity
    return {
        "said": said,
        "right": list(right),
        "confidence": estimate.confidence,
        "exact": is_exact(said, right),
        "near": is_near(said, right),
    }


def timed(report: ProfileReport) -> list[Measurement]:
    return [size for size in report.measurements if size.cpu_ms is not None]


def predicted(report: ProfileReport, n_max: int) -> dict[str, Any] | None:
    """From n_max/4, where n_max itself was timed."""
    sizes = timed(report)
    if not sizes or sizes[-1].n != n_max or report.time.unsure:
        return None
    true_ms = sizes[-1].cpu_ms or 0.0
    if true_ms - report.base_cpu_ms < LEAST_MS:
        return None
    most = n_max - 4 if n_max <= 64 else n_max / 4 * 1.01
    known = [size for size in sizes if size.n <= most]
    if len(known) < 3:
        return None
    memory = [size.memory_mib or 0.0 for size in sizes]
    band = predict_time(
        [Point(size.n) for size in known],
        [size.cpu_ms or 0.0 for size in known],
        report.time.complexity,
        Point(n_max),
        base_ms=report.base_cpu_ms,
        memory_growth_mib=max(memory) - min(memory),
    )
    if band is None:
        return None
    fails = [share for share in LIMITS_AS_SHARES if band.low > share * true_ms]
    return {
        "error": abs(band.mid / true_ms - 1),
        "covered": band.low <= true_ms <= band.high,
        "fails": len(fails),
        "wrong_fails": sum(share >= 1 for share in fails),
    }


def slope(ns: Sequence[float], seconds: Sequence[float]) -> str:
    base = min(seconds)
    pairs = [(n, t - base) for n, t in zip(ns, seconds, strict=True) if t - base > 0.15 * base][-5:]
    if len(pairs) < 3 or ns[-1] <= 64:
        return "O(1)" if len(pairs) < 3 else "O(2^n)"
    xs, ys = [math.log(n) for n, _ in pairs], [math.log(t) for _, t in pairs]
    middle, level = statistics.fmean(xs), statistics.fmean(ys)
    steep = sum((x - middle) * (y - level) for x, y in zip(xs, ys, strict=True)) / sum(
        (x - middle) ** 2 for x in xs
    )
    return next(name for most, name in SLOPES if steep < most)


def big_o() -> Fit:
    import big_o as package
    import numpy as np

    names = {
        "Constant": "O(1)",
        "Logarithmic": "O(log n)",
        "Linear": "O(n)",
        "Linearithmic": "O(n log n)",
        "Quadratic": "O(n^2)",
        "Cubic": "O(n^3)",
        "Exponential": "O(2^n)",
    }

    def fit(ns: Sequence[float], seconds: Sequence[float]) -> str:
        best, _ = package.infer_big_o_class(np.array(ns, float), np.array(seconds, float))
        return names.get(type(best).__name__, type(best).__name__)

    return fit


def plasma() -> Fit:
    import numpy as np
    from bigO import models

    names = {
        "1": "O(1)",
        "log(n)": "O(log n)",
        "sqrt(n)": "O(sqrt n)",
        "n": "O(n)",
        "n*log(n)": "O(n log n)",
        "n**2": "O(n^2)",
        "n**3": "O(n^3)",
        "2**n": "O(2^n)",
    }

    def fit(ns: Sequence[float], seconds: Sequence[float]) -> str:
        found = models.infer_bound(np.array(ns, float), np.array(seconds, float)).models
        text = str(found[0]) if found else "none"
        return names.get(text.removeprefix("O(").removesuffix(")"), text)

    return fit


def peers_from(folder: str | None) -> dict[str, Fit]:
    if folder:
        sys.path.append(folder)
    peers: dict[str, Fit] = {"log-log slope": slope}
    for name, make in (("big_O", big_o), ("bigO (plasma)", plasma)):
        try:
            peers[name] = make()
        except ImportError as error:
            print(f"{name} is left out: {error}", file=sys.stderr)
    return peers


def fitted(fit: Fit, ns: Sequence[float], seconds: Sequence[float]) -> str:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return fit(ns, seconds)
    except Exception as error:  # noqa: BLE001  (a peer that fails gives no verdict)
        return f"failed: {type(error).__name__}"


def share(values: Sequence[bool]) -> float | None:
    return round(sum(values) / len(values), 3) if values else None


def agreement(verdicts: dict[str, list[str]]) -> float | None:
    return share([len(set(said)) == 1 for said in verdicts.values()])


def percentiles(values: Sequence[float]) -> dict[str, float] | None:
    if not values:
        return None
    ordered = sorted(values)
    p90 = ordered[min(len(ordered) - 1, int(0.9 * len(ordered)))]
    return {
        "median": round(statistics.median(ordered), 3),
        "p90": round(p90, 3),
        "most": round(ordered[-1], 3),
    }


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--corpus", default="complexity", help="a folder under tests/corpus")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--loaded", type=int, default=2, help="how many of them with a loaded core")
    parser.add_argument("--peers", help="a folder with the peers' packages")
    parser.add_argument("--reports", type=Path, help="a folder that keeps every report as JSON")
    parser.add_argument("--only", nargs="*", default=[], help="programs, by id")
    options = parser.parse_args()
    corpus = CORPORA / options.corpus
    names = options.only or sorted(path.name for path in corpus.iterdir() if path.is_dir())
    peers = peers_from(options.peers)
    time_rows: list[dict[str, Any]] = []
    space_rows: list[dict[str, Any]] = []
    two_rows: list[dict[str, Any]] = []
    predictions: list[dict[str, Any]] = []
    verdicts: dict[str, list[str]] = defaultdict(list)
    by_peer: dict[str, dict[str, list[str]]] = {peer: defaultdict(list) for peer in peers}
    right: dict[str, list[str]] = {}
    seconds: dict[str, list[float]] = defaultdict(list)
    cores = sorted(os.sched_getaffinity(0))
    for run in range(options.runs):
        with CellPool(1) as pool, contextlib.ExitStack() as stack:
            if run >= options.runs - options.loaded:
                used = cores[os.getpid() % len(cores)]
                stack.enter_context(loaded(next((c for c in cores if c != used), used)))
            for name in names:
                label = label_of(corpus / name)
                report, took_s = profiled(corpus / name, pool)
                if options.reports:
                    options.reports.mkdir(parents=True, exist_ok=True)
                    kept = options.reports / f"{name}.{run}.json"
                    kept.write_text(report.model_dump_json())
                right[name] = accepted(label, "time", diagonal=True)
                row = scored(report.time, right[name])
                time_rows.append({"program": name, "run": run, **row})
                space = scored(report.space, accepted(label, "space", diagonal=True))
                space_rows.append({"program": name, "run": run, **space})
                verdicts[name].append(row["said"])
                if run:  # the first also makes and keeps the inputs
                    seconds[label["language"][:3]].append(took_s)
                guess = predicted(report, label["n_max"])
                if guess:
                    predictions.append({"program": name, "run": run, **guess})
                sizes = timed(report)
                ns = [float(size.n) for size in sizes]
                cpu_s = [(size.cpu_ms or 0.0) / 1000 for size in sizes]
                for peer, fit in peers.items():
                    by_peer[peer][name].append(fitted(fit, ns, cpu_s))
                if len(label["params"]) > 1:
                    report, _ = profiled(corpus / name, pool, two=True)
                    found = scored(report.time, accepted(label, "time", diagonal=False))
                    two_rows.append({"program": name, "run": run, **found})
                print(f"run {run}: {name}: {row['said']}", file=sys.stderr)
    result = {
        "machine": machine(),
        "corpus": options.corpus,
        "runs": options.runs,
        "loaded_runs": options.loaded,
        "programs": len(names),
        "targets": {
            "exact": 0.97,
            "within_one": 0.99,
            "agreement": 0.98,
            "space": 0.95,
            "two_parameter": 0.85,
            "prediction_median_error": 0.07,
            "prediction_coverage": 0.90,
            "wrong_fails": 0,
            "seconds_cpp": 8,
            "seconds_python": 12,
        },
        "measured": {
            "exact": share([row["exact"] for row in time_rows]),
            "within_one": share([row["near"] for row in time_rows]),
            "agreement": agreement(verdicts),
            "space": share([row["exact"] for row in space_rows]),
            "two_parameter": share([row["exact"] for row in two_rows]),
            "prediction_error": percentiles([guess["error"] for guess in predictions]),
            "prediction_coverage": share([guess["covered"] for guess in predictions]),
            "predictions": len(predictions),
            "fails": sum(guess["fails"] for guess in predictions),
            "wrong_fails": sum(guess["wrong_fails"] for guess in predictions),
            "seconds_cpp": percentiles(seconds["c++"]),
            "seconds_python": percentiles(seconds["pyt"]),
        },
        "peers": {
            peer: {
                "exact": share(
                    [
                        is_exact(said, right[name])
                        for name, all_said in found.items()
                        for said in all_said
                    ]
                ),
                "within_one": share(
                    [
                        is_near(said, right[name])
                        for name, all_said in found.items()
                        for said in all_said
                    ]
                ),
                "agreement": agreement(found),
            }
            for peer, found in by_peer.items()
        },
        "missed": [row for row in (*time_rows, *space_rows, *two_rows) if not row["exact"]],
        "not_covered": [guess for guess in predictions if not guess["covered"]],
    }
    json.dump(result, sys.stdout, indent=2)
    print()


if __name__ == "__main__":
    main()
