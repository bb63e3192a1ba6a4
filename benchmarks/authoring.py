"""Suites that Steelyard makes without a model, next to four usual ways to get inputs. Prints JSON.

    python benchmarks/authoring.py [--half development|held-out|fresh|later|blind]
        [--only NAME...] [--ways model_free examples ...]
        [--counts 900] [--seed 0] [--jobs 2] > authoring.json

The corpus under tests/corpus/authoring holds specifications, each with right, wrong and slow
programs. Generators were tuned on its development half, and later on `later` and, for some changes,
on survivors of the held-out half. The fresh and the blind specifications were written by people who
had not seen the generators, and nothing was tuned on them. Every way gives the same number of
inputs, and every program runs on all of them, in cells:
- `model_free`: of 900 by `inputs_of` those that `telling_inputs` chooses, and those of
  `growth_of`, which run `right.py` and `brute.py`, and never a wrong program;
- `examples`: the examples of the statement;
- `uniform`: drawn evenly within the constraints, one input in 13 with the largest sizes;
- `hypothesis`: strategies written by hand for each specification, filtered by the validator;
- `mutants`: valid inputs near the examples.

A wrong program is killed by a wrong answer or an exception; those that only run out of time are
counted apart. The hard ones are killed by under 5 % of all inputs of the ways that are measured. An
input is counted as one that a right program fails if the right ones do not all give one answer, or
the brute force gives another; the brute force may give none, for it may lack time or stack.

A slow program is killed by an input for which it needs more CPU time than the time limit that is
proposed for the suite, from runs of `right.py` and `brute.py` alone. `right.py` and `right_2.py`
must keep this limit on every input. `slow_killed_2s` counts those that need more than 2 s. About
half an hour on two idle cores: each specification is measured in a process of its own, `--jobs` of
them in parallel.
"""

import argparse
import hashlib
import json
import math
import sys
import time
import tomllib
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import authoring_peers as peers
from authoring_fresh import FRESH_DOMAINS
from authoring_validity import is_valid
from judge import machine

from steelyard.authoring.calls import Answers, Callee, CallOutcome, Fault, compiled
from steelyard.authoring.evidence import telling_inputs
from steelyard.constraints import Validator, bounds_of
from steelyard.errors import UsageError
from steelyard.families import args_of
from steelyard.inputs import inputs_of
from steelyard.sandbox import shared_pool
from steelyard.schemas import Limits, Specification
from steelyard.strength import Growth, fit_limit, growth_of

CORPUS = Path(__file__).parent.parent / "tests" / "corpus" / "authoring"
REFERENCES = ("right", "brute")
WAYS = ("model_free", "examples", "uniform", "hypothesis", "mutants")
HALVES = ("development", "held-out", "fresh", "later", "blind")
HARD = 0.05
LIMITS = Limits(cpu_ms=2_000, wall_ms=300_000, memory_mib=1024, stack_mib=2)
"""Of one call; the wall time allows for other work on the machine."""
TARGETS = {"killed": 0.99, "hard_killed": 0.9, "slow_killed": 0.95, "valid": 1.0, "bounds": 0.94}
MADE = 900
"""Inputs of which a smaller suite is chosen."""
LARGE = 20_000
"""Characters of an input's JSON above which a wrong program is run on it only if that can change
the figures: some way has not killed it, or it may be a hard one."""
LATE = ("slow", "memory", "skipped")
"""Ends of calls that are no answer and no exception."""

Args = list[Any]


