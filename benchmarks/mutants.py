"""Mutants a second, next to mutmut and cosmic-ray on the same functions. Prints JSON.

    python benchmarks/mutants.py [--quick] [--peers VENV] > mutants.json

The peers are the packages mutmut and cosmic-ray with pytest, in an environment of their own
(`uv venv VENV && uv pip install --python VENV/bin/python mutmut cosmic-ray pytest`). Without it
they are left out. Each tool makes its own mutants of each function and runs them over the same
cases, in this run, one tool after another. The peers stop at the first case that kills a mutant.
Steelyard runs every case with every mutant, and its time includes making them and the check of the
solution.

`whole` is a suite of 50 cases with up to 200 mutants of one function: the kill matrix alone, and
the whole certificate with the work of the survivors.
"""

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from judge import machine
from mutant_subjects import FEW, MANY, Cases

from steelyard import measure_strength
from steelyard.judging import as_entry, load_tests, value_checker_for
from steelyard.sandbox import CellPool
from steelyard.schemas import Limits
from steelyard.strength import Bench, mutate
from steelyard.toolchains import find_toolchain

ENTRY = as_entry("function:solve")
MUTANTS = 200
PEER = Path(__file__).with_name("peer.py")
PYTEST = """\
import json
from pathlib import Path

import pytest

from subject import solve

CASES = json.loads(Path(__file__).with_name("cases.json").read_text())


@pytest.mark.parametrize("case", CASES)
def test_solve(case):
    assert solve(*case["args"]) == case["expected"]
"""
MUTMUT = """\
[mutmut]
source_paths=subject.py
pytest_add_cli_args_test_selection=test_subject.py
also_copy=
    cases.json
    test_subject.py
"""
COSMIC_RAY = """\
[cosmic-ray]
module-path = "subject.py"
timeout = 5.0
excluded-modules = []
test-command = "python -m pytest -x -q -p no:cacheprovider test_subject.py"

[cosmic-ray.distributor]
name = "local"
"""


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--quick", action="store_true", help="the first function alone")
    parser.add_argument("--peers", type=Path, metavar="VENV", help="where the peers are installed")
    options = parser.parse_args()
    subjects = dict(list(FEW.items())[: 1 if options.quick else None])
    with CellPool() as pool:
        _own(*FEW["balanced"], pool)  # starts cells and fork servers
        tools: dict[str, Callable[[str, Cases], dict[str, Any]]] = {
            "steelyard": lambda source, cases: _own(source, cases, pool)
        }
        if options.peers is not None:
            env = {**os.environ, "PATH": f"{options.peers.absolute()}/bin:{os.environ['PATH']}"}
            tools["mutmut"] = lambda source, cases: _mutmut(source, cases, env)
            tools["cosmic-ray"] = lambda source, cases: _cosmic_ray(source, cases, env)
        each = {
            name: {tool: measure(*subject) for tool, measure in tools.items()}
            for name, subject in subjects.items()
        }
        whole = {name: _whole(*subject, pool) for name, subject in MANY.items()}
    rates = {tool: _rate([found[tool] for found in each.values()]) for tool in tools}
    print(
        json.dumps(
            {
                "machine": machine(),
                "mutants_per_second": rates,
                "times_as_many": {
                    tool: round(rates["steelyard"] / rate, 1)
                    for tool, rate in rates.items()
                    if tool != "steelyard"
                },
                "whole": whole,
                "functions": each,
            },
            indent=2,
        )
    )


def _own(source: str, cases: Cases, pool: CellPool) -> dict[str, Any]:
    begun = time.monotonic()
    mutants = mutate(source.encode(), None, pool, find_toolchain("python")).found
    matrix = _bench(source, cases, pool).mutants(mutants)
    seconds = time.monotonic() - begun
    return {"mutants": len(mutants), "killed": len(matrix.killed), "seconds": round(seconds, 3)}


def _bench(source: str, cases: Cases, pool: CellPool) -> Bench:
    return Bench(
        source.encode(),
        find_toolchain("python"),
        load_tests(cases, entry=ENTRY),
        entry=ENTRY,
        checker=value_checker_for("exact"),
        pool=pool,
        limits=Limits(cpu_ms=2_000),
    )


def _whole(source: str, cases: Cases, pool: CellPool) -> dict[str, Any]:
    begun = time.monotonic()
    mutants = mutate(source.encode(), MUTANTS, pool, find_toolchain("python")).found
    matrix = _bench(source, cases, pool).mutants(mutants)
    between = time.monotonic()
    report = measure_strength(cases, source, entry=ENTRY, mutants=MUTANTS, pool=pool)
    assert report.mutation is not None
    return {
        "cases": len(cases),
        "mutants": len(mutants),
        "killed": len(matrix.killed),
        "matrix_seconds": round(between - begun, 2),
        "certificate_seconds": round(time.monotonic() - between, 2),
        "killed_with_work": report.mutation.killed,
        "by_verdict": dict(report.killed_by_verdict),
    }


def _mutmut(source: str, cases: Cases, env: dict[str, str]) -> dict[str, Any]:
    with tempfile.TemporaryDirectory(prefix="steelyard-benchmark-") as folder:
        _lay_out(Path(folder), source, cases, "setup.cfg", MUTMUT)
        seconds, out = _timed(["mutmut", "run"], folder, env)
        mutants = int(re.findall(r"(\d+)/\1 ", out)[-1])
        survived = _timed(["mutmut", "results"], folder, env)[1].count("survived")
    return {"mutants": mutants, "killed": mutants - survived, "seconds": round(seconds, 3)}


def _cosmic_ray(source: str, cases: Cases, env: dict[str, str]) -> dict[str, Any]:
    with tempfile.TemporaryDirectory(prefix="steelyard-benchmark-") as folder:
        _lay_out(Path(folder), source, cases, "config.toml", COSMIC_RAY)
        made, _ = _timed(["cosmic-ray", "init", "config.toml", "session.sqlite"], folder, env)
        run, _ = _timed(["cosmic-ray", "exec", "config.toml", "session.sqlite"], folder, env)
        report = _timed(["cr-report", "session.sqlite"], folder, env)[1]
    mutants = int(re.findall(r"total jobs: (\d+)", report)[0])
    survived = int(re.findall(r"surviving mutants: (\d+)", report)[0])
    return {"mutants": mutants, "killed": mutants - survived, "seconds": round(made + run, 3)}


def _lay_out(folder: Path, source: str, cases: Cases, name: str, config: str) -> None:
    (folder / "subject.py").write_text(source)
    (folder / "test_subject.py").write_text(PYTEST)
    (folder / "cases.json").write_text(json.dumps(cases))
    (folder / name).write_text(config)


def _timed(argv: list[str], folder: str, env: dict[str, str]) -> tuple[float, str]:
    begun = time.monotonic()
    alone = [sys.executable, str(PEER), "3600", *argv]  # its processes end with it
    done = subprocess.run(alone, cwd=folder, env=env, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"{' '.join(argv)} failed:\n{done.stdout[-2000:]}{done.stderr[-1000:]}")
    return time.monotonic() - begun, done.stdout


def _rate(found: list[dict[str, Any]]) -> float:
    seconds: float = sum(each["seconds"] for each in found)
    mutants: int = sum(each["mutants"] for each in found)
    return round(mutants / seconds, 2)


if __name__ == "__main__":
    main()
