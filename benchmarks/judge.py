"""The judge beside its peers and beside the physical limit, in one run. Prints JSON.

    python benchmarks/judge.py [--quick] > judge.json

Each figure stands with its target and what it is compared with. Rounds of the judge and of the
limit alternate, so that the machine's moods hit both alike; figures are medians.
"""

import argparse
import json
import os
import platform
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from steelyard import ExecutionVerifier
from steelyard.sandbox import Blob, CellPool, Command, View, stay_on_cell_cores
from steelyard.schemas import Limits
from steelyard.toolchains import CompileCache, find_toolchain

HERE = Path(__file__).parent
PLAIN_COMPILE = "g++ -O2 -std=c++17 -static -o typical typical.cpp"

SQUARE = """\
#include <iostream>
int main() { long long n; std::cin >> n; std::cout << n * n << std::endl; }
"""

TYPICAL = """\
#include <bits/stdc++.h>
using namespace std;
struct Edge { int to; long long weight; };
int main() {
    ios::sync_with_stdio(false);
    int n, m;
    cin >> n >> m;
    vector<vector<Edge>> graph(n + 1);
    for (int i = 0; i < m; i++) {
        int a, b; long long w;
        cin >> a >> b >> w;
        graph[a].push_back({b, w});
        graph[b].push_back({a, w});
    }
    vector<long long> best(n + 1, LLONG_MAX);
    priority_queue<pair<long long, int>, vector<pair<long long, int>>, greater<>> queue;
    best[1] = 0;
    queue.push({0, 1});
    while (!queue.empty()) {
        auto [cost, at] = queue.top();
        queue.pop();
        if (cost != best[at]) continue;
        for (const Edge &edge : graph[at])
            if (cost + edge.weight < best[edge.to]) {
                best[edge.to] = cost + edge.weight;
                queue.push({best[edge.to], edge.to});
            }
    }
    map<long long, int> seen;
    for (int i = 1; i <= n; i++) seen[best[i]]++;
    string line;
    for (auto [cost, count] : seen) line += to_string(cost) + ":" + to_string(count) + " ";
    cout << line << "\\n" << SALT << "\\n";
}
"""

TOUCH = """\
#include <stdlib.h>
int main(int argc, char **argv) {
    size_t size = strtoul(argv[1], 0, 10) << 20;
    volatile char *block = malloc(size);
    for (size_t i = 0; i < size; i += 4096) block[i] = 1;
    return 0;
}
"""


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--quick", action="store_true", help="a tenth of the repetitions")
    scale = 0.1 if arguments.parse_args().quick else 1.0
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        build()
        figures = {
            "run_overhead": run_overhead(round(2000 * scale)),
            "throughput": throughput(round(6000 * scale)),
            "compile": compile_times(max(3, round(7 * scale))),
            "memory": memory_error(max(3, round(15 * scale))),
            "wall_kill": wall_kill(max(5, round(30 * scale))),
            "import": import_time(max(3, round(15 * scale))),
            "peers": peers(round(300 * scale)),
        }
    print(json.dumps({"machine": machine(), **figures}, indent=2))


def machine() -> dict[str, object]:
    names = [
        line.split(":")[1].strip()
        for line in Path("/proc/cpuinfo").read_text().splitlines()
        if line.startswith("model name")
    ]
    return {
        "cpu": names[0] if names else platform.processor(),
        "cores": len(os.sched_getaffinity(0)),
        "kernel": platform.release(),
        "python": platform.python_version(),
        "load_1min": round(os.getloadavg()[0], 2),
    }


def build() -> None:
    Path("square.cpp").write_text(SQUARE)
    Path("touch.c").write_text(TOUCH)
    Path("input.txt").write_text("12\n")
    for command in (
        "g++ -O2 -std=c++17 -static -o square square.cpp",
        f"gcc -O2 -o spawn {HERE / 'spawn.c'}",
        "gcc -O1 -static -o touch touch.c",
    ):
        subprocess.run(command.split(), check=True)


def bare(program: str, count: int, core: int) -> list[float]:
    """Microseconds of each bare run."""
    out = subprocess.run(
        ["./spawn", str(count), str(core), "input.txt", program],
        capture_output=True,
        text=True,
        check=True,
    )
    return [int(line) / 1e3 for line in out.stdout.split()]


def square_command() -> Command:
    image = Blob.from_file(Path("square"))
    return Command(argv=("square",), executable=image, stdin=b"12\n", view=View())