class Subject:
    """A specification with its programs."""

    def __init__(self, folder: Path) -> None:
        self.name = folder.name
        self.spec = Specification.model_validate_json((folder / "spec.json").read_bytes())
        self.validator = Validator.of(self.spec)
        self.answers = Answers(self.spec)
        self.right, self.right_2, self.brute = (
            _program(folder / f"{name}.py") for name in ("right", "right_2", "brute")
        )
        self.wrong, self.slow = (
            {path.stem: _program(path) for path in sorted((folder / kind).glob("*.py"))}
            for kind in ("wrong", "slow")
        )

        self._times: dict[tuple[int, str], float] = {}
        self._texts = {name: (folder / f"{name}.py").read_text("utf-8") for name in REFERENCES}

    def inputs(self, way: str, count: int, seed: int) -> list[Args]:
        """Return the inputs of one way, at most `count`."""
        if way == "model_free":
            return self._model_free(count, seed)
        if way == "examples":
            return [list(example.args) for example in self.spec.examples]
        make = {
            "uniform": peers.uniform,
            "hypothesis": peers.by_hypothesis,
            "mutants": peers.mutants,
        }[way]
        domain = {**peers.DOMAINS, **FRESH_DOMAINS}.get(self.name)
        if domain is None:
            raise SystemExit(f"{self.name} has no domain: take the ways model_free and examples")
        return make(peers.Wanted(self.spec, domain, self.validator.is_valid, count, seed))

    def _model_free(self, count: int, seed: int) -> list[Args]:
        """Return a suite."""
        stress = self.growth.cases if self.growth else ()
        made = inputs_of(self.spec, seed=seed).small(max(MADE, count)).cases
        cases = made[:count]
        if count < len(made):
            chosen = count - len(stress)
            cases = telling_inputs(
                self.spec, (self.right, self.brute), made, seed=seed, count=chosen
            )
        every = {case.input.digest: case for case in (*cases, *stress)}
        return [list(args_of(case.input)) for case in every.values()]

    def outcomes(self, program: Callee, inputs: Sequence[Args]) -> list[CallOutcome]:
        """Return what a program does with inputs that grow; after two late ones it is stopped."""
        return self.answers.outcomes(program, inputs, together=True)

    @cached_property
    def growth(self) -> Growth | None:
        """The size of stress inputs; None if nothing grows."""
        inputs = inputs_of(self.spec)
        with suppress(UsageError):
            return growth_of(inputs, self._texts["right"], self._texts["brute"], pool=shared_pool())
        return None

    def limit_ms(
        self, inputs: Sequence[Args], right: Sequence[CallOutcome], brute: Sequence[CallOutcome]
    ) -> float:
        """Return the time limit that is proposed from what two programs do with inputs."""
        if self.growth is None:
            return LIMITS.cpu_ms
        fast, slow = ([each.spent_ms for each in some] for some in (right, brute))
        size_of = inputs_of(self.spec).size_of
        sizes = [size_of(args) for args in inputs]
        return fit_limit(self.growth.size, sizes, fast, slow).time_limit_ms

    def too_slow(self, inputs: Sequence[Args], limit_ms: float) -> set[str]:
        """Return the slow programs that exceed a limit; inputs that grow are tried backwards."""
        return {
            name
            for name, program in self.slow.items()
            if any(self._time_ms(program, args) > limit_ms for args in reversed(inputs))
        }

    def _time_ms(self, program: Callee, args: Args) -> float:
        key = id(program), _key(args)
        if key not in self._times:
            (found,) = self.answers.outcomes(program, [args])
            self._times[key] = math.inf if found.how in LATE else found.cpu_ms
        return self._times[key]


def _program(path: Path) -> Callee:
    found = compiled(
        path.read_text("utf-8"),
        "class:Solution.solve",
        pool=shared_pool(),
        limits=LIMITS,
        imports=True,
    )
    if isinstance(found, Fault):
        raise SystemExit(f"{path}: {found.text}")
    return found


@dataclass
class Row:
    """What the inputs of one way did with one specification."""

    inputs: int
    valid: int
    bounds: tuple[int, int]
    rejected: int
    killed: set[str]
    late: set[str]
    slow: set[str]
    slow_2s: set[str]


