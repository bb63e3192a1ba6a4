"""Judgements over HTTP next to the same through the library, in one run. Prints JSON.

    nice -n 5 python benchmarks/service.py [--seconds S] > service.json

The service runs on loopback in a process of its own, with as many cells as the library's pool.
Rounds of both alternate. The overhead is that of one client with a kept connection: the difference
of the medians, and that of the fastest 5 %, which other work on the machine disturbs less.
Throughput is with 16 clients, in processes of their own. The CPU time of a judgement is that of the
process that judges, without its cells: a busy machine, which spoils the medians, changes it little.
"""

import argparse
import http.client
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from judge import machine

from steelyard import ExecutionVerifier
from steelyard.sandbox import CellPool

CLIENTS = 16
ROUND_S = 0.5
BODY = {
    "program": "def add(a, b):\n    return a + b\n",
    "language": "python",
    "entry": "function:add",
    "tests": [{"args": [number, 1], "expected": number + 1} for number in range(4)],
}
HEADERS = {"Content-Type": "application/json"}


class Client:
    """One connection to the service."""

    def __init__(self, url: str) -> None:
        parts = urlsplit(url)
        assert parts.hostname
        self._connection = http.client.HTTPConnection(parts.hostname, parts.port, timeout=120)
        self._content = json.dumps(BODY).encode()

    def __call__(self) -> None:
        self._connection.request("POST", "/v1/judge", self._content, HEADERS)
        answer = self._connection.getresponse()
        content = answer.read()
        assert answer.status == 200, content
        assert json.loads(content)["success"]


def times_ms(work: Callable[[], None], seconds: float) -> list[float]:
    """Return the time of each call, in ms, until this many seconds have gone."""
    times, end = [], time.perf_counter() + seconds
    while time.perf_counter() < end:
        begun = time.perf_counter()
        work()
        times.append((time.perf_counter() - begun) * 1000)
    return times


def fast(times: list[float]) -> float:
    """Return the time that 5 % of the calls stay below."""
    return sorted(times)[len(times) // 20]


def library_rate(verifier: ExecutionVerifier, seconds: float) -> float:
    """Return judgements per second of 16 threads that call the library."""

    def work(_: int) -> int:
        done, end = 0, time.perf_counter() + seconds
        while time.perf_counter() < end:
            assert verifier.verify(BODY["program"]).success  # type: ignore[arg-type]
            done += 1
        return done

    with ThreadPoolExecutor(CLIENTS) as executor:
        return sum(executor.map(work, range(CLIENTS))) / seconds


def service_rate(url: str, seconds: float) -> float:
    """Return judgements per second of 16 clients, in four processes."""
    command = [sys.executable, __file__, "--client", url, "--seconds", str(seconds)]
    clients = [
        subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        for _ in range(CLIENTS // 4)
    ]
    for each in clients:  # all begin at once, when the last one is ready
        assert each.stdout
        each.stdout.readline()
    for each in clients:
        assert each.stdin
        each.stdin.write("go\n")
        each.stdin.flush()
    return sum(float(each.communicate()[0]) for each in clients)


def run_clients(url: str, seconds: float) -> None:
    """Print judgements per second of four clients."""
    clients = [Client(url) for _ in range(4)]
    for each in clients:
        each()
    print("ready", flush=True)
    sys.stdin.readline()
    with ThreadPoolExecutor(4) as executor:
        counts = executor.map(lambda each: len(times_ms(each, seconds)), clients)
        print(sum(counts) / seconds)


def cpu_s(process: int) -> float:
    """Return the CPU time of a process, without its children."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def measure(url: str, server: int, seconds: float) -> dict[str, Any]:
    """Return all figures."""
    http_ms: list[float] = []
    own_ms: list[float] = []
    rates: dict[str, list[float]] = {"library": [], "service": []}
    with CellPool() as pool:
        verifier = ExecutionVerifier(
            BODY["tests"],  # type: ignore[arg-type]
            language="python",
            entry="function:add",
            pool=pool,
        )
        client = Client(url)

        def own() -> None:
            assert verifier.verify(BODY["program"]).success  # type: ignore[arg-type]

        for _ in range(20):
            own()
            client()
        used = {"library": 0.0, "service": 0.0}
        for _ in range(round(seconds / ROUND_S)):
            begun = cpu_s(os.getpid())
            own_ms += times_ms(own, ROUND_S)
            used["library"] += cpu_s(os.getpid()) - begun
            begun = cpu_s(server)
            http_ms += times_ms(client, ROUND_S)
            used["service"] += cpu_s(server) - begun
        for _ in range(3):
            rates["library"].append(library_rate(verifier, seconds / 3))
            rates["service"].append(service_rate(url, seconds / 3))
    library, service = (max(rates[name]) for name in ("library", "service"))
    return {
        "machine": machine(),
        "load": os.getloadavg()[0],
        "one_client": {
            "library_median_ms": round(statistics.median(own_ms), 3),
            "service_median_ms": round(statistics.median(http_ms), 3),
            "overhead_ms": round(statistics.median(http_ms) - statistics.median(own_ms), 3),
            "overhead_of_fast_ms": round(fast(http_ms) - fast(own_ms), 3),
            "library_cpu_ms": round(used["library"] * 1000 / len(own_ms), 3),
            "service_cpu_ms": round(used["service"] * 1000 / len(http_ms), 3),
            "judgements": len(http_ms),
        },
        "sixteen_clients": {
            "library_per_s": round(library, 1),
            "service_per_s": round(service, 1),
            "share": round(service / library, 3),
        },
    }


def main() -> None:
    """Start a service, measure, and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--client", default="", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.client:
        run_clients(given.client, given.seconds)
        return
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "steelyard", "serve", "--port", "0", "--json"]
        command += ["--db", str(Path(folder, "service.sqlite3"))]
        environment = {**os.environ, "LOG_LEVEL": "WARNING"}
        server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment)
        try:
            assert server.stdout
            head = "".join(iter(server.stdout.readline, "}\n")) + "}"
            print(json.dumps(measure(json.loads(head)["url"], server.pid, given.seconds), indent=2))
        finally:
            server.terminate()
            server.wait()


if __name__ == "__main__":
    main()
