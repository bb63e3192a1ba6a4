"""Jobs of a service whose workers are killed at random: accepted equals finished. Prints JSON.

    nice -n 5 python benchmarks/service_jobs.py [--jobs N] [--postgres] > service_jobs.json

Clients submit judgements as runs. Meanwhile workers are killed (`kill -9`), the service is killed
and started again once, and with `--postgres` the database is restarted once, as a crash would. One
request in twenty is malformed; further clients send slowly, or go away in the middle. A client that
got no answer asks again with the same Idempotency-Key. At the end every accepted run must be done,
with the right result, and there must be no other run. If SIGINT, SIGTERM or the deadline ends it
early, it reports what was done until then.
"""

import argparse
import http.client
import json
import os
import random
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from contextlib import ExitStack, suppress
from datetime import datetime
from pathlib import Path
from typing import Any

from judge import machine

sys.path.append(str(Path(__file__).parents[1]))
from tests.database_server import DatabaseServer
from tests.processes import children

CLIENTS = 4
HEADERS = {"Content-Type": "application/json", "Prefer": "respond-async"}
MALFORMED = (
    b"",
    b"{",
    b"nothing",
    b"[]",
    b'{"program": 1}',
    b'{"program": "a", "program": "b"}',
    b'{"program": "\xff"}',
    b"[" * 1_000,
    b'{"program": "x", "unknown": 1}',
    b'{"program": "x", "limits": {"cpu_ms": 1e12}}',
)
DEADLINE_S = 3_600


class Stand:
    """A service and its workers, each in processes of their own."""

    def __init__(self, folder: Path, database: str, workers: int) -> None:
        self._folder, self._workers = folder, workers
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port = free.getsockname()[1]
        self._env = {
            **os.environ,
            "STEELYARD_DATABASE_URL": database,
            "STEELYARD_SERVICE__MAX_JOB_ATTEMPTS": "100",
            "XDG_DATA_HOME": str(folder),
            "LOG_LEVEL": "WARNING",
        }
        self.service = self._serve()
        self.team = self._start("worker", "--workers", str(workers))

    def _start(self, *arguments: str) -> subprocess.Popen[bytes]:
        with (self._folder / "log.jsonl").open("ab") as log:
            return subprocess.Popen(
                [sys.executable, "-m", "steelyard", *arguments],
                env=self._env,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=log,
                process_group=0,  # Ctrl-C ends the clients, and these are ended in order
            )

    def _serve(self) -> subprocess.Popen[bytes]:
        process = self._start("serve", "--workers", "0", "--port", str(self.port))
        end = time.monotonic() + 120
        while ask(self.port, "GET", "/healthz")[0] != 200:
            assert process.poll() is None, (self._folder / "log.jsonl").read_text()
            assert time.monotonic() < end
            time.sleep(0.1)
        return process

    def restart_service(self) -> None:
        self.service.kill()
        self.service.wait()
        self.service = self._serve()

    def kill_a_worker(self, chance: random.Random) -> bool:
        running = children(self.team.pid)
        if not running:
            return False
        with suppress(ProcessLookupError):
            os.kill(chance.choice(running), signal.SIGKILL)
        return True

    def end(self) -> None:
        for process in (self.team, self.service):
            process.send_signal(signal.SIGTERM)
        for process in (self.team, self.service):
            process.wait(120)


def ask(
    port: int, method: str, path: str, body: bytes | None = None, key: str = ""
) -> tuple[int, Any]:
    """Return status and body of a response; 0 if there was none."""
    headers = {**HEADERS, "Idempotency-Key": key} if key else HEADERS
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    try:
        connection.request(method, path, body, headers)
        response = connection.getresponse()
        return response.status, json.loads(response.read() or b"null")
    except (OSError, http.client.HTTPException, ValueError):
        return 0, None
    finally:
        connection.close()


def judgement(number: int) -> bytes:
    """Return the body of a judgement that only its own result fits."""
    return json.dumps(
        {
            "program": f"print(int(input()) + {number})",
            "language": "python",
            "tests": [{"input": "1", "expected": str(number + 1), "name": f"job {number}"}],
        }
    ).encode()


