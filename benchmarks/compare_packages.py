"""Compare's verdicts on functions of whole packages, each with its own test suite. Prints JSON.

    python benchmarks/compare_packages.py [--folder DIR] [--budget S] [PACKAGE...] > packages.json

A line of standard error tells each row as it is there.

Each package is an sdist that pip fetches, in an environment of its own with what its tests need.
Each candidate is the original, written anew from its syntax tree: comments and layout are gone, the
behaviour is the same. No `--tests` is given. `cold` is the first candidate of a function, `warm` a
second one on the same baseline. `decided` tells a verdict from a comparison that was left open;
`why` has the reason in one line. Seconds on a machine that others use too are larger: each row has
the load. A package counts if two of its three functions have a verdict.
"""

import argparse
import ast
import json
import os
import subprocess
import sys
import tarfile
import tempfile
import time
import venv
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from judge import machine

from steelyard.comparing import CompareBaseline, CompareOptions, compare_candidate
from steelyard.errors import SteelyardError
from steelyard.project_runs import find_subject
from steelyard.schemas import Comparison

PACKAGES: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "networkx": (
        (),
        (
            "networkx.utils.union_find:UnionFind.union",
            "networkx.algorithms.reciprocity:overall_reciprocity",
            "networkx.algorithms.dag:topological_sort",
        ),
    ),
    "more-itertools": (
        (),
        (
            "more_itertools.more:split_when",
            "more_itertools.more:nth_permutation",
            "more_itertools.more:collapse",
        ),
    ),
    "jinja2": (
        ("markupsafe", "trio"),
        (
            "jinja2.filters:do_indent",
            "jinja2.filters:do_wordwrap",
            "jinja2.lexer:count_newlines",
        ),
    ),
    "textdistance": (
        ("hypothesis", "numpy"),
        (
            "textdistance.algorithms.edit_based:StrCmp95.__call__",
            "textdistance.algorithms.phonetic:MRA._calc_mra",
            "textdistance.algorithms.sequence_based:LCSStr._standart",
        ),
    ),
    "natsort": (
        ("hypothesis", "pytest-mock"),
        (
            "natsort.utils:sep_inserter",
            "natsort.natsort:natsorted",
            "natsort.utils:chain_functions",
        ),
    ),
    "sympy": (
        ("mpmath", "hypothesis"),
        (
            "sympy.utilities.iterables:ibin",
            "sympy.ntheory.continued_fraction:continued_fraction_convergents",
            "sympy.combinatorics.partitions:RGS_enum",
        ),
    ),
    "attrs": (
        ("hypothesis", "cloudpickle"),
        ("attr._cmp:cmp_using", "attr._funcs:asdict", "attr.filters:include"),
    ),
    "click": (
        (),
        (
            "click.formatting:wrap_text",
            "click.formatting:measure_table",
            "click.parser:_split_opt",
        ),
    ),
    "tomli": (
        (),
        (
            "tomli._parser:skip_chars",
            "tomli._parser:skip_until",
            "tomli._parser:is_unicode_scalar_value",
        ),
    ),
    "pytest-asyncio": (
        ("hypothesis", "typing-extensions"),
        (
            "pytest_asyncio.plugin:_is_coroutine_or_asyncgen",
            "pytest_asyncio.plugin:_synchronize_coroutine",
            "pytest_asyncio.plugin:_get_default_test_loop_scope",
        ),
    ),
}
"""What each package's tests need, and three of its functions."""
_LEAST = 2
"""Functions with a verdict that make a package count."""
OPEN = ("undecided", "not-called", "too-few-tests")
"""Reasons that leave a comparison open."""


def fetched(package: str, folder: Path) -> Path:
    """The folder of the package's sources."""
    sources = folder / package
    if not sources.is_dir():
        sdists = folder / "sdists" / package
        command = [
            "download",
            "-q",
            "--no-binary",
            ":all:",
            "--no-deps",
            "-d",
            str(sdists),
            package,
        ]
        subprocess.run([sys.executable, "-m", "pip", *command], check=True)
        with tarfile.open(next(sdists.glob("*.tar.gz"))) as archive:
            archive.extractall(sources, filter="data")
    return next(path for path in sources.iterdir() if path.is_dir())


