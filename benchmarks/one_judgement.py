"""Agreement: every path, and the sources' own evaluators, on the same programs.

    python benchmarks/one_judgement.py ROWS... [--rows 500] [--seconds 600] [--official FOLDER]
        [--paths]

ROWS are files of data sets. Each task gets right, wrong and odd programs: its own solution, and a
program that knows the answers by heart, printed or returned in several ways (blanks, other case, a
tuple, a list of one item). Programs that use more than half of a limit are left out. With `--paths`
every path judges the others, and disagreements are listed. With `--official`, a folder with bare
copies of the repositories of `_OFFICIAL`, their evaluators judge the same programs, in a cell, and
each disagreement is shown. It prints one JSON object a file.
"""

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from math import inf
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from urllib.error import HTTPError

sys.path.insert(0, str(Path(__file__).parent.parent))

from service_peers import served

from steelyard.datasets import read_tasks
from steelyard.errors import LanguageError, TestsError
from steelyard.judging import RunningOptions, code_of_reply, judge, judge_of, program_of
from steelyard.sandbox import CellPool, Command
from steelyard.schemas import CaseResult, Limits, RowFault, Task, Verdict
from steelyard.toolchains import Artifact, find_toolchain
from tests.one_judgement import (
    PATHS,
    Found,
    Judged,
    Material,
    by_service,
    completions_of,
    disagreements,
    verdict_of,
)

Known = Mapping[str, Mapping[str, Judged]]
"""By task and program."""
_BATCH = 10
_MOST_BYTES = 100_000
_OFFICIAL = {
    "livecodebench": ("LiveCodeBench+LiveCodeBench", "lcb_runner/evaluation/testing_util.py"),
    "prime": ("volcengine+verl", "verl/utils/reward_score/prime_code/testing_util.py"),
    "apps": ("hendrycks+apps", "eval/testing_util.py"),
    "evalplus": (
        "evalplus+evalplus",
        "evalplus/config.py",
        "evalplus/data/mbpp.py",
        "evalplus/eval/utils.py",
        "evalplus/eval/_special_oracle.py",
        "evalplus/eval/__init__.py",
        "evalplus/gen/util/__init__.py",
    ),
}
"""By name: a repository, and files that are read as one."""
_OWN_IMPORTS = re.compile(
    r"^(from evalplus\S* import (\([^)]*\)|.*)|import (wget|psutil))$", re.MULTILINE
)
_WHOLE, _EACH = "x.lstrip('-').isdigit()", "for x in answer.split()"
_PYEXT = """\
import sys, types
class RuntimeModule:
    @staticmethod
    def from_string(name, doc, text):
        module = types.ModuleType(name, doc)
        exec(compile(text, name, "exec"), module.__dict__)
        return module
sys.modules["pyext"] = types.SimpleNamespace(RuntimeModule=RuntimeModule)
"""
_EVALPLUS = """
from types import SimpleNamespace
os.environ["EVALPLUS_MAX_MEMORY_BYTES"] = "-1"  # the cell limits memory
psutil = SimpleNamespace(virtual_memory=lambda: SimpleNamespace(total=1 << 40))
def run_test(row, test):
    name, found = row["entry_point"], []
    for inputs in row["base_input"], row["plus_input"]:
        if row["task_id"].startswith("Mbpp"):
            inputs = mbpp_deserialize_inputs(row["task_id"], inputs)
        expected, times = trusted_exec(
            row["prompt"] + row["canonical_solution"], inputs, name, record_time=True,
            output_not_none=name in MBPP_OUTPUT_NOT_NONE_TASKS)
        data = row["task_id"].partition("/")[0].lower()
        status, _ = untrusted_check(
            data, test, inputs, name, expected, row["atol"], times, fast_check=True)
        found.append(status == PASS)
    return found
"""
_DRIVER = {
    "livecodebench": "run_test({'input_output': given['tests']}, test=given['code'])[0]",
    "prime": "run_test(json.loads(given['tests']), test=given['code'], timeout=5)[0]",
    "apps": "run_test({'input_output': json.loads(given['tests'])}, test=given['code'])",
    "evalplus": "run_test(json.loads(given['tests']), test=given['code'])",
}
_MAIN = """
import builtins as _builtins, json as _json, os as _os, sys as _sys
# As in an imported module, its built-in names are a dictionary, which the evaluator changes.
names = {"__name__": "official", "__builtins__": dict(_builtins.__dict__)}
exec(compile(TEXT, "official.py", "exec"), names)
json, run_test = _json, names["run_test"]
given = _json.loads(_sys.stdin.read())
_out, _end = _os.dup(1), _os._exit
_write, _dumps = _os.write, _json.dumps
try:
    found = {driver}
    text = _dumps([bool(each is True or each == True) for each in found])
except BaseException as error:
    text = _dumps(["failed: " + repr(error)[:200]])
_write(_out, ("\\n=====" + text).encode())
_end(0)
"""


@dataclass(frozen=True)
class Program:
    """One program of a task."""

    task: Task
    kind: str
    text: str


