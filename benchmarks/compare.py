"""Compare's verdicts on speed beside the known rule and pytest-benchmark, in one run. Prints JSON.

    python benchmarks/compare.py [--quick | --share X] [--peers FOLDER] [--only SUBJECT...]
        [--parts aa gains peers verifying] [--verdicts FILE] > compare.json

Each verdict is on a small real function (compare_subjects.py) with five tests:
- `aa`: the candidate is the original with another comment. Whatever is called faster is a false
  claim.
- `gains`: the original has work added that makes the candidate faster by 2, 5 or 10 %; what it
  really is, is measured aside, and stands there too.
- `peers`: the known rule (`--method loops`) on the same versions, and pytest-benchmark from this
  environment or FOLDER (`uv pip install --target FOLDER pytest-benchmark`), its runs compared each
  with each.
- `verifying`: 20 tests of one candidate, beside what the tests take in plain pytest.

Half of all is done while a process that writes through 256 MiB of memory keeps another core busy.
Calls under 10 microseconds have a threshold three times as wide, so they are told apart. All of it
takes about three hours; with `--quick`, about half of one; `--share 0.4` does so much of it. Runs
on a machine that others use too say little: CPU time is what is measured, but caches are shared,
and rounds become few.
"""

import argparse
import contextlib
import dataclasses
import itertools
import json
import math
import os
import statistics
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import compare_peers
from compare_subjects import SUBJECTS, Subject, TrueGain, with_gain
from compare_verifying import Cells, verifying
from complexity import loaded, percentiles, share
from judge import machine

from steelyard.equivalence import CompareBaseline, CompareOptions
from steelyard.equivalence._timing import time_both
from steelyard.equivalence._versions import Version
from steelyard.sandbox import CellPool

STATES = ("idle", "loaded")
GAINS = ((0.02, 0.01), (0.05, 0.02), (0.10, 0.02))
"""True gains, each with the threshold that they are to be shown at."""
KNOWN_THRESHOLDS = (0.05, 0.03)
"""What users of the known ways take for a gain."""
MADE_UP = 6
"""Calls that warm both versions up."""


@dataclasses.dataclass(frozen=True)
class Amount:
    """How much is done: verdicts for each subject and state."""

    aa: int
    """At each threshold, in blocks with a baseline of their own."""
    blocks: int
    gains: int
    loops: int
    runs_of_peer: int
    verifications: int
    calibrations: int

    def part(self, share: float) -> "Amount":
        """So much of it, and at least one of each."""
        amounts = {
            name: max(1, math.ceil(share * each)) for name, each in dataclasses.asdict(self).items()
        }
        return Amount(**amounts)


FULL = Amount(38, 3, 14, 6, 4, 60, 15)
QUICK = Amount(2, 1, 1, 1, 2, 12, 5)


class Judge:
    """Gives verdicts, and keeps them all."""

    def __init__(self, core: int, file: Path | None) -> None:
        self.verdicts: list[dict[str, Any]] = []
        self._core, self._file = core, file

    @contextlib.contextmanager
    def state(self, name: str) -> Iterator[Cells]:
        """The machine as it is, or with the other core busy."""
        cores = sorted(os.sched_getaffinity(0))
        other = next((core for core in cores if core != self._core), self._core)
        with Cells(1) as pool, loaded(other if name == "loaded" else None):
            yield pool

    def judge(
        self, what: str, state: str, subject: Subject, baseline: CompareBaseline, version: Version
    ) -> None:
        """One verdict under the baseline's options."""
        speed = time_both(baseline, version).speed
        verdict = {
            "what": what,
            "state": state,
            "subject": subject.name,
            "method": baseline.options.method,
            "threshold": baseline.options.threshold,
            "widened": speed.threshold > baseline.options.threshold,
            "verdict": speed.verdict,
            "seconds": round(speed.seconds, 3),
            "processes": speed.processes,
            "speedup": speed.speedup.model_dump() if speed.speedup else None,
            "estimates": [round(math.log(each), 6) for each in speed.estimates],
        }
        self.verdicts.append(verdict)
        if self._file:
            with self._file.open("a") as file:
                file.write(json.dumps(verdict) + "\n")
        print(
            *(
                verdict[key]
                for key in ("what", "state", "subject", "method", "threshold", "verdict", "seconds")
            ),
            file=sys.stderr,
        )


@contextlib.contextmanager
def baseline_of(subject: Subject, text: str, pool: CellPool) -> Iterator[CompareBaseline]:
    """A baseline on a project with this text, ready to have candidates timed."""
    with tempfile.TemporaryDirectory(prefix="steelyard-benchmark-") as temporary:
        root = Path(temporary) / "project"
        subject.lay_out(root, text)
        options = CompareOptions(generate=MADE_UP, pool=pool)
        baseline = CompareBaseline(f"subject:{subject.name}", root, options)
        baseline.prepare()
        yield baseline


