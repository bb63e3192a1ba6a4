"""Make the large inputs that a task describes by size and seed."""

import hashlib
import json

from pydantic import JsonValue

from steelyard.errors import GeneratorError
from steelyard.profiling import GeneratorSource, Point
from steelyard.sandbox import CellPool, shared_pool
from steelyard.schemas import Entry, SizedTest, Task


def with_sized_tests(task: Task, *, pool: CellPool | None = None) -> Task:
    """Return a task whose `tests` hold its sized tests too, and whose `sized_tests` are empty.

    The generator runs in a cell, and its inputs are kept in the cache on disk.

    Args:
        task: The task.
        pool: Where the generator runs; None is the pool that the process shares.

    Raises:
        GeneratorError: if there is no generator, it fails, or it gives another input than the one
            that the expected output belongs to.
        InfrastructureError: if the machine failed.
    """
    if not task.sized_tests:
        return task
    if task.input_generator is None:
        raise GeneratorError(
            f"{task.id}: sized_tests need an input_generator; add one, or write the tests out"
        )
    source = GeneratorSource(
        task.input_generator.encode(), pool or shared_pool(), name=f"generator of {task.id}"
    )
    rows = tuple(_row(task, test, source) for test in task.sized_tests)
    return task.model_copy(update={"tests": (*task.tests, *rows), "sized_tests": ()})


def _row(task: Task, test: SizedTest, source: GeneratorSource) -> dict[str, JsonValue]:
    text = source.get(Point(test.n), test.seed).content.read()
    if hashlib.sha256(text).hexdigest() != test.digest:
        raise GeneratorError(
            f"{task.id}: the generator gives another input for test {test.name!r} than the one "
            "that its expected output was computed for; compute it again"
        )
    is_text = Entry.parse(task.entry).kind == "stdio"
    given: dict[str, JsonValue] = (
        {"input": text.decode()} if is_text else {"args": json.loads(text)}
    )
    return {"name": test.name, **given, "expected": test.expected, "category": test.category}