def programs_of(task: Task) -> Iterator[Program]:
    """Yield the programs of a task."""
    for number, text in enumerate(completions_of(task)):
        yield Program(task, f"completion {number}", text)
    kind, _, name = task.entry.partition(":")
    if task.language not in (None, "python"):
        return
    if kind == "stdio":
        known = {case["input"]: case["expected"] for case in task.tests}
        head = f"import sys\nKNOWN = {known!r}\nanswer = KNOWN[sys.stdin.read()]\n"
        for how, code in (
            ("as it is", "sys.stdout.write(answer)"),
            ("blanks at line ends", "print('\\n'.join(x + '  ' for x in answer.split('\\n')))"),
            ("blank lines at the end", "print(answer.rstrip() + '\\n\\n\\n')"),
            ("upper case", "print(answer.upper())"),
            ("a line for each token", "print('\\n'.join(answer.split()))"),
            ("all on one line", "print(' '.join(answer.split()))"),
            ("numbers as floats", f"print(' '.join(x + '.0' if {_WHOLE} else x {_EACH}))"),
            ("the last token is missing", "print(' '.join(answer.split()[:-1]))"),
            ("tokens in reverse", "print(' '.join(answer.split()[::-1]))"),
            ("off by one", f"print(' '.join(str(int(x) + 1) if {_WHOLE} else 'x' {_EACH}))"),
        ):
            yield Program(task, how, f"{head}{code}\n")
    elif kind in ("function", "class"):
        known = {json.dumps(case.get("args")): case.get("expected") for case in task.tests}
        short = name.rpartition(".")[2]
        head = f"import json\nKNOWN = {known!r}\ndef look(*args):\n"
        head += "    return KNOWN[json.dumps(list(args))]\n"
        for how, value in (
            ("as it is", "found"),
            ("a tuple", "tuple(found) if isinstance(found, list) else found"),
            ("a list of one", "[found]"),
            ("text", "str(found)"),
            ("a float", "float(found) if type(found) is int else found"),
            ("reversed", "found[::-1] if isinstance(found, (list, str)) else -1"),
            ("nothing", "None"),
        ):
            body = f"found = look(*args)\n{{0}}    return {value}\n"
            function = f"def {short}(*args):\n    {body.format('')}"
            yield Program(task, f"{how}, function", head + function)
            method = (
                f"class Solution:\n    def {short}(self, *args):\n        {body.format('    ')}"
            )
            yield Program(task, f"{how}, method", head + method)


def tasks_in(file: Path, most: int) -> tuple[list[Task], int]:
    """Return the first tasks of a file with small tests, and the number of rows left out."""
    faults: list[RowFault] = []
    found = [
        task
        for task in read_tasks(file, on_fault=faults.append)
        if task.checker is None and 0 < len(task.model_dump_json(include={"tests"})) < _MOST_BYTES
    ]
    unique = {task.id: task for task in found}
    return list(unique.values())[:most], len(faults)


def programs_far_from_limits(task: Task, pool: CellPool) -> dict[str, Judged]:
    """Return what the library finds of each program; nothing if the task's tests are wrong."""
    known: dict[str, Judged] = {}
    try:
        judge = judge_of(task, RunningOptions(pool=pool))
        for program in programs_of(task):
            text = program_of(task, program.text)
            result = judge.judge(text.encode("utf-8", "surrogateescape"))
            if not any(_is_near(case, judge.limits) for case in result.cases):
                known[program.text] = verdict_of(result)
    except (TestsError, LanguageError):
        return {}
    return known


def _is_near(case: CaseResult, limits: Limits) -> bool:
    return (
        case.verdict in (Verdict.TLE, Verdict.MLE)
        or 2 * case.cpu_ms > limits.cpu_ms
        or 2 * case.memory_mib > limits.memory_mib
    )


def agreement(known: Known, tasks: list[Task], pool: CellPool, url: str) -> list[str]:
    """Return what the paths disagree on."""
    first: Found = {
        (task, number): judged
        for task, each in known.items()
        for number, judged in enumerate(each.values())
    }
    texts = {task: list(each) for task, each in known.items()}
    with tempfile.TemporaryDirectory() as folder:
        material = Material(tasks, texts, Path(folder))
        others: dict[str, Found] = {name: path(material, pool) for name, path in PATHS.items()}
        others["service"] = by_service(partial(_post, url), material)
    return [line for name, each in others.items() for line in disagreements(first, each, name)]


def _post(url: str, path: str, body: object) -> SimpleNamespace:
    """Return the status, the text and the JSON of an answer."""
    request = urllib.request.Request(
        url + path, json.dumps(body).encode(), {"Content-Type": "application/json"}
    )
    try:
        with urllib.request.urlopen(request) as answer:
            text = answer.read()
            return SimpleNamespace(status=answer.status, body=text, json=json.loads(text))
    except HTTPError as error:
        return SimpleNamespace(status=error.code, body=error.read())


