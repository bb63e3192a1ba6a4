"""The checkers on large outputs, beside `cmp` on the same bytes in the same run. JSON out.

    python benchmarks/checkers.py [--mib 95] [--rounds 5]

`ratio_to_cmp` is cmp's time over the checker's: 0.5 means half the speed of cmp. cmp reads its
two files from memory; `read_ms` is what reading them takes Python, which a judge does not pay:
the output is in its memory already.
"""

import argparse
import json
import platform
import random
import statistics
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from steelyard.judging.checkers import MATCH_MODES, MatchMode, checker_for
from steelyard.schemas import TestCase

MODES: tuple[MatchMode, ...] = ("exact", "tokens", "float_tokens", "unordered", "numeric")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--mib", type=float, default=95.4, help="size of the outputs in MiB")
    parser.add_argument("--rounds", type=int, default=5, help="rounds for equal files")
    arguments = parser.parse_args()
    size = int(arguments.mib * (1 << 20))

    lines = _lines(size)
    expected = b"".join(lines)
    case = TestCase(expected=expected, name="large")
    report: dict[str, object] = {
        "machine": {"processor": platform.processor() or platform.machine()},
        "python": platform.python_version(),
        "bytes": len(expected),
        "lines": len(lines),
    }
    report["equal"] = _equal(case, arguments.rounds)

    variants: dict[str, tuple[bytes, tuple[MatchMode, ...]]] = {
        "crlf_and_trailing_space": (
            expected.replace(b"\n", b" \r\n"),
            ("tokens", "float_tokens", "unordered", "numeric"),
        ),
        "crlf": (expected.replace(b"\n", b"\r\n"), ("exact",)),
        "no_final_line_end": (expected.rstrip(), MODES),
        "last_byte_differs": (expected[:-2] + b"x\n", MODES),
        "every_number_off_by_1e-9": (
            expected.replace(b".", b".000000001"),
            ("float_tokens", "numeric"),
        ),
        "without_white_space_or_numbers": (b"-" * len(expected), MODES),
    }
    random.Random(1).shuffle(lines)
    variants["lines_shuffled"] = (b"".join(lines), ("unordered",))
    del lines
    for name, (output, modes) in variants.items():
        report[name] = {mode: _once(mode, case, output) for mode in modes}

    small = TestCase(expected=b"25", name="small")
    report["small_us"] = {
        mode: {
            "same": _small(mode, small, b"25"),
            "line_end_added": _small(mode, small, b"25\n"),
            "wrong": _small(mode, small, b"26\n"),
        }
        for mode in MATCH_MODES
    }
    print(json.dumps(report, indent=2))


def _lines(size: int) -> list[bytes]:
    choice = random.Random(0)
    lines: list[bytes] = []
    total = 0
    while total < size:
        line = b"%d %d.0 w%d\n" % (
            choice.randrange(10**9),
            choice.randrange(1000),
            choice.randrange(100),
        )
        lines.append(line)
        total += len(line)
    return lines


def _equal(case: TestCase, rounds: int) -> dict[str, object]:
    """Interleaved, so that the machine's state is the same for all."""
    times: dict[str, list[float]] = {name: [] for name in ("cmp", "read", *MODES)}
    with tempfile.TemporaryDirectory() as folder:
        first, second = Path(folder, "a"), Path(folder, "b")
        first.write_bytes(case.expected)
        second.write_bytes(case.expected)
        output = second.read_bytes()
        for _ in range(rounds):
            times["cmp"].append(_ms(lambda: subprocess.run(["cmp", first, second], check=True)))
            times["read"].append(_ms(lambda: (first.read_bytes(), second.read_bytes())))
            for mode in MODES:
                check = checker_for(mode).check
                times[mode].append(_ms(lambda check=check: check(case, output)))  # type: ignore[misc]
    medians = {name: statistics.median(values) for name, values in times.items()}
    return {
        "cmp_ms": round(medians["cmp"], 2),
        "read_ms": round(medians["read"], 2),
        "checkers": {
            mode: {
                "ms": round(medians[mode], 2),
                "ratio_to_cmp": round(medians["cmp"] / medians[mode], 2),
            }
            for mode in MODES
        },
    }


def _once(mode: MatchMode, case: TestCase, output: bytes) -> dict[str, object]:
    checker = checker_for(mode)
    Path("/proc/self/clear_refs").write_text("5")  # the peak starts again from here
    before = _status_mib("VmRSS")
    start = time.perf_counter()
    outcome = checker.check(case, output)
    elapsed = time.perf_counter() - start
    return {
        "passed": outcome.passed,
        "message": outcome.message,
        "ms": round(elapsed * 1e3, 1),
        "peak_extra_mib": round(_status_mib("VmHWM") - before, 1),
    }


def _small(mode: MatchMode, case: TestCase, output: bytes) -> float:
    check, calls = checker_for(mode).check, 20_000
    start = time.perf_counter()
    for _ in range(calls):
        check(case, output)
    return round((time.perf_counter() - start) / calls * 1e6, 2)


def _ms(action: Callable[[], object]) -> float:
    start = time.perf_counter()
    action()
    return (time.perf_counter() - start) * 1e3


def _status_mib(field: str) -> float:
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith(field + ":"):
            return int(line.split()[1]) / 1024
    raise RuntimeError(f"/proc/self/status has no {field}")


if __name__ == "__main__":
    main()