def environment(package: str, needs: tuple[str, ...], folder: Path) -> Path:
    """An interpreter that has pytest and what the package's tests need."""
    place = folder / "environments" / package
    if not place.is_dir():
        venv.create(place, with_pip=True, symlinks=True)
        command = [str(place / "bin/python"), "-m", "pip", "install", "-q", "pytest", *needs]
        subprocess.run(command, check=True)
    return place / "bin/python"


def rewritten(root: Path, function: str) -> str:
    """The function as its syntax tree has it."""
    subject = find_subject(root, function)
    body = ast.parse(subject.source).body
    for name in subject.qualname.split("."):
        node = next(each for each in body if getattr(each, "name", None) == name)
        body = getattr(node, "body", [])
    return ast.unparse(node) + "\n"


def compared(root: Path, function: str, options: CompareOptions) -> dict[str, object]:
    """Verdict, reason and seconds of two candidates on one baseline."""
    row: dict[str, object] = {"function": function, "decided": False}
    kind, started = "cold", time.monotonic()
    try:
        text = rewritten(root, function)
        baseline = CompareBaseline(function, root, options)
        for kind in ("cold", "warm"):
            row |= verdict_of(compare_candidate(baseline, text))
            row[f"{kind}_s"] = round(time.monotonic() - started, 1)
            started = time.monotonic()
        row["notes"] = baseline.notes
    except SteelyardError as error:
        row |= {"why": str(error), f"{kind}_s": round(time.monotonic() - started, 1)}
    return row | {"load_1min": round(os.getloadavg()[0], 1)}


def rows_of(package: str, folder: Path, budget_s: float | None) -> Iterator[dict[str, object]]:
    """Yield a row for each function of a package; one if it cannot be fetched."""
    needs, functions = PACKAGES[package]
    try:
        root, python = fetched(package, folder), environment(package, needs, folder)
    except (subprocess.CalledProcessError, OSError) as error:
        yield {"package": package, "decided": False, "why": f"it cannot be fetched: {error}"}
        return
    options = CompareOptions(python=python, accept="not-slower", budget_s=budget_s)
    for function in functions:
        yield {"package": package, **compared(root, function, options)}


def summary_of(rows: Sequence[dict[str, Any]]) -> dict[str, object]:
    """Return the verdicts and the longest times of one package."""
    left = [row["why"] for row in rows if not row["decided"]]
    return {
        "verdicts": f"{len(rows) - len(left)} of {len(rows)}",
        "cold_s": max((row.get("cold_s", 0.0) for row in rows), default=0.0),
        "warm_s": max((row.get("warm_s", 0.0) for row in rows), default=0.0),
        "why_not": next(iter(left), ""),
    }


def verdict_of(comparison: Comparison) -> dict[str, object]:
    """The verdict, and the first reason against the candidate."""
    first = next((each for each in comparison.reasons if each.rejects), None)
    return {
        "verdict": comparison.verdict,
        "decided": first is None or first.code not in OPEN,
        "why": f"{first.code}: {first.text}" if first else "",
    }


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("packages", nargs="*", default=[], help="all if there are none")
    parser.add_argument("--folder", type=Path, help="keep sources and environments here")
    parser.add_argument("--budget", type=float)
    asked = parser.parse_args()
    by_package: dict[str, list[dict[str, Any]]] = {}
    with tempfile.TemporaryDirectory(prefix="compare-packages-") as scratch:
        folder = (asked.folder or Path(scratch)).absolute()
        for package in asked.packages or PACKAGES:
            for row in rows_of(package, folder, asked.budget):
                by_package.setdefault(package, []).append(row)
                print(row, file=sys.stderr, flush=True)
    decided = [sum(row["decided"] for row in rows) >= _LEAST for rows in by_package.values()]
    found = {
        "machine": machine(),
        "decided": f"{sum(decided)} of {len(decided)} packages",
        "packages": {package: summary_of(rows) for package, rows in by_package.items()},
        "rows": [row for rows in by_package.values() for row in rows],
    }
    json.dump(found, sys.stdout, indent=2)
    print()


if __name__ == "__main__":
    main()
