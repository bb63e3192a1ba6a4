"""Agreement: every path, and the sources' own evaluators, on the same programs.

    python benchmarks/one_judgement.py ROWS... [--rows 500] [--official FOLDER] [--paths]

ROWS are files of data sets. Each task gets right, wrong and odd programs: its own solution, and a
program that knows the answers by heart, printed or returned in several ways (blanks, other case, a
tuple, a list of one item). With `--paths` every path judges them, and disagreements are listed;
programs near a limit are left out. With `--official`, a folder with bare copies of the repositories
of `_OFFICIAL`, their evaluators judge the same programs, in a cell, and each disagreement is shown.
It prints one JSON object a file.
"""

import argparse
import json
import subprocess
import sys
import tempfile
import urllib.request
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent))

from service_peers import served

from steelyard.datasets import read_tasks
from steelyard.errors import TestsError
from steelyard.judging import RunningOptions, code_of_reply, judge, judge_of, program_of
from steelyard.sandbox import CellPool
from steelyard.schemas import Limits, RowFault, Task
from steelyard.toolchains import find_toolchain
from tests.one_judgement import (
    PATHS,
    Found,
    Material,
    by_library,
    by_service,
    completions_of,
    disagreements,
)

_MOST_BYTES = 100_000
_OFFICIAL = {
    "livecodebench": ("LiveCodeBench+LiveCodeBench", "lcb_runner/evaluation/testing_util.py"),
    "prime": ("volcengine+verl", "verl/utils/reward_score/prime_code/testing_util.py"),
    "apps": ("hendrycks+apps", "eval/testing_util.py"),
}
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
_DRIVER = {
    "livecodebench": "run_test({'input_output': given['tests']}, test=given['code'])[0]",
    "prime": "run_test(json.loads(given['tests']), test=given['code'], timeout=5)[0]",
    "apps": "run_test({'input_output': json.loads(given['tests'])}, test=given['code'])",
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
        ):  # fmt: skip
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
        if task.checker is None
        and task.language in (None, "python")
        and 0 < len(task.model_dump_json(include={"tests"})) < _MOST_BYTES
    ]
    unique = {task.id: task for task in found}
    return list(unique.values())[:most], len(faults)


def can_be_judged(task: Task, pool: CellPool) -> bool:
    """Return False for a task whose tests are wrong: no path gives a verdict then."""
    source = next((each.source for each in task.solutions if each.language == "python"), "pass")
    try:
        judge_of(task, RunningOptions(pool=pool)).judge(source.encode("utf-8", "surrogateescape"))
    except TestsError:
        return False
    return True


def agreement(tasks: list[Task], pool: CellPool) -> dict[str, Any]:
    """Return what the paths disagree on."""
    completions: dict[str, list[str]] = {task.id: [] for task in tasks}
    for task in tasks:
        completions[task.id] = [each.text for each in programs_of(task)]
    with tempfile.TemporaryDirectory() as folder:
        material = Material(tasks, completions, Path(folder))
        known = by_library(material, pool)
        others: dict[str, Found] = {name: path(material, pool) for name, path in PATHS.items()}
        with served(Path(folder)) as url:
            others["service"] = by_service(partial(_post, url), material)
        lines = {name: disagreements(known, found, name) for name, found in others.items()}
    verdicts = Counter(verdict for verdict, _ in known.values())
    return {
        "programs": len(known), "verdicts": verdicts,
        "disagreements": {name: len(each) for name, each in lines.items()},
        "first": [each[0] for each in lines.values() if each],
    }  # fmt: skip


def _post(url: str, path: str, body: object) -> SimpleNamespace:
    """Return the status, the text and the JSON of an answer."""
    request = urllib.request.Request(
        url + path, json.dumps(body).encode(), {"Content-Type": "application/json"}
    )
    with urllib.request.urlopen(request) as answer:
        text = answer.read()
        return SimpleNamespace(status=answer.status, body=text, json=json.loads(text))


def official(tasks: list[Task], mirrors: Path, pool: CellPool) -> dict[str, Any]:
    """Return how often an evaluator of a source and ours agree, and each disagreement."""
    report: dict[str, Any] = {}
    for name, (repository, path) in _OFFICIAL.items():
        command = ["git", "-C", str(mirrors / repository), "show", f"HEAD:{path}"]
        text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        text = text.partition('\nif __name__ == "__main__"')[0]
        source = _PYEXT + f"TEXT = {text!r}\n" + _MAIN.replace("{driver}", _DRIVER[name])
        toolchain = find_toolchain("python", preload=("numpy",))
        compiled = toolchain.compile(source.encode(), pool)
        assert compiled.artifact, compiled.result.errors
        agree, lines = 0, Counter[str]()
        for task in tasks:
            for program in programs_of(task):
                tests = tests_of(task, as_text=name != "apps")
                if tests is None:
                    continue
                text = program_of(task, program.text)
                code = code_of_reply(text, "python", task.entry)  # theirs take blocks elsewhere
                given = json.dumps({"tests": json.dumps(tests), "code": code})
                command_of = compiled.artifact.command(
                    stdin=given.encode(),
                    limits=toolchain.run_limits(Limits(cpu_ms=20_000, memory_mib=4_096)),
                )
                theirs = _verdict(pool.run(command_of).stdout)
                form = "livecodebench" if name == "livecodebench" else "apps"
                result = judge(code, {"tests": tests, "form": form}, language="python", pool=pool)
                if theirs == result.success:
                    agree += 1
                else:
                    kind = task.entry.partition(":")[0]
                    lines[f"{kind}, {program.kind}: theirs {theirs}, ours {result.success}"] += 1
        report[name] = {"agree": agree, "disagree": lines.most_common()}
    return report


def tests_of(task: Task, *, as_text: bool) -> dict[str, Any] | None:
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
    parser.add_argument("--rows", type=int, default=500)
    parser.add_argument("--official", type=Path)
    parser.add_argument("--paths", action="store_true")
    options = parser.parse_args()
    with CellPool() as pool:
        for file in options.files:
            tasks, left_out = tasks_in(file, options.rows)
            tasks = [task for task in tasks if can_be_judged(task, pool)]
            report: dict[str, Any] = {"file": file.name, "tasks": len(tasks), "faults": left_out}
            if options.paths and tasks:
                report["paths"] = agreement(tasks, pool)
            if options.official and tasks:
                report["official"] = official(tasks, options.official, pool)
            print(json.dumps(report), flush=True)


if __name__ == "__main__":
    main()