def run_overhead(count: int) -> dict[str, object]:
    """Microseconds of one run, and what is added to a bare one: medians over rounds."""
    command = square_command()
    rounds = 20
    found: dict[str, list[float]] = {"bare": [], "cell": [], "python": [], "series": []}
    with CellPool(size=1) as pool:
        pool.run(command)
        core = pool._slots[0].core  # noqa: SLF001
        for _ in range(rounds):
            found["bare"].append(statistics.median(bare("./square", count // rounds, core)))
            walls, totals = [], []
            for _ in range(count // rounds):
                begun = time.perf_counter_ns()
                execution = pool.run(command)
                totals.append((time.perf_counter_ns() - begun) / 1e3)
                walls.append(execution.wall_ms * 1e3)
            found["cell"].append(statistics.median(walls))
            found["python"].append(statistics.median(totals))
            each = []
            for _ in range(max(1, count // rounds // 16)):
                begun = time.perf_counter_ns()
                amount = len(pool.run_series([command] * 16))
                each.append((time.perf_counter_ns() - begun) / 1e3 / amount)
            found["series"].append(statistics.median(each))

    def added(name: str) -> float:
        pairs = zip(found[name], found["bare"], strict=True)
        return round(statistics.median(some - base for some, base in pairs), 1)

    return {
        **{f"{name}_us": round(statistics.median(each), 1) for name, each in found.items()},
        "overhead_at_cell_us": added("cell"),
        "overhead_at_cell_target_us": 60,
        "overhead_through_python_us": added("python"),
        "overhead_through_python_target_us": 120,
        "overhead_in_series_us": added("series"),
    }


def throughput(count: int) -> dict[str, object]:
    """Runs a second with two cells, beside two bare loops on the same two cores.

    One by one, in series as the judge has them, and judged: with the check of each output.
    """
    command = square_command()
    cores = sorted(os.sched_getaffinity(0))[:2]
    share = count // 10
    tests = [{"input": f"{n}\n", "expected": f"{n * n}\n"} for n in range(share * 2)]
    rates: dict[str, list[float]] = {"bare": [], "one_by_one": [], "series": [], "judged": []}
    with CellPool(size=2) as pool:
        verifier = ExecutionVerifier(
            flags=("-O2", "-static"), pool=pool, binary_cache_dir="cache", test_cases=tests
        )

        def one_by_one(_: int) -> None:
            with stay_on_cell_cores():
                for _ in range(share):
                    pool.run(command)

        def in_series(_: int) -> None:
            left = [command] * share
            with stay_on_cell_cores():
                while left:
                    left = left[len(pool.run_series(left[:16])) :]

        ways: dict[str, Callable[[], object]] = {
            "bare": lambda: in_parallel(2, lambda i: bare("./square", share, cores[i])),
            "one_by_one": lambda: in_parallel(2, one_by_one),
            "series": lambda: in_parallel(2, in_series),
            "judged": lambda: verifier.verify(SQUARE),
        }
        assert verifier.verify(SQUARE).success
        for _ in range(9):
            for name, way in ways.items():
                rates[name].append(2 * share / timed(way) * 1e3)
    shares = {
        f"{name}_share_of_bare": round(
            statistics.median(a / b for a, b in zip(found, rates["bare"], strict=True)), 3
        )
        for name, found in rates.items()
        if name != "bare"
    }
    medians = {f"{name}_per_s": round(statistics.median(found)) for name, found in rates.items()}
    return {**medians, **shares, "target_share_of_bare": 0.88}


def in_parallel(count: int, work: Callable[[int], object]) -> None:
    """Has this many threads do their work."""
    threads = [threading.Thread(target=work, args=(i,)) for i in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def compile_times(count: int) -> dict[str, object]:
    toolchain = find_toolchain("cpp", compiler="g++")
    cache = CompileCache(Path("cache"))
    plain, cold, cached = [], [], []
    with CellPool(size=1) as pool:
        toolchain.compile(salted(-1), pool, cache=cache)  # makes the precompiled header
        for turn in range(count):
            text = salted(turn)
            Path("typical.cpp").write_bytes(text)
            compile_it = partial(toolchain.compile, text, pool, cache=cache)
            plain.append(timed(partial(subprocess.run, PLAIN_COMPILE.split(), check=True)))
            cold.append(timed(compile_it))
            cached.append(timed(compile_it))
    return {
        "plain_gcc_ms": round(statistics.median(plain), 1),
        "cold_ms": round(statistics.median(cold), 1),
        "cold_ratio": round(statistics.median(cold) / statistics.median(plain), 3),
        "cold_target_ratio": 0.6,
        "cached_ms": round(statistics.median(cached), 2),
        "cached_target_ms": 10,
    }


def salted(number: int) -> bytes:
    return TYPICAL.replace("SALT", str(number)).encode()


def timed(work: Callable[[], object]) -> float:
    begun = time.perf_counter()
    work()
    return (time.perf_counter() - begun) * 1e3


def memory_error(count: int) -> dict[str, object]:
    """What is reported beyond what one process touched, over all sizes and repetitions."""
    image = Blob.from_file(Path("touch"))
    offsets: dict[int, list[float]] = {}
    with CellPool(size=1) as pool:
        for mib in (8, 16, 32, 64, 128, 256):
            command = Command(argv=("touch", str(mib)), executable=image, view=View())
            offsets[mib] = [pool.run(command).memory_mib - mib for _ in range(count)]
    everything = [value for values in offsets.values() for value in values]
    return {
        "offset_mib_by_size": {k: round(statistics.median(v), 3) for k, v in offsets.items()},
        "spread_mib": round(max(everything) - min(everything), 3),
        "spread_target_mib": 0.5,
    }


def wall_kill(count: int) -> dict[str, object]:
    limits = Limits(cpu_ms=100, wall_ms=100)
    delays, seen = [], []
    with CellPool(size=1) as pool:
        command = Command(argv=("/bin/sleep", "10"), limits=limits)
        pool.run(command)
        for _ in range(count):
            begun = time.perf_counter()
            delays.append(pool.run(command).wall_ms - 100)
            seen.append((time.perf_counter() - begun) * 1e3 - 100)
    return {
        "delay_ms": round(statistics.median(delays), 3),
        "delay_max_ms": round(max(delays), 3),
        "delay_through_python_ms": round(statistics.median(seen), 3),
        "delay_target_ms": 2,
    }


def import_time(count: int) -> dict[str, object]:
    def cost(code: str) -> float:
        return statistics.median(
            timed(lambda: subprocess.run([sys.executable, "-c", code], check=True))
            for _ in range(count)
        )

    start = cost("pass")
    return {
        "import_steelyard_ms": round(cost("import steelyard") - start, 1),
        "import_target_ms": 150,
        "import_verifier_ms": round(cost("from steelyard import ExecutionVerifier") - start, 1),
    }


def peers(count: int) -> dict[str, object]:
    """Milliseconds of one run, output captured, as each peer is called from Python."""
    found: dict[str, object] = {}
    command = square_command()
    with CellPool(size=1) as pool:
        calls: dict[str, Callable[[], object]] = {
            "steelyard": lambda: pool.run(command),
            "subprocess (no isolation)": lambda: captured("./square"),
            "subprocess with rlimits (no isolation)": lambda: captured(
                "./square", preexec_fn=bounds
            ),
        }
        if shutil.which("bwrap"):
            jail = ("bwrap", "--unshare-all", "--ro-bind", "/", "/", "--die-with-parent")
            calls["bubblewrap (no limits, no figures)"] = lambda: captured(*jail, "./square")
        else:
            found["bubblewrap"] = "not installed"
        times: dict[str, list[float]] = {name: [] for name in calls}
        for _ in range(count):
            for name, call in calls.items():
                times[name].append(timed(call))
    for name, values in times.items():
        found[name] = round(statistics.median(values), 3)
    found["dmoj"] = dmoj(count)
    return found


def captured(*argv: str, preexec_fn: Callable[[], None] | None = None) -> bytes:
    return subprocess.run(
        argv,
        input=b"12\n",
        capture_output=True,
        check=True,
        preexec_fn=preexec_fn,
    ).stdout


def bounds() -> None:
    import resource

    resource.setrlimit(resource.RLIMIT_CPU, (5, 5))
    resource.setrlimit(resource.RLIMIT_AS, (1 << 29, 1 << 29))


def dmoj(count: int) -> object:
    """DMOJ's ptrace sandbox, where the package `dmoj` is installed."""
    try:
        from dmoj.cptbox import IsolateTracer, TracedPopen  # type: ignore[import-not-found]
    except ImportError:
        return "not installed"
    import contextlib

    def run() -> None:
        process = TracedPopen(
            [str(Path("square").resolve()).encode()],
            security=IsolateTracer([], []),
            time=5,
            memory=1 << 19,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        with contextlib.suppress(BrokenPipeError):
            process.communicate(b"12\n")

    return round(statistics.median(timed(run) for _ in range(max(10, count // 5))), 3)


if __name__ == "__main__":
    main()