def asked(baseline: CompareBaseline, threshold: float, method: str = "paired") -> CompareBaseline:
    """The same baseline, asked for another threshold or method."""
    update = {"threshold": threshold, "method": method}
    baseline.options = baseline.options.model_copy(update=update)
    return baseline


def version_of(text: str) -> Version:
    return Version({"subject.py": text.encode()})


def unchanged(judge: Judge, subjects: Sequence[Subject], amount: Amount) -> None:
    """A/A: blocks of idle and loaded verdicts take turns."""
    for block, state, subject in itertools.product(range(amount.blocks), STATES, subjects):
        count = len(range(block, amount.aa, amount.blocks))
        with judge.state(state) as pool, baseline_of(subject, subject.text, pool) as baseline:
            candidate = version_of(subject.changed)
            for _ in range(count):
                judge.judge("aa", state, subject, asked(baseline, 0.02), candidate)
            for _ in range(math.ceil(count / 2)):
                judge.judge("aa", state, subject, asked(baseline, 0.01), candidate)


def made_gains(subjects: Sequence[Subject], amount: Amount) -> dict[tuple[str, float], TrueGain]:
    """The work for each subject and gain."""
    found = {}
    for subject, (gain, _) in itertools.product(subjects, GAINS):
        if not subject.short:
            made = with_gain(subject, gain, processes=amount.calibrations, seconds=0.3)
            found[subject.name, gain] = made
            print(f"{subject.name}: {made}", file=sys.stderr)
    return found


def gained(
    judge: Judge, subjects: Sequence[Subject], amount: Amount, made: dict[Any, TrueGain]
) -> None:
    """True gains."""
    for state, subject, (gain, threshold) in itertools.product(STATES, subjects, GAINS):
        if (subject.name, gain) not in made:
            continue
        text = subject.working(made[subject.name, gain].turns)
        with judge.state(state) as pool, baseline_of(subject, text, pool) as baseline:
            for _ in range(amount.gains):
                judge.judge(
                    f"{gain:.0%}",
                    state,
                    subject,
                    asked(baseline, threshold),
                    version_of(subject.text),
                )


def known_rule(
    judge: Judge, subjects: Sequence[Subject], amount: Amount, made: dict[Any, TrueGain]
) -> None:
    """The rule of loops on the same versions."""
    for state, subject in itertools.product(STATES, subjects):
        pairs = [("aa", subject.text, subject.changed)] + [
            (f"{gain:.0%}", subject.working(made[subject.name, gain].turns), subject.text)
            for gain, _ in GAINS
            if (subject.name, gain) in made
        ]
        for what, original, candidate in pairs:
            with judge.state(state) as pool, baseline_of(subject, original, pool) as baseline:
                for _ in range(amount.loops if what == "aa" else math.ceil(amount.loops / 2)):
                    judge.judge(
                        what, state, subject, asked(baseline, 0.05, "loops"), version_of(candidate)
                    )


def peer(
    judge: Judge,
    subjects: Sequence[Subject],
    amount: Amount,
    made: dict[Any, TrueGain],
    env: dict[str, str],
) -> dict[str, Any]:
    """pytest-benchmark: each run of one version beside each of the other."""
    ratios: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    seconds = []
    for state, subject in itertools.product(STATES, subjects):
        runs: dict[str, list[dict[str, float]]] = defaultdict(list)
        texts = {"plain": subject.text} | {
            f"{gain:.0%}": subject.working(made[subject.name, gain].turns)
            for gain, _ in GAINS
            if (subject.name, gain) in made
        }
        with judge.state(state):
            for _, (what, text) in itertools.product(range(amount.runs_of_peer), texts.items()):
                start = time.monotonic()
                runs[what].append(compare_peers.timed(subject, text, env))
                seconds.append(2 * (time.monotonic() - start))
            print(f"pytest-benchmark {state} {subject.name}", file=sys.stderr)
        for how in ("min", "median"):
            for one, two in itertools.permutations(runs["plain"], 2):
                ratios[f"{state} {how}"]["aa"].append(one[how] / two[how])
            for what, each in runs.items():
                if what != "plain":
                    for one, two in itertools.product(each, runs["plain"]):
                        ratios[f"{state} {how}"][what].append(one[how] / two[how])
    return {
        "seconds": percentiles(seconds),
        "claims": {key: claims(by_what) for key, by_what in ratios.items()},
    }


def claims(ratios: dict[str, list[float]]) -> dict[str, Any]:
    """Share of the ratios above each of the thresholds that are in use."""
    return {
        what: {"pairs": len(found)}
        | {
            f"above {least:.0%}": share([each > 1 + least for each in found])
            for least in KNOWN_THRESHOLDS
        }
        for what, found in ratios.items()
    }


# ------------------------------------------------------------------------------------- figures