class Clients:
    """Submit jobs until there are enough, and note what was accepted."""

    def __init__(self, port: int, jobs: int, seed: int) -> None:
        self._port, self._jobs, self._seed = port, jobs, seed
        self._lock = threading.Lock()
        self._next = 0
        self.accepted: dict[int, str] = {}
        self.accept_ms: list[float] = []
        self.statuses: Counter[int] = Counter()
        self.malformed: Counter[int] = Counter()
        self.cut = self.slow = 0
        self.done = threading.Event()

    def run(self) -> list[threading.Thread]:
        works = [self._submit] * CLIENTS + [self._send_slowly, self._go_away]
        threads = [
            threading.Thread(target=work, args=(random.Random(self._seed + index),), daemon=True)
            for index, work in enumerate(works)
        ]
        for each in threads:
            each.start()
        return threads[:CLIENTS]

    def _submit(self, chance: random.Random) -> None:
        while not self.done.is_set():
            with self._lock:
                number, self._next = self._next, self._next + 1
            if number >= self._jobs:
                return
            if number % 20 == 7:
                status, _ = ask(self._port, "POST", "/v1/judge", chance.choice(MALFORMED))
                with self._lock:
                    self.malformed[status] += 1
            if number % 50 == 3:
                self._cut(judgement(number), f"job-{number}")
            while number not in self.accepted and not self.done.is_set():
                self._try(number)

    def _try(self, number: int) -> None:
        begun = time.perf_counter()
        status, run = ask(self._port, "POST", "/v1/judge", judgement(number), f"job-{number}")
        took_ms = (time.perf_counter() - begun) * 1000
        with self._lock:
            self.statuses[status] += 1
            if status == 202:
                self.accepted[number] = run["id"]
                self.accept_ms.append(took_ms)
        if status != 202:
            assert status in (0, 429, 503), (status, run)
            time.sleep(0.5)

    def _cut(self, body: bytes, key: str) -> None:
        """Send a whole request, and go away without its answer."""
        with suppress(OSError), socket.create_connection(("127.0.0.1", self._port), 10) as line:
            line.sendall(
                b"POST /v1/judge HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
                b"Prefer: respond-async\r\nIdempotency-Key: %s\r\nContent-Length: %d\r\n\r\n%s"
                % (key.encode(), len(body), body)
            )
        self.cut += 1

    def _send_slowly(self, _: random.Random) -> None:
        while not self.done.is_set():
            with suppress(OSError), socket.create_connection(("127.0.0.1", self._port), 10) as line:
                for byte in b"POST /v1/judge HTTP/1.1\r\nHost: 127.0.0.1\r\n":
                    line.sendall(bytes([byte]))
                    if self.done.wait(0.2):
                        return
                self.slow += 1
            self.done.wait(0.5)

    def _go_away(self, chance: random.Random) -> None:
        head = b"POST /v1/judge HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 1000\r\n\r\n{"
        while not self.done.wait(0.5):
            with suppress(OSError), socket.create_connection(("127.0.0.1", self._port), 10) as line:
                line.sendall(head[: chance.randrange(len(head))])
                self.cut += 1


class Memory:
    """Samples the resident memory of the service and of its workers, in MiB."""

    def __init__(self, stand: Stand) -> None:
        self._stand = stand
        self.service: list[float] = []
        self.worker: list[float] = []

    def sample(self) -> None:
        self.service.append(resident_mib(self._stand.service.pid))
        self.worker.append(max(map(resident_mib, children(self._stand.team.pid)), default=0.0))

    def report(self) -> dict[str, Any]:
        return {"service": parts(self.service), "largest_worker": parts(self.worker)}


