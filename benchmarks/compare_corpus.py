"""What the known procedure says of each pair of compare's corpus. Prints JSON.

    python benchmarks/compare_corpus.py [--write] [PAIR...] > corpus.json

The known procedure runs the project's own tests on both versions, compares what the calls in them
return or raise, and takes the candidate if the best of its loops is at least 5 % better
(`--method loops`): no calls beyond the tests', no arguments after the call, no order of keys, no
aliasing, no processes of their own. It has this project's comparator, so it is at its best here.
`--write` puts its answer beside the truth, as `known_procedure` in each pair's file. It takes about
a quarter of an hour.
"""

import argparse
import json
import re
import sys
import tomllib
from collections import Counter
from pathlib import Path
from typing import Any

from judge import machine

from steelyard.equivalence import CompareBaseline, CompareOptions
from steelyard.equivalence._behaviour import compare_tests
from steelyard.equivalence._timing import time_both
from steelyard.equivalence._versions import Version
from steelyard.equivalence.subject import read_candidate
from steelyard.schemas import BehaviourCase, Reason

CORPUS = Path(__file__).parent.parent / "tests" / "corpus" / "compare"
GAIN = 0.05
SEEN = ("result", "raised", "item")
"""Where a difference begins that the procedure looks at."""


def known_answer(folder: Path, pair: dict[str, Any]) -> str:
    """`accepted`, or `rejected: ` and why."""
    tests = tuple(pair.get("options", {}).get("tests", ()))
    options = CompareOptions(
        generate=0, method="loops", threshold=GAIN, dict_order=False, tests=tests
    )
    baseline = CompareBaseline(pair["function"], folder / "project", options)
    read = read_candidate(baseline.subject, next(folder.glob("candidate.*")).read_text("utf-8"))
    if isinstance(read, Reason):
        return f"rejected: {read.code}"
    others = {path: text.encode() for path, text in read.other_files.items()}
    version = Version({**others, baseline.subject.path: read.module_bytes})
    baseline.prepare()
    cases = compare_tests(
        baseline.tests, baseline.run_tests(version), baseline.dropped_tests, baseline.strictness
    )
    if any(differs(case) for case in cases):
        return "rejected: tests"
    speed = time_both(baseline, version).speed
    return "accepted" if speed.verdict == "faster" else "rejected: not-faster"


def differs(case: BehaviourCase) -> bool:
    """Whether the procedure would see it: a test that fails, or what a call gives."""
    if case.outcome != "different":
        return False
    return not case.differences or any(
        re.match(rf"({'|'.join(SEEN)})\b", each.path) and each.kind not in ("aliasing", "order")
        for each in case.differences
    )


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("pairs", nargs="*")
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    rows = []
    for file in sorted(CORPUS.glob("*/pair.toml")):
        if options.pairs and file.parent.name not in options.pairs:
            continue
        text = file.read_text("utf-8")
        pair = tomllib.loads(text)
        known = known_answer(file.parent, pair)
        rows.append(
            {
                "pair": file.parent.name,
                "group": pair["group"],
                "truth": pair["verdict"],
                "known_procedure": known,
            }
        )
        print(*rows[-1].values(), file=sys.stderr)
        if options.write:
            kept = re.sub(r"(?m)^known_procedure = .*\n", "", text)
            line = f"known_procedure = {json.dumps(known)}\n"
            file.write_text(re.sub(r"(?m)^(verdict = .*\n)", rf"\1{line}", kept), "utf-8")
    right = Counter((row["group"], row["known_procedure"].startswith(row["truth"])) for row in rows)
    json.dump(
        {
            "machine": machine(),
            "right": {
                group: f"{right[group, True]} of {right[group, True] + right[group, False]}"
                for group in sorted({row["group"] for row in rows})
            },
            "pairs": rows,
        },
        sys.stdout,
        indent=2,
    )
    print()


if __name__ == "__main__":
    main()
