"""Edit, build and check the tasks of the benchmark `core`.

    python benchmarks/core_tasks.py unpack FOLDER [ID...]     the tasks as text files, to edit
    python benchmarks/core_tasks.py pack FILE...              text files to tasks, with outputs
    python benchmarks/core_tasks.py check [ID...]             each program against its label
    python benchmarks/core_tasks.py strength [ID...]          measure the tests and record it
    python benchmarks/core_tasks.py classes [ID...] [--budget 4]   each reference's growth
    python benchmarks/core_tasks.py page                      the page docs/reference/core.md

The tasks are `src/steelyard/datasets/core/task_ID.json`; the text files are not kept.
"""

import argparse
import json
import sys
from pathlib import Path

from core_build import BuildError, build
from core_check import agrees, check, classes_of
from core_form import Sheet, text_of
from core_page import page_of
from core_strength import strength_record

from steelyard.sandbox import CellPool
from steelyard.schemas import Task

CORE = Path(__file__).parents[1] / "src" / "steelyard" / "datasets" / "core"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument(
        "action", choices=["unpack", "pack", "check", "strength", "classes", "page"]
    )
    parser.add_argument("names", nargs="*")
    parser.add_argument("--budget", type=float, default=4.0, help="seconds for each profile")
    given = parser.parse_args()
    if given.action == "page":
        print(page_of(_tasks([])))
        return 0
    with CellPool(2) as pool:
        match given.action:
            case "unpack":
                folder = Path(given.names[0])
                for task in _tasks(given.names[1:]):
                    (folder / f"{task.id}.txt").write_text(text_of(task))
                return 0
            case "pack":
                return sum([_pack(Path(name), pool) for name in given.names])
            case "check":
                return sum([_check(task, pool) for task in _tasks(given.names)])
            case "strength":
                return sum([_strength(task, pool) for task in _tasks(given.names)])
    return sum([_classes(task, given.budget) for task in _tasks(given.names)])


def _tasks(ids: list[str]) -> list[Task]:
    paths = [CORE / f"task_{each}.json" for each in ids] or sorted(CORE.glob("task_*.json"))
    return [Task.model_validate_json(path.read_bytes()) for path in paths]


def _write(task: Task) -> None:
    fields = task.model_dump(mode="json", exclude_defaults=True)
    fields["schema_version"] = task.schema_version
    text = json.dumps(fields, indent=1, ensure_ascii=False)
    (CORE / f"task_{task.id}.json").write_text(text + "\n")


def _pack(path: Path, pool: CellPool) -> int:
    try:
        task = build(Sheet(path.read_text()), pool)
    except BuildError as error:
        print(error, flush=True)
        return 1
    _write(task)
    print(f"{task.id}: {len(task.tests)} + {len(task.sized_tests)} tests", flush=True)
    return 0


def _check(task: Task, pool: CellPool) -> int:
    findings = list(check(task, pool))
    for each in findings:
        print(each, flush=True)
    return sum(bool(each.fault) for each in findings)


def _strength(task: Task, pool: CellPool) -> int:
    record, survivors = strength_record(task, pool)
    _write(task.model_copy(update={"extra": {**task.extra, "strength": record}}))
    print(task.id, record, *survivors, sep="\n", flush=True)
    return 0


def _classes(task: Task, budget_s: float) -> int:
    missed = 0
    with CellPool(1) as pool:
        for note, claimed, measured in classes_of(task, pool, budget_s):
            agree = agrees(claimed, measured)
            missed += not agree
            word = "agrees" if agree else "DIFFERS"
            print(f"{task.id}: {note}: {claimed} measured {measured}: {word}", flush=True)
    return missed


if __name__ == "__main__":
    sys.exit(main())