def figures(verdicts: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """By state: false claims, power, seconds."""
    return {
        state: {
            kind: by_threshold(
                [
                    each
                    for each in verdicts
                    if each["state"] == state
                    and each["method"] == "paired"
                    and each["widened"] is (kind == "under_10_us")
                ]
            )
            for kind in ("above_10_us", "under_10_us")
        }
        for state in STATES
    }


def by_threshold(verdicts: Sequence[dict[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    keys = sorted({(each["what"], each["threshold"]) for each in verdicts})
    for what, threshold in keys:
        these = [
            each for each in verdicts if (each["what"], each["threshold"]) == (what, threshold)
        ]
        said = [each["verdict"] for each in these]
        found[f"{what} at {threshold:.0%}"] = {
            "verdicts": len(said),
            "faster": share([each == "faster" for each in said]),
            "counts": {each: said.count(each) for each in sorted(set(said))},
            "seconds": percentiles([each["seconds"] for each in these]),
            "processes": percentiles([each["processes"] for each in these]),
        }
    return found


def estimates(verdicts: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """How one process's estimates lie on unchanged code; in %, 0 where there is no bias."""
    rows = []
    for state, name in sorted({(each["state"], each["subject"]) for each in verdicts}):
        lists = [
            each["estimates"]
            for each in verdicts
            if (each["state"], each["subject"], each["what"], each["method"])
            == (state, name, "aa", "paired")
        ]
        every = sorted(each for found in lists for each in found)
        if not every:
            continue
        rows.append(
            {
                "state": state,
                "subject": name,
                "processes": len(every),
                "median": round(100 * statistics.median(every), 3),
                "median_original_first": middle(found[0::2] for found in lists),
                "median_candidate_first": middle(found[1::2] for found in lists),
                "sd": round(100 * statistics.pstdev(every), 3),
                "worst": round(100 * max(map(abs, every)), 3),
            }
        )
    return rows


def middle(lists: Iterator[list[float]]) -> float:
    return round(100 * statistics.median(itertools.chain.from_iterable(lists)), 3)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--quick", action="store_true", help="a few verdicts of each kind")
    parser.add_argument("--share", type=float, default=1.0, help="of all verdicts, up to 1")
    parser.add_argument("--peers", help="a folder with pytest-benchmark")
    parser.add_argument("--parts", nargs="*", default=["aa", "gains", "peers", "verifying"])
    parser.add_argument("--only", nargs="*", default=[], help="subjects, by name")
    parser.add_argument("--verdicts", type=Path, help="a file that keeps each verdict as a line")
    options = parser.parse_args()
    amount = QUICK if options.quick else FULL.part(options.share)
    subjects = [each for each in SUBJECTS if not options.only or each.name in options.only]
    cores = sorted(os.sched_getaffinity(0))
    judge = Judge(cores[os.getpid() % len(cores)], options.verdicts)
    env = compare_peers.find_peer(options.peers)
    result: dict[str, Any] = {
        "machine": machine(),
        "amount": dataclasses.asdict(amount),
        "targets": {
            "false_claims_at_2_percent": 0.01,
            "5_percent_shown": 0.95,
            "2_percent_shown_at_1_percent": 0.85,
            "decision_s": 6,
            "beyond_the_tests_ms": 60,
        },
    }
    parts: dict[str, Callable[[], object]] = {}
    made: dict[tuple[str, float], TrueGain] = {}
    if {"gains", "peers"} & set(options.parts):
        made = made_gains(subjects, amount)
        result["true_gains"] = {
            f"{name} {gain:.0%}": dataclasses.asdict(each) for (name, gain), each in made.items()
        }
    parts["aa"] = lambda: unchanged(judge, subjects, amount)
    parts["gains"] = lambda: gained(judge, subjects, amount, made)
    parts["verifying"] = lambda: result.update(
        verifying={state: verifying(judge.state(state), amount.verifications) for state in STATES}
    )
    parts["peers"] = lambda: known_rule(judge, subjects, amount, made)
    for name, do in parts.items():
        if name in options.parts:
            do()
    if "peers" in options.parts and env is not None:
        result["pytest_benchmark"] = peer(judge, subjects, amount, made, env)
    elif "peers" in options.parts:
        print("pytest-benchmark is left out: it is not installed", file=sys.stderr)
    result["paired"] = figures(judge.verdicts)
    result["estimates_on_unchanged_code"] = estimates(judge.verdicts)
    result["loops"] = {
        state: loops_of([each for each in judge.verdicts if each["state"] == state])
        for state in STATES
    }
    result["false_claims"] = [
        each
        for each in judge.verdicts
        if each["what"] == "aa" and each["verdict"] == "faster" and each["method"] == "paired"
    ]
    json.dump(result, sys.stdout, indent=2)
    print()


def loops_of(verdicts: Sequence[dict[str, Any]]) -> dict[str, Any]:
    these = [each for each in verdicts if each["method"] == "loops" and each["speedup"]]
    ratios: dict[str, list[float]] = defaultdict(list)
    for each in these:
        ratios[each["what"]].append(each["speedup"]["mid"])
    return {"seconds": percentiles([each["seconds"] for each in these]), "claims": claims(ratios)}


if __name__ == "__main__":
    main()