def parts(values: list[float]) -> dict[str, float]:
    """Return the median of each quarter of the time, and the maximum."""
    size = max(1, len(values) // 4)
    quarters = [values[at : at + size] for at in range(0, 4 * size, size)]
    named = {
        f"quarter_{number}_mib": round(statistics.median(each), 1)
        for number, each in enumerate(quarters, 1)
        if each
    }
    return {**named, "most_mib": round(max(values, default=0), 1)}


def resident_mib(pid: int) -> float:
    with suppress(OSError):
        for line in Path(f"/proc/{pid}/status").read_text().splitlines():
            if line.startswith("VmRSS:"):
                return int(line.split()[1]) / 1024
    return 0.0


def runs_of(port: int) -> list[dict[str, Any]]:
    """Return all runs, page by page."""
    found: list[dict[str, Any]] = []
    cursor = ""
    while True:
        status, page = ask(port, "GET", f"/v1/runs?limit=200&cursor={cursor}")
        assert status == 200, page
        found += page["items"]
        if page["next"] is None:
            return found
        cursor = page["next"]


def spread(values: list[float], digits: int = 1) -> dict[str, float]:
    """Return median, 95th and 99th percentile and maximum."""
    ordered = sorted(values)
    if not ordered:
        return {}
    at = {"median": 0.5, "p95": 0.95, "p99": 0.99, "most": 1.0}
    last = len(ordered) - 1
    return {name: round(ordered[round(share * last)], digits) for name, share in at.items()}


def seconds_between(first: str, last: str) -> float:
    return (datetime.fromisoformat(last) - datetime.fromisoformat(first)).total_seconds()


def stop_signals() -> threading.Event:
    """Return an event that SIGINT and SIGTERM set."""
    stopped = threading.Event()
    for each in (signal.SIGINT, signal.SIGTERM):
        signal.signal(each, lambda *_: stopped.set())
    return stopped


def proof(options: argparse.Namespace, folder: Path, stack: ExitStack) -> dict[str, Any]:
    chance = random.Random(options.seed)
    server = stack.enter_context(DatabaseServer()) if options.postgres else None
    database = server.new() if server else str(folder / "steelyard.sqlite3")
    stopped = stop_signals()
    stand = Stand(folder, database, options.workers)
    stack.callback(stand.end)
    clients, memory = Clients(stand.port, options.jobs, options.seed), Memory(stand)
    begun = time.monotonic()
    submitters = clients.run()
    killed = 0
    events = {"service_killed": False, "database_restarted": False}
    next_kill = begun + options.kill_every_s
    while not stopped.wait(1):
        memory.sample()
        status, health = ask(stand.port, "GET", "/healthz")
        left = health["jobs_queued"] + health["jobs_running"] if status == 200 else -1
        accepted = len(clients.accepted)
        finished = accepted - left
        if left == 0 and not any(each.is_alive() for each in submitters):
            break
        if time.monotonic() - begun > DEADLINE_S:
            stopped.set()
        if time.monotonic() > next_kill and left > options.workers:
            killed += stand.kill_a_worker(chance)
            next_kill = time.monotonic() + chance.uniform(0.5, 1.5) * options.kill_every_s
        if not events["service_killed"] and accepted > options.jobs / 3:
            stand.restart_service()
            events["service_killed"] = True
        if server and not events["database_restarted"] and finished > options.jobs / 2:
            server.stop()
            time.sleep(2)
            server.start()
            events["database_restarted"] = True
    seconds = time.monotonic() - begun
    clients.done.set()
    for each in submitters:
        each.join()
    runs = runs_of(stand.port)
    ended = [each for each in runs if each["ended_utc"]]
    finished_ids = {each["id"] for each in ended}
    wrong = 0
    for number, run_id in clients.accepted.items():
        if run_id not in finished_ids:
            continue
        status, run = ask(stand.port, "GET", f"/v1/runs/{run_id}")
        case = run["result"]["cases"][0] if status == 200 and run["state"] == "done" else {}
        wrong += case.get("name") != f"job {number}" or case.get("verdict") != "AC"
    ids = [each["id"] for each in runs]
    return {
        "jobs": options.jobs,
        "ended_early": stopped.is_set(),
        "database": "PostgreSQL" if server else "SQLite",
        "workers": options.workers,
        "seconds": round(seconds, 1),
        "jobs_per_s": round(len(ended) / seconds, 2),
        "accepted": len(clients.accepted),
        "finished": sum(each["state"] == "done" for each in runs),
        "lost": len(set(clients.accepted.values()) - set(ids)),
        "not_asked_for": len(set(ids) - set(clients.accepted.values())),
        "twice": len(ids) - len(set(ids)),
        "wrong_results": wrong,
        "workers_killed": killed,
        **events,
        "begun_again": sum(each["attempts"] > 1 for each in runs),
        "most_attempts": max((each["attempts"] for each in runs), default=0),
        "malformed": {str(status): count for status, count in clients.malformed.items()},
        "answers": {str(status): count for status, count in clients.statuses.items()},
        "cut_clients": clients.cut,
        "slow_clients": clients.slow,
        "accept_ms": spread(clients.accept_ms),
        "run_s": spread(
            [seconds_between(each["started_utc"], each["ended_utc"]) for each in ended], 2
        ),
        "memory": memory.report(),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--jobs", type=int, default=300)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--kill-every-s", type=float, default=8.0)
    parser.add_argument("--seed", type=int, default=17)
    parser.add_argument("--postgres", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="steelyard-jobs-") as folder, ExitStack() as stack:
        found = proof(options, Path(folder), stack)
    print(json.dumps({"machine": machine(), **found}, indent=2))
    right = found["accepted"] == found["finished"] == options.jobs
    faults = ("lost", "not_asked_for", "twice", "wrong_results")
    sys.exit(0 if right and not any(found[name] for name in faults) else 1)


if __name__ == "__main__":
    main()
