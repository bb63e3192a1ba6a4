"""Verdicts of compare on pairs of real packages, by kind. Prints JSON.

    python benchmarks/compare_pairs.py [--half seen|unseen] [--work DIR] [--sources DIR]
        [PACKAGE...] > pairs.json

`compare_pairs/` has the pairs with their labels. Each package is taken from PyPI, or from a folder
PACKAGE-VERSION of `--sources`, and has an environment of its own below `--work`; a pair of a real
commit needs its repository, as SOURCES/PACKAGE.git or from the network. `found` is a wrong pair
that is rejected, or accepted with a warning that shows an input: both are counted apart.
"""

import argparse
import io
import json
import subprocess
import sys
import tarfile
import tempfile
import time
import tomllib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from judge import machine

from steelyard import SteelyardError, compare

PAIRS = Path(__file__).parent / "compare_pairs"
PYTEST = "pytest<9"
PIP = (sys.executable, "-m", "pip")


def sources_of(package: dict[str, Any], work: Path, sources: Path | None) -> Path:
    """The package's own files, with its tests."""
    name = f"{package['package']}-{package['version']}"
    for folder in (sources, work):
        if folder is not None and (folder / name).is_dir():
            return folder / name
    wanted = f"{package['package']}=={package['version']}"
    flags = ("--no-deps", "--no-binary", ":all:")
    with tempfile.TemporaryDirectory() as fetched:
        run(*PIP, "download", "-q", *flags, "-d", fetched, wanted)
        with tarfile.open(next(Path(fetched).glob("*.tar.gz"))) as archive:
            archive.extractall(work, filter="data")
    found = max(work.glob(f"*{package['version']}"), key=lambda path: path.stat().st_ctime)
    return found if found.name == name else found.rename(work / name)


def environment_of(package: dict[str, Any], work: Path) -> Path:
    """The interpreter of the package's environment."""
    folder = work / f"{package['package']}-venv"
    if not folder.exists():
        run(sys.executable, "-m", "venv", str(folder))
        own = (str(folder / "bin" / "python"), "-m", "pip")
        run(*own, "install", "-q", PYTEST, "coverage", "hypothesis", *package.get("requires", ()))
    return folder / "bin" / "python"


def at_commit(
    pair: dict[str, Any], package: dict[str, Any], work: Path, sources: Path | None
) -> Path:
    """The repository's files before the commit of a pair; the candidate is written next to them."""
    git = (sources or work) / f"{package['package']}.git"
    if not git.exists():
        repository = str(pair.get("repository") or package["repository"])
        run("git", "clone", "-q", "--bare", repository, str(git))
    original = str(pair.get("original") or f"{pair['upstream']}^")
    folder: Path = work / pair["name"]
    if not folder.exists():
        files = run("git", "--git-dir", str(git), "archive", original)
        with tarfile.open(fileobj=io.BytesIO(files)) as archive:
            archive.extractall(folder, filter="data")
    module = pair["function"].partition(":")[0].replace(".", "/")
    root = pair.get("import_path", package.get("import_path", "."))
    path = str(pair.get("file") or f"{root}/{module}.py".removeprefix("./"))
    changed = f"{pair['upstream']}:{path}"
    pair["candidate"] = run("git", "--git-dir", str(git), "show", changed).decode()
    return folder


def run(*command: str) -> bytes:
    return subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout


def verdicts(package: dict[str, Any], args: argparse.Namespace) -> Iterator[dict[str, Any]]:
    pairs = [pair for pair in package["pair"] if pair["half"] == args.half]
    python = environment_of(package, args.work)
    for pair in pairs:
        row = {key: pair[key] for key in ("name", "function", "kind")}
        start = time.monotonic()
        try:
            root = (
                at_commit(pair, package, args.work, args.sources)
                if "upstream" in pair
                else sources_of(package, args.work, args.sources)
            )
            report = compare(
                pair["candidate"], function=pair["function"], root=root, python=python
            )
        except (SteelyardError, subprocess.CalledProcessError) as error:
            yield row | {"verdict": "none", "why": str(error)}
            continue
        differing = (each for each in report.reasons if each.code == "behaviour-differs")
        shown = next(differing, None)
        yield row | {
            "verdict": "accepted" if report.passed else "rejected",
            "codes": sorted({each.code for each in report.reasons if each.rejects}),
            "warns": shown.text if shown else "",
            "speed": report.speed and report.speed.verdict,
            "s": round(time.monotonic() - start, 1),
        }


def counted(rows: list[dict[str, Any]]) -> dict[str, dict[str, int]]:
    """Verdicts by kind; a wrong pair that passes with a warning is counted as such."""
    by_kind: dict[str, Counter[str]] = {}
    for row in rows:
        verdict = row["verdict"]
        if verdict == "accepted" and row["warns"]:
            verdict = "accepted with a warning"
        by_kind.setdefault(row["kind"], Counter())[verdict] += 1
    return {kind: dict(counts) for kind, counts in sorted(by_kind.items())}


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("packages", nargs="*")
    parser.add_argument("--half", choices=("seen", "unseen"), default="seen")
    parser.add_argument("--work", type=Path, default=Path(tempfile.gettempdir()) / "compare-pairs")
    parser.add_argument("--sources", type=Path)
    args = parser.parse_args()
    args.work.mkdir(parents=True, exist_ok=True)
    rows = []
    for file in sorted(PAIRS.glob("*/pairs.toml")):
        if not args.packages or file.parent.name in args.packages:
            for row in verdicts(tomllib.loads(file.read_text("utf-8")), args):
                print(*row.values(), file=sys.stderr)
                rows.append(row)
    json.dump(
        {"machine": machine(), "verdicts": counted(rows), "pairs": rows}, sys.stdout, indent=2
    )
    print()


if __name__ == "__main__":
    main()
