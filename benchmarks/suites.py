"""Measure what `author tests` costs on modules of real packages, in seconds of CPU.

    python benchmarks/suites.py w2n.py=test_w2n.py roman/__init__.py=test_roman.py

Each argument names a module and a pytest suite for it, both fetched or written by the user: for
example `word2number` (w2n.py), `roman`, `inflection`, `humanize` (filesize.py) and `toolz`
(dicttoolz.py) of PyPI. The folder with `--root` is the project of all modules. A script in place of
a model writes the suite, and calls it perfect in the only review. The CPU time is that of the
command with all cells. Prints one JSON object for each module.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

_REVIEW = {"status": "perfect", "message": "All is covered."}


def measured(module: Path, suite: Path, root: Path | None) -> dict[str, object]:
    """Return the cost and the findings of one run."""
    with tempfile.TemporaryDirectory() as folder:
        script = Path(folder) / "replies.json"
        code = f"{suite.name}\n{suite.read_text('utf-8')}"
        script.write_text(json.dumps({"tester": [{"test_code": code}], "reviewer": [_REVIEW]}))
        command = [
            *(sys.executable, "-m", "steelyard", "author", "tests", str(module), "--json"),
            *("--models", f"scripted:{script}", "--max-rounds", "1", "--logs", f"{folder}/logs"),
            *(("--root", str(root)) if root else ()),
        ]
        before = os.times()
        done = subprocess.run(
            command, capture_output=True, check=False, env={**os.environ, "XDG_DATA_HOME": folder}
        )
        after = os.times()
    if done.returncode not in (0, 1):
        sys.exit(done.stderr.decode("utf-8", "replace"))
    report = json.loads(done.stdout)
    found = report["evidence"]
    cpu_s = sum(after[2:4]) - sum(before[2:4])
    return {
        "module": module.name,
        "cpu_s": round(cpu_s, 1),
        "seconds": round(report["seconds"], 1),
        "unmet": found["unmet"],
        "fault": found["fault"],
        **{name: found[name] for name in ("tests", "counts", "mutants", "killed")},
        "survivors": [each["name"] for each in found["survivors"]],
        "others": [each for name in ("red", "dependent", "uncounted") for each in found[name]],
        "cannot_fail": found["cannot_fail"],
    }


def main() -> None:
    """Measure each pair of a module and a suite."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("pairs", nargs="+", metavar="MODULE.py=TEST.py")
    parser.add_argument("--root", type=Path)
    chosen = parser.parse_args()
    for pair in chosen.pairs:
        module, _, suite = pair.partition("=")
        print(json.dumps(measured(Path(module), Path(suite), chosen.root)), flush=True)


if __name__ == "__main__":
    main()