@dataclass
class Measured:
    """All that is known of one specification."""

    rows: dict[tuple[str, int], Row]
    hard: set[str]
    wrong: set[str]
    slow: set[str]
    never: list[str]
    limit_ms: float
    seconds: float


def measure(name: str, ways: Sequence[str], counts: Sequence[int], seed: int) -> Measured:
    """Run all programs of a specification on the inputs of some ways."""
    start = time.monotonic()
    subject = Subject(CORPUS / name)
    suites = {(way, count): subject.inputs(way, count, seed) for way in ways for count in counts}
    every = {_key(args): args for suite in suites.values() for args in suite}
    order = sorted(every, key=lambda key: (len(json.dumps(every[key])), key))
    inputs = [every[key] for key in order]
    valid = {key: is_valid(subject.spec, args) for key, args in every.items()}
    expected = dict(zip(order, subject.outcomes(subject.right, inputs), strict=True))

    large = {key: every[key] for key in order if len(json.dumps(every[key])) > LARGE}
    small = {key: every[key] for key in order if key not in large}
    differs: dict[str, set[str]] = {}
    late: dict[str, set[str]] = {}

    def try_on(name: str, program: Callee, some: dict[str, Args]) -> dict[str, CallOutcome]:
        pairs = dict(zip(some, subject.outcomes(program, list(some.values())), strict=True))
        ended = {key for key, outcome in pairs.items() if outcome.how in LATE}
        late[name] = late.get(name, set()) | ended
        differs[name] = differs.get(name, set()) | {
            key
            for key, outcome in pairs.items()
            if key not in ended and not subject.answers.alike(expected[key], outcome)
        }
        return pairs

    right_2 = try_on("right_2", subject.right_2, {**small, **large})
    brute = dict(zip(order, subject.outcomes(subject.brute, inputs), strict=True))
    keys_of = [{_key(args) for args in suite} for suite in suites.values()]
    for name, program in subject.wrong.items():
        try_on(name, program, small)
        alive = any(keys & large.keys() and not keys & differs[name] for keys in keys_of)
        if alive or len(differs[name]) < HARD * len(order):
            try_on(name, program, large)
    limit_ms = subject.limit_ms(inputs, [*expected.values()], [*brute.values()])
    wrongly = {key for key in order if not expected[key].answered}
    wrongly |= {k for k in order if max(expected[k].cpu_ms, right_2[k].cpu_ms) > limit_ms}
    wrongly |= differs["right_2"] | late["right_2"]
    wrongly |= {
        key
        for key, outcome in brute.items()
        if outcome.answered and not subject.answers.alike(expected[key], outcome)
    }

    rows = {}
    for (way, count), suite in suites.items():
        keys = {_key(args) for args in suite}
        grown = sorted((every[key] for key in keys), key=lambda args: len(json.dumps(args)))
        bounds = bounds_of(subject.validator)
        rows[way, count] = Row(
            inputs=len(suite),
            valid=sum(valid[key] for key in keys),
            bounds=(sum(any(map(b.reached_by, suite)) for b in bounds), len(bounds)),
            rejected=len(keys & wrongly),
            killed={name for name in subject.wrong if differs[name] & keys},
            late={name for name in subject.wrong if late[name] & keys},
            slow=subject.too_slow(grown, limit_ms),
            slow_2s=subject.too_slow(grown, LIMITS.cpu_ms),
        )
    hard = {name for name in subject.wrong if len(differs[name]) < HARD * len(order)}
    never = [name for name in subject.wrong if not differs[name]]
    seconds = time.monotonic() - start
    return Measured(rows, hard, {*subject.wrong}, {*subject.slow}, never, limit_ms, seconds)


def _key(args: Args) -> str:
    return hashlib.sha256(json.dumps(args).encode()).hexdigest()


