"""Compute what a task's text form leaves out: small inputs, and outputs that solutions agree on."""

import hashlib
import json
from collections.abc import Sequence
from typing import Any

from core_form import Sheet

from steelyard.families import args_of
from steelyard.inputs import inputs_of
from steelyard.profiling import GeneratorSource, Point
from steelyard.sandbox import CellPool
from steelyard.schemas import Limits, SizedTest, StopReason, Task, TaskSolution
from steelyard.toolchains import find_toolchain

PATIENT = Limits(cpu_ms=20_000, wall_ms=60_000, memory_mib=2_048)
LONGEST_WRITTEN = 1_200
"""Characters of an input above which it is not written out."""
_CALLED = """
import json as _json, sys as _sys
print(_json.dumps(Solution().solve(*_json.loads(_sys.stdin.read()))))
"""


class BuildError(Exception):
    """The task is at fault; one line says how."""


def build(sheet: Sheet, pool: CellPool) -> Task:
    """Return the whole task.

    Raises:
        BuildError: if right programs fail or disagree.
    """
    task = sheet.task()
    called = task.entry != "stdio"
    source = GeneratorSource(sheet.generator.encode(), pool, name=task.id)
    written = list(dict.fromkeys(sheet.inputs))
    written += [generated(source, n, seed) for n, seed in sheet.head.get("small", [])]
    if "params" in sheet.head:
        made = inputs_of(sheet.specification()).small(sheet.head.get("derived", 30)).cases
        written += [json.dumps(list(args_of(case.input))) for case in made]
    if called:
        written = [json.dumps(json.loads(each)) for each in written]
    else:
        written = [each.strip("\n") + "\n" for each in written]
    written = [each for each in dict.fromkeys(written) if len(each) <= LONGEST_WRITTEN]
    sizes = [(n, seed) for n, seed in sheet.head["large"]]
    large = [generated(source, n, seed) for n, seed in sizes]
    outputs = agreed_outputs(task, [*written, *large], pool)
    visible = sheet.head.get("visible", 2)
    tests: list[dict[str, Any]] = []
    for number, text in enumerate(written):
        given = {"args": json.loads(text)} if called else {"input": text}
        category = "visible" if number < visible else "hidden"
        expected = outputs[number]
        tests.append(
            {
                "name": f"{category} {number + 1}",
                **given,
                "expected": expected,
                "category": category,
            }
        )
    sized = [
        SizedTest(
            name=f"large {number}",
            n=n,
            seed=seed,
            expected=expected,
            digest=hashlib.sha256(text.encode()).hexdigest(),
        )
        for number, ((n, seed), text, expected) in enumerate(
            zip(sizes, large, outputs[len(written) :], strict=True), 1
        )
    ]
    return sheet.task(tests=tests, sized_tests=sized)


def generated(source: GeneratorSource, n: int, seed: int) -> str:
    """Return the generator's input of this size and seed."""
    return source.get(Point(n), seed).content.read().decode()


def agreed_outputs(task: Task, inputs: Sequence[str], pool: CellPool) -> list[Any]:
    """Return the outputs on which all right programs agree.

    Raises:
        BuildError: if there are fewer than two, or they fail or disagree.
    """
    right = [each for each in task.solutions if each.label == "right"]
    if len(right) < 2:
        raise BuildError(f"{task.id}: {len(right)} right program; write two")
    found = [run(task, each, inputs, pool, PATIENT) for each in right]
    for number, answers in enumerate(zip(*found, strict=True)):
        if len({json.dumps(_compared(each)) for each in answers}) > 1:
            shown = " and ".join(str(each)[:60] for each in answers)
            raise BuildError(
                f"{task.id}: input {inputs[number][:80]!r}: right programs say {shown}"
            )
    return found[0]


def _compared(answer: Any) -> Any:
    return answer.split() if isinstance(answer, str) else answer


def run(
    task: Task, program: TaskSolution, inputs: Sequence[str], pool: CellPool, limits: Limits
) -> list[Any]:
    """Return the output of a program for each input.

    Raises:
        BuildError: if it does not compile, or fails.
    """
    called = task.entry != "stdio"
    text = program.source + (_CALLED if called else "")
    toolchain = find_toolchain(program.language)
    compilation = toolchain.compile(text.encode(), pool)
    if compilation.artifact is None:
        raise BuildError(f"{task.id}: {program.note}: does not compile: {compilation}")
    given = toolchain.run_limits(limits)
    found: list[Any] = []
    for each in inputs:
        execution = pool.run(compilation.artifact.command(stdin=each.encode(), limits=given))
        output = execution.stdout.decode()
        if execution.stop is not StopReason.EXITED or execution.exit_code:
            raise BuildError(
                f"{task.id}: {program.label} {program.note}: input {each[:80]!r}: "
                f"{execution.stop} {execution.stderr[-300:].decode()}"
            )
        found.append(json.loads(output) if called else output)
    return found
