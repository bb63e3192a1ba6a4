"""Import of rows: rows a second, and memory, which does not grow with the file.

    python benchmarks/dataset_import.py [--rows 10000] [--large-mib 300]

Rows in the form of CodeContests are generated: 10,000 small ones of twelve tests each, and a file
of the given size whose rows are as long as real ones. Each file is read in a process of its own.
"""

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from steelyard.datasets import read_tasks
from steelyard.schemas import RowFault

_LONG_TEXT = " ".join(str(number * 7919 % 1_000_003) for number in range(1_400))


def write_rows(file: Path, rows: int, text: str) -> None:
    """Write rows of twelve tests, whose ten larger inputs hold this text."""
    with file.open("w") as out:
        for number in range(rows):
            row = {
                "name": f"{number}_A. Sum",
                "description": "Add two numbers.",
                "public_tests": {"input": ["1 2\n", "5 6\n"], "output": ["3\n", "11\n"]},
                "private_tests": {"input": [], "output": []},
                "generated_tests": {
                    "input": [f"{number} {each}\n{text}\n" for each in range(10)],
                    "output": [f"{number + each}\n" for each in range(10)],
                },
                "solutions": {"language": [3], "solution": ["print(sum(map(int, input())))"]},
                "cf_tags": ["math"],
                "time_limit": {"seconds": 2, "nanos": 0},
                "memory_limit_bytes": 256_000_000,
            }
            out.write(json.dumps(row) + "\n")


def measure(file: str) -> None:
    """Print the figures of reading one file."""
    faults: list[RowFault] = []
    before_mib = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    start, cpu_start = time.perf_counter(), time.process_time()
    rows = sum(1 for _ in read_tasks(file, on_fault=faults.append))
    wall_s, cpu_s = time.perf_counter() - start, time.process_time() - cpu_start
    peak_mib = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(
        json.dumps(
            {
                "rows": rows,
                "faults": len(faults),
                "file_mib": round(Path(file).stat().st_size / 2**20),
                "rows_per_second": round(rows / wall_s),
                "rows_per_cpu_second": round(rows / cpu_s),
                "rss_before_mib": round(before_mib),
                "rss_peak_mib": round(peak_mib),
            }
        )
    )


def main() -> None:
    """Generate the files, and read each."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=10_000)
    parser.add_argument("--large-mib", type=int, default=300)
    parser.add_argument("--measure", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.measure:
        measure(options.measure)
        return
    with tempfile.TemporaryDirectory() as folder:
        small, large = Path(folder, "small.jsonl"), Path(folder, "large.jsonl")
        write_rows(small, options.rows, "")
        write_rows(large, options.large_mib * 2**20 // (10 * len(_LONG_TEXT)), _LONG_TEXT)
        for file in (small, large):
            command = [sys.executable, __file__, "--measure", str(file)]
            subprocess.run(command, check=True)


if __name__ == "__main__":
    main()