def figures(measured: dict[str, Measured], way: str, count: int) -> dict[str, Any]:
    """Return what the inputs of one way did with some specifications."""
    rows = {name: found.rows[way, count] for name, found in measured.items()}
    hard = sum(len(found.hard) for found in measured.values())
    wrong = sum(len(found.wrong) for found in measured.values())
    slow = sum(len(found.slow) for found in measured.values())
    bounds = sum(row.bounds[1] for row in rows.values())
    inputs = sum(row.inputs for row in rows.values())
    return {
        "inputs": inputs,
        "killed": _part(sum(len(row.killed) for row in rows.values()), wrong),
        "hard_killed": _part(
            sum(len(row.killed & measured[name].hard) for name, row in rows.items()), hard
        ),
        "only_out_of_time": sum(len(row.late - row.killed) for row in rows.values()),
        "slow_killed": _part(sum(len(row.slow) for row in rows.values()), slow),
        "slow_killed_2s": _part(sum(len(row.slow_2s) for row in rows.values()), slow),
        "right_rejected": sum(row.rejected for row in rows.values()),
        "valid": _part(sum(row.valid for row in rows.values()), inputs),
        "bounds": _part(sum(row.bounds[0] for row in rows.values()), bounds),
    }


def _part(some: int, every: int) -> dict[str, float]:
    return {"count": some, "of": every, "share": round(some / every, 4) if every else math.nan}


def survivors(measured: dict[str, Measured], count: int) -> dict[str, dict[str, list[str]]]:
    """Return what survives the suites that are made without a model, by specification."""
    found: dict[str, dict[str, list[str]]] = {}
    for name, each in measured.items():
        row = each.rows["model_free", count]
        left = {
            "wrong": sorted(each.wrong - row.killed),
            "slow": sorted(each.slow - row.slow),
            "never_killed_by_any_way": sorted(each.never),
        }
        if any(left.values()):
            found[name] = {kind: names for kind, names in left.items() if names}
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--half", choices=HALVES)
    parser.add_argument("--only", nargs="+", metavar="NAME")
    parser.add_argument("--ways", nargs="+", choices=WAYS, default=WAYS)
    parser.add_argument("--counts", nargs="+", type=int, default=[900])
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=2, help="specifications in parallel")
    arguments = parser.parse_args()
    halves: dict[str, list[str]] = tomllib.loads((CORPUS / "corpus.toml").read_text("utf-8"))
    chosen = {
        half: [name for name in names if not arguments.only or name in arguments.only]
        for half, names in halves.items()
        if arguments.half in (None, half)
    }

    names = [name for half in chosen.values() for name in half]
    measured: dict[str, Measured] = {}
    with ProcessPoolExecutor(arguments.jobs) as run:
        tasks = {
            run.submit(measure, name, arguments.ways, arguments.counts, arguments.seed): name
            for name in names
        }
        for task in as_completed(tasks):
            name, found = tasks[task], task.result()
            measured[name] = found
            row = found.rows[arguments.ways[0], max(arguments.counts)]
            print(
                f"{name}: {len(row.killed)}/{len(found.wrong)} wrong, "
                f"{len(row.slow)}/{len(found.slow)} slow, "
                f"{row.bounds[0]}/{row.bounds[1]} bounds, limit {found.limit_ms:.0f} ms, "
                f"{found.seconds:.0f} s",
                file=sys.stderr,
                flush=True,
            )
    measured = {name: measured[name] for name in names}
    report: dict[str, Any] = {
        "machine": machine(),
        "seed": arguments.seed,
        "targets": TARGETS,
        "specifications": {half: len(names) for half, names in chosen.items()},
    }
    groups = {half: {name: measured[name] for name in names} for half, names in chosen.items()}
    for group, part in {**groups, "all": measured}.items():
        report[group] = {
            way: {str(count): figures(part, way, count) for count in arguments.counts}
            for way in arguments.ways
        }
    if "model_free" in arguments.ways:
        report["survivors"] = {str(count): survivors(measured, count) for count in arguments.counts}
    print(json.dumps(report, indent=2))


if __name__ == "__main__":
    main()
