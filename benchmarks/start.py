"""CPU time of starting, next to an empty interpreter in the same run. JSON out.

    python benchmarks/start.py [--rounds 10]

Each figure is the least of `--rounds` runs: user and system time of the process and its children,
in milliseconds. Other work on the machine raises all of them. The target of `judge` is 250 ms.
"""

import argparse
import json
import os
import platform
import subprocess
import sys
import tempfile
from pathlib import Path

PROGRAM = "print(sum(map(int, input().split())))\n"
TESTS = [{"input": "1 2", "expected": "3"}, {"input": "4 5", "expected": "9"}]
TARGET_MS = 250
_NO_CACHE = "PYTHONDONTWRITEBYTECODE"
"""With it, each start compiles what has changed since the installation."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=10, help="runs of each command")
    rounds = parser.parse_args().rounds
    steelyard = Path(sys.executable).with_name("steelyard")
    with tempfile.TemporaryDirectory() as folder:
        program, tests = Path(folder, "add.py"), Path(folder, "tests.json")
        program.write_text(PROGRAM, "utf-8")
        tests.write_text(json.dumps(TESTS), "utf-8")
        commands: dict[str, list[str | Path]] = {
            "python_pass": [sys.executable, "-c", "pass"],
            "import_steelyard": [sys.executable, "-c", "import steelyard"],
            "version": [steelyard, "--version"],
            "help": [steelyard, "judge", "--help"],
            "judge": [steelyard, "judge", program, "--tests", tests],
        }
        figures = {name: _least_ms(argv, rounds) for name, argv in commands.items()}
    report = {
        "machine": {"processor": platform.processor() or platform.machine()},
        "python": platform.python_version(),
        "rounds": rounds,
        "cpu_ms": figures,
        "target_ms": {"judge": TARGET_MS},
    }
    print(json.dumps(report, indent=2))


def _least_ms(argv: list[str | Path], rounds: int) -> float:
    return round(min(_cpu_ms(argv) for _ in range(rounds + 1)), 1)  # the first warms the caches


def _cpu_ms(argv: list[str | Path]) -> float:
    """Return the CPU time of a command and of the processes that it waited for."""
    caching = {name: value for name, value in os.environ.items() if name != _NO_CACHE}
    process = subprocess.Popen(argv, stdout=subprocess.DEVNULL, env=caching)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"{argv[0]} ended with status {process.returncode}")
    return (usage.ru_utime + usage.ru_stime) * 1e3


if __name__ == "__main__":
    main()