def official(
    file: Path, tasks: list[Task], known: Known, mirrors: Path, pool: CellPool
) -> dict[str, Any]:
    """Return how often an evaluator of a source and ours agree, and each disagreement."""
    report: dict[str, Any] = {}
    rows = [json.loads(line) for line in file.open()] if tasks[0].form == "evalplus" else []
    of_row = {row["task_id"]: row for row in rows}
    for name in _OFFICIAL:
        compiled = evaluator(name, mirrors, pool)
        agree, lines = 0, Counter[str]()
        for task in tasks:
            tests = of_row.get(task.id) if name == "evalplus" else tests_of(task, name != "apps")
            for program in programs_of(task) if tests else ():
                if program.text not in known.get(task.id, ()):
                    continue
                text = program_of(task, program.text)
                code = code_of_reply(text, "python", task.entry)  # theirs take blocks elsewhere
                given = json.dumps({"tests": json.dumps(tests), "code": code})
                theirs = _verdict(pool.run(compiled(given.encode())).stdout)
                if name == "evalplus":
                    ours = known[task.id][program.text][0] == "AC"
                else:
                    form = "livecodebench" if name == "livecodebench" else "apps"
                    truth = {"tests": tests, "form": form}
                    ours = judge(code, truth, language="python", pool=pool).success
                if theirs == ours:
                    agree += 1
                else:
                    kind = task.id if of_row else task.entry.partition(":")[0]
                    lines[f"{kind}, {program.kind}: theirs {theirs}, ours {ours}"] += 1
        report[name] = {"agree": agree, "disagree": lines.most_common()}
    return report


def evaluator(name: str, mirrors: Path, pool: CellPool) -> Callable[[bytes], Command]:
    """Return what runs an evaluator of a source on a program with tests."""
    repository, *paths = _OFFICIAL[name]
    command = ["git", "-C", str(mirrors / repository), "show", *(f"HEAD:{path}" for path in paths)]
    text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    text = text.partition('\nif __name__ == "__main__"')[0]
    if name == "evalplus":
        text = _OWN_IMPORTS.sub("", text) + _EVALPLUS
    source = _PYEXT + f"TEXT = {text!r}\n" + _MAIN.replace("{driver}", _DRIVER[name])
    toolchain = find_toolchain("python", preload=("numpy",))
    compiled = toolchain.compile(source.encode(), pool)
    assert compiled.artifact, compiled.result.errors
    limits = toolchain.run_limits(Limits(cpu_ms=20_000, memory_mib=4_096))
    return partial(_command, compiled.artifact, limits)


def _command(artifact: Artifact, limits: Limits, given: bytes) -> Command:
    return artifact.command(stdin=given, limits=limits)


def tests_of(task: Task, as_text: bool) -> dict[str, Any] | None:
    """Return the tests of a task as parallel lists; None if they are assertions."""
    kind, _, name = task.entry.partition(":")
    if kind == "stdio":
        return {
            "inputs": [case["input"] for case in task.tests],
            "outputs": [case["expected"] for case in task.tests],
        }
    if kind not in ("function", "class"):
        return None
    inputs: list[Any] = [case["args"] for case in task.tests]
    outputs: list[Any] = [case.get("expected") for case in task.tests]
    if as_text:
        inputs = ["\n".join(map(json.dumps, args)) for args in inputs]
        outputs = [json.dumps(each) for each in outputs]
    return {"inputs": inputs, "outputs": outputs, "fn_name": name.rpartition(".")[2]}


def _verdict(output: bytes) -> bool | str:
    _, found, text = output.rpartition(b"\n=====")
    try:
        each = json.loads(text) if found else ["no answer"]
    except ValueError:
        return "unreadable"
    return str(each[0]) if each and isinstance(each[0], str) else bool(each) and all(each)


def main() -> None:
    """Compare on each file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", type=Path, nargs="+")
    parser.add_argument("--rows", type=int, default=500, help="most rows of a file")
    parser.add_argument("--seconds", type=float, default=inf, help="most time for a file's paths")
    parser.add_argument("--official", type=Path)
    parser.add_argument("--paths", action="store_true")
    options = parser.parse_args()
    os.environ["STEELYARD_SERVICE__MAX_TIME_S"] = "300"  # BigCodeBench gives 240 s
    with tempfile.TemporaryDirectory() as folder, CellPool() as pool, served(Path(folder)) as url:
        for file in options.files:
            begun, lines = time.monotonic(), []
            tasks, left_out = tasks_in(file, options.rows)
            known: dict[str, dict[str, Judged]] = {}
            for start in range(0, len(tasks), _BATCH):
                batch = tasks[start : start + _BATCH]
                new = {task.id: programs_far_from_limits(task, pool) for task in batch}
                some = [task for task in batch if new[task.id]]
                if options.paths and some:
                    lines += agreement({task.id: new[task.id] for task in some}, some, pool, url)
                known |= new
                if time.monotonic() - begun > options.seconds:
                    break
            report: dict[str, Any] = {
                "file": file.name,
                "rows": len(tasks),
                "faults": left_out,
                "tasks": sum(map(bool, known.values())),
                "judged": len(known),
                "programs": sum(map(len, known.values())),
                "verdicts": Counter(found for each in known.values() for found, _ in each.values()),
                "disagreements": lines,
            }
            if options.official:
                report["official"] = official(file, tasks, known, options.official, pool)
            print(json.dumps(report), flush=True)


if __name__ == "__main__":
    main()
