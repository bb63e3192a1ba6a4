"""Time to the first byte of lists of 10,000 problems. Prints JSON.

    nice -n 5 python benchmarks/service_lists.py [--problems N] > service_lists.json

One client with one connection asks a service of its own on loopback. Medians and 95th percentiles
are in ms. `cpu_ms` is the service's CPU time for each request, which does not depend on the load.
"""

import argparse
import http.client
import json
import os
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from judge import machine

from steelyard.families import as_compact
from steelyard.schemas import AuthoredCase, AuthoredSuite, Parameter, Specification
from steelyard.storage import Database, open_database

PATHS = (
    "/v1/problems",
    "/v1/problems?cursor={cursor}",
    "/v1/problems?search=problem%209999",
    "/v1/problems?search=absent",
    "/v1/problems?tag=rare",
    "/v1/problems?tag=graph",
    "/v1/suites",
    "/v1/submissions",
    "/pages/problems",
    "/pages/problems?search=absent",
    "/pages/problems?tag=graph",
    "/pages/problems/p05000",
)
TICKS = os.sysconf("SC_CLK_TCK")


def fill(database: Database, count: int) -> None:
    """Store problems, each with a statement of 3,000 characters and a suite of one case."""
    with database.change() as change:
        for number in range(count):
            spec = Specification(
                title=f"Problem {number}",
                description=f"{number} " + "word " * 600,
                parameters=(Parameter(name="nums", type="list[int]"),),
                returns="int",
                tags=("graph" if number % 2 else "sorting", "rare" if number == 7 else "common"),
            )
            case = AuthoredCase(
                name="first",
                category="basic",
                origin="by hand",
                input=as_compact([[number]]),
                expected=number,
                has_expected=True,
            )
            suite = AuthoredSuite(spec_digest=spec.digest, cases=(case,))
            change.store_problem(f"p{number:05}", spec, suite)


@contextmanager
def service(file: Path) -> Iterator[tuple[str, int]]:
    """Start a service, and yield its URL and its process id."""
    with subprocess.Popen(
        [sys.executable, "-m", "steelyard", "serve", "--port", "0", "--json"],
        env={**os.environ, "STEELYARD_DATABASE_URL": str(file), "LOG_LEVEL": "ERROR"},
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout
        text = ""
        for line in process.stdout:
            text += line
            if line.startswith("}"):
                break
        yield json.loads(text)["url"], process.pid
        process.send_signal(signal.SIGTERM)


def cpu_ms(pid: int) -> float:
    """Return the CPU time of a process so far."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return 1000 * (int(fields[11]) + int(fields[12])) / TICKS


def measured(url: str, pid: int, path: str, repeats: int) -> dict[str, float]:
    """Return the times of one path."""
    parts = urlsplit(url)
    connection = http.client.HTTPConnection(str(parts.hostname), parts.port, timeout=60)
    times: list[float] = []
    before = 0.0
    for number in range(repeats + 3):
        if number == 3:  # the first requests warm caches
            times, before = [], cpu_ms(pid)
        start = time.perf_counter()
        connection.request("GET", path)
        response = connection.getresponse()
        times.append(1000 * (time.perf_counter() - start))
        response.read()
        assert response.status == 200, path
    connection.close()
    return {
        "median_ms": round(statistics.median(times), 2),
        "p95_ms": round(statistics.quantiles(times, n=20)[-1], 2),
        "cpu_ms": round((cpu_ms(pid) - before) / repeats, 2),
    }


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--problems", type=int, default=10_000)
    options.add_argument("--repeats", type=int, default=50)
    given = options.parse_args()
    found: dict[str, Any] = {"machine": machine(), "problems": given.problems}
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "problems.sqlite3"
        with open_database(file) as database:
            fill(database, given.problems)
        with service(file) as (url, pid):
            parts = urlsplit(url)
            connection = http.client.HTTPConnection(str(parts.hostname), parts.port, timeout=60)
            middle = max(1, min(200, given.problems - 1))
            connection.request("GET", f"/v1/problems?limit={middle}")
            cursor = json.loads(connection.getresponse().read())["next"]
            connection.close()
            found["paths"] = {
                path.format(cursor="NEXT"): measured(
                    url, pid, path.format(cursor=cursor), given.repeats
                )
                for path in PATHS
            }
    found["load_1_min"] = round(os.getloadavg()[0], 1)
    print(json.dumps(found, indent=2))


if __name__ == "__main__":
    main()
