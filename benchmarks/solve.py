"""Where the solve loop's time goes, on the scripted problems. Prints JSON.

    python benchmarks/solve.py [--repeat N] [PROBLEM...] > solve.json

Each problem under examples/problems is solved from its script, with artefacts on disk as ever. The
time is split into models (nearly nothing here: a script answers), compiling and running (all that a
cell does: compilers, tests, generators, counted and timed runs), and everything else: rendering,
validating, pruning, fitting, writing artefacts. The target is that everything else stays under 5 %.
Beside real models, whose replies take seconds, the share is smaller: `with_models_of_5_s` is the
share if each reply took 5 s. Each program has a line of its own before it, so that it is compiled
as a new one is: headers are warm, the program is not. What a process imports at its first run (a
second or so) is not counted: one run goes before all.
"""

import argparse
import json
import statistics
import sys
import tempfile
import threading
import time
import uuid
from pathlib import Path
from typing import Any

from judge import machine

from steelyard.models import Model, Reply, Request, ScriptedModel
from steelyard.sandbox import CellPool, Command
from steelyard.schemas import Event, Execution
from steelyard.solving import SolveOptions, Solver, read_problem

EXAMPLES = Path(__file__).parent.parent / "examples" / "problems"
REPLY_S = 5.0


class TimedPool(CellPool):
    """Cells that say for how long any of them was busy."""

    def __init__(self) -> None:
        super().__init__(1)
        self.busy_s = 0.0
        self._since, self._running = 0.0, 0
        self._guard = threading.Lock()

    def run(self, command: Command) -> Execution:
        """As ever."""
        with self._guard:
            self._running += 1
            if self._running == 1:
                self._since = time.monotonic()
        try:
            return super().run(command)
        finally:
            with self._guard:
                self._running -= 1
                if not self._running:
                    self.busy_s += time.monotonic() - self._since


class TimedModel:
    """A model that says how long its replies took, and whose programs nobody has compiled yet."""

    def __init__(self, model: Model, comment: str) -> None:
        self._model, self._comment = model, comment
        self.seconds, self.replies = 0.0, 0

    @property
    def name(self) -> str:
        """As the model's."""
        return self._model.name

    async def complete(self, request: Request) -> Reply:
        """As the model does."""
        start = time.monotonic()
        try:
            reply = await self._model.complete(request)
        finally:
            self.seconds += time.monotonic() - start
            self.replies += 1
        try:
            said = json.loads(reply.text)
            said["code_cpp"] = f"{self._comment} {uuid.uuid4()}\n{said['code_cpp']}"
        except (ValueError, KeyError, TypeError):  # no program
            return reply
        return reply.model_copy(update={"text": json.dumps(said)})


def solve(folder: Path) -> dict[str, Any]:
    """One run, from its script."""
    script = f"scripted:{folder / 'replies.json'}"
    problem = read_problem(folder / "problem.json")
    generator = folder / "generate.py"
    if generator.exists() and problem.input_generator is None:
        problem = problem.model_copy(update={"input_generator": generator.read_text()})
    language = "python" if any(folder.glob("programs/*.py")) else "cpp"
    options = SolveOptions.of(planner=script, coder=script, analyst=script, language=language)
    comment = "#" if language == "python" else "//"
    model = TimedModel(ScriptedModel(folder / "replies.json"), comment)
    stages: dict[str, float] = {}
    last, since = "start", time.monotonic()

    def on_event(event: Event) -> None:
        nonlocal last, since
        now = time.monotonic()
        stages[last] = stages.get(last, 0.0) + now - since
        last, since = event.stage, now

    with tempfile.TemporaryDirectory(prefix="steelyard-benchmark-") as logs, TimedPool() as pool:
        roles = dict.fromkeys(("planner", "coder", "analyst"), model)
        own = options.model_copy(update={"pool": pool, "on_event": on_event})
        solver = Solver(own, logs=logs, models=roles, caching=False)
        start = time.monotonic()
        result = solver.solve(problem)
        total = time.monotonic() - start
        written = sum(file.stat().st_size for file in Path(logs).rglob("*") if file.is_file())
    rest = total - pool.busy_s - model.seconds
    return {
        "problem": folder.name,
        "status": result.status,
        "stop": result.stop,
        "programs": result.iterations,
        "replies": model.replies,
        "seconds": round(total, 3),
        "models_s": round(model.seconds, 4),
        "compile_and_runs_s": round(pool.busy_s, 3),
        "rest_s": round(rest, 3),
        "rest_share": round(rest / total, 4),
        "with_models_of_5_s": round(rest / (total + REPLY_S * model.replies), 4),
        "artefacts_kib": round(written / 1024, 1),
        "stages_s": {name: round(each, 3) for name, each in stages.items()},
    }


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("problems", nargs="*")
    parser.add_argument("--repeat", type=int, default=3)
    options = parser.parse_args()
    rows: list[dict[str, Any]] = []
    solve(EXAMPLES / "skyline-poster")
    for _ in range(options.repeat):
        for file in sorted(EXAMPLES.glob("*/problem.json")):
            if not options.problems or file.parent.name in options.problems:
                rows.append(solve(file.parent))
                print(json.dumps(rows[-1]), file=sys.stderr)
    total = sum(row["seconds"] for row in rows)
    json.dump(
        {
            "machine": machine(),
            "target": {"rest_share": 0.05},
            "rest_share_of_all": round(sum(row["rest_s"] for row in rows) / total, 4),
            "rest_share_median": round(statistics.median(row["rest_share"] for row in rows), 4),
            "rest_share_most": max(row["rest_share"] for row in rows),
            "with_models_of_5_s_median": round(
                statistics.median(row["with_models_of_5_s"] for row in rows), 4
            ),
            "runs": rows,
        },
        sys.stdout,
        indent=2,
    )
    print()


if __name__ == "__main__":
    main()
