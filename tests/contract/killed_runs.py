"""A run of a job that is killed again and again, and resumed each time.

python -m tests.contract.killed_runs JOB FOLDER STEP

The run is done once without a kill. Then each of a row of processes does it in another folder: it
begins or resumes it, and is killed. The first one is killed at its first instant, and each other
one STEP instants later than the one before; with 0 for STEP one instant later if the one before
has left what an earlier one left, and at its first instant if not. So there is a kill at every
instant of the run. An instant is each moment before and after a file is replaced or lines are added
to one, and each request to a scripted model. (Between a reply of a script and its file lies the one
moment in which a reply can be lost: nothing is killed there.)

The model of `evaluate` is a server. The requests that are under way when a process is killed are
made again, and no others: a request whose reply is in its file is not.
"""

import json
import os
import re
import signal
import sys
import threading
import traceback
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

from steelyard import Author, AuthorOptions, SolveOptions, Solver
from steelyard.authoring.pytests import SuiteAuthor, SuiteOptions
from steelyard.models import Reply, ReplyCache, Request, ScriptedModel
from steelyard.runs import ResultsFolder
from steelyard.sandbox import CellPool
from steelyard.schemas import ProblemInput
from tests.contract.killed_results import (
    PROCESS,
    Wire,
    evaluate,
    kept_in,
    on_wire,
    raft,
    write_program,
)
from tests.contract.solve_shell import PLAN, PROBLEM, RIGHT, WRONG
from tests.contract.suite_samples import MODULE, updated, written
from tests.model_server import ModelServer

REQUEST = Path(__file__).parents[2] / "examples" / "requests" / "warming-days"
_EXCHANGE = re.compile(r"\d{2}_[a-z]+\.json")
_AGAIN = re.compile(r"report\..*|.*\.csv|(history|prompt_stats|learned)\.json|kept\.jsonl")
"""Files that a process which resumes writes again, from what is kept."""
_MOST_KILLS = 400


def script(folder: Path, replies: dict[str, Any]) -> str:
    """The name of a model that replies from a script next to the run's folder."""
    file = folder.parent / "replies.json"
    file.write_text(json.dumps(replies))
    return f"scripted:{file}"


def solve(folder: Path) -> dict[str, Any]:
    replies = {
        "planner": [json.loads(PLAN)],
        "coder": [{"code_cpp": WRONG}, "Let me think.", {"code_cpp": RIGHT}],
        "reference": [{"code_python": RIGHT}],
        "attacker": [{"input_generator": None, "why": "all inputs cost the same"}],
    }
    name, run = script(folder, replies), folder / "sum"
    with CellPool(1) as pool:
        options = SolveOptions(
            planner=name, coder=name, analyst=name, language="python", budget_s=0.1, pool=pool
        )
        solver = Solver(options, logs=folder, caching=False)
        problem = ProblemInput.model_validate(PROBLEM)
        result = solver.resume(run) if (run / "run.json").exists() else solver.solve(problem)
    assert solver.replay(run).differences == ()
    assert result.passed
    kept = {"status", "stop", "tests_passed", "tests", "iterations", "growth", "notes", "spending"}
    assert result.code is not None
    return result.model_dump(mode="json", include=kept) | {"code": result.code.code_cpp}


def author(folder: Path) -> dict[str, Any]:
    name = f"scripted:{REQUEST / 'replies.json'}"
    with CellPool(1) as pool:
        options = AuthorOptions(
            writer=name, solver=name, checker=name, cases=4, mutants=4, pool=pool
        )
        run = Author(options, caching=False)
        if (folder / "run" / "run.json").exists():
            report = run.resume(folder)
        else:
            report = run.author((REQUEST / "request.txt").read_text(), out=folder)
    assert run.replay(folder).differences == ()
    assert report.passed
    assert (folder / "problem.json").exists()
    kept = {"status", "stop", "reason", "specification", "suite", "questions", "solutions"}
    kept |= {"rounds", "strength", "notes", "spending"}
    return report.model_dump(mode="json", include=kept, exclude={"strength": {"seconds"}})


def author_tests(folder: Path) -> dict[str, Any]:
    module = folder.parent / "prices.py"
    module.write_text(MODULE)
    texts = [written("x = 1\n"), updated("y = 2\n"), updated("z = 3\n")]
    name = script(folder, {"tester": texts[:1], "reviewer": texts[1:]})
    run = folder / "tests-prices"
    with CellPool(1) as pool:
        options = SuiteOptions(tester=name, reviewer=name, max_rounds=2, pool=pool)
        suites = SuiteAuthor(options, logs=folder, caching=False)
        report = suites.resume(run) if (run / "run.json").exists() else suites.write(module)
    assert suites.replay(run).differences == ()
    kept = {"stop", "reason", "code", "evidence", "first", "rounds", "notes", "spending"}
    return report.model_dump(mode="json", include=kept)


JOBS: dict[str, Callable[[Path], dict[str, Any]]] = {
    "solve": solve,
    "author": author,
    "author tests": author_tests,
    "evaluate": evaluate,
    "raft": raft,
}


def done_once(job: str, folder: Path, kill_at: int) -> bool:
    """Do the run in a process of its own, and write what it decided; False if it was killed.

    Args:
        job: The name of the job.
        folder: The run's folder.
        kill_at: The instant to kill it at, from 1; 0 for none.
    """
    child = os.fork()
    if child == 0:
        status = 1
        try:
            hook(folder, kill_at)
            found = json.dumps(JOBS[job](folder))
            (folder.parent / f"{folder.name}.json").write_text(found)
            status = 0
        except BaseException:  # noqa: BLE001 - the child ends here in any case
            traceback.print_exc()
        os._exit(status)
    _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status):
        assert os.WTERMSIG(status) == signal.SIGKILL
        return False
    assert status == 0, "the run failed"
    return True


def hook(folder: Path, kill_at: int) -> None:
    """Count the instants of this process, write down each request, and kill it at one of them.

    No thread kills it while another one stores a reply.
    """
    instants, storing = 0, threading.Lock()

    def instant() -> None:
        nonlocal instants
        instants += 1
        if instants == kill_at:
            with storing:
                os.kill(os.getpid(), signal.SIGKILL)

    replace, complete, append = os.replace, ScriptedModel.complete, ResultsFolder.append_lines
    put = ReplyCache.put

    def replace_and_die(source: Any, target: Any) -> None:
        name = os.path.basename(target)
        stores = _EXCHANGE.fullmatch(name) and storing.locked()
        if not stores and not _AGAIN.fullmatch(name):
            instant()
        replace(source, target)
        if stores:
            storing.release()
        if not _AGAIN.fullmatch(name):
            instant()

    def append_and_die(results: ResultsFolder, name: str, text: str, **more: Any) -> None:
        if instants + 1 == kill_at:  # within a line
            append(results, name, text[: len(text) // 2], **more)
        instant()
        append(results, name, text, **more)
        instant()

    async def complete_and_die(model: ScriptedModel, request: Request) -> Reply:
        instant()
        storing.acquire()  # until its file is there
        with (folder.parent / f"{folder.name}.paid").open("a") as paid:
            paid.write(f"{request.role}\n")
        try:
            return await complete(model, request)
        except BaseException:
            storing.release()
            raise

    def put_and_die(cache: ReplyCache, request: Request, reply: Reply) -> None:
        instant()
        put(cache, request, reply)
        instant()

    (folder.parent / f"{folder.name}.paid").touch()
    ReplyCache.put = put_and_die  # type: ignore[method-assign]
    ResultsFolder.append_lines = append_and_die  # type: ignore[method-assign]
    os.replace = replace_and_die  # type: ignore[assignment]
    ScriptedModel.complete = complete_and_die  # type: ignore[method-assign]


def main(job: str, work: Path, step: int) -> None:
    if job == "evaluate":
        for module in (
            "pydantic_ai.models.openai",
            "genai_prices.data",
            "anyio._backends._asyncio",
        ):
            import_module(module)  # once, as it takes a second
    with ModelServer() as server:
        server.then(write_program)
        (work / "server").write_text(server.openai)
        found = killed_again_and_again(job, work, step, server)
    sys.stdout.write(json.dumps(found))


def killed_again_and_again(job: str, work: Path, step: int, server: ModelServer) -> dict[str, Any]:
    """Do a run without a kill, and one that is killed; return how they differ."""
    whole, broken = work / "whole" / "run", work / "broken" / "run"
    for folder in (whole, broken):
        folder.parent.mkdir()
    os.environ[PROCESS] = "whole"
    assert done_once(job, whole, 0)
    killed, kill_at, seen = 0, 1, set[frozenset[tuple[Path, int]]]()
    kept_before = [set[Wire]()]
    while True:
        os.environ[PROCESS] = str(killed)
        if done_once(job, broken, kill_at):
            break
        killed += 1
        kept_before.append(kept_in(broken))
        assert killed < _MOST_KILLS, "the run makes no progress"
        shown = (each for each in broken.rglob("*") if "/." not in str(each.relative_to(work)))
        written = frozenset(
            (each, each.stat().st_size * (each.suffix == ".jsonl")) for each in shown
        )
        kill_at = kill_at + (step or 1) if step or written in seen else 1
        seen.add(written)
    files = [each.with_suffix(end) for each in (whole, broken) for end in (".json", ".paid")]
    ended, paid, ended_too, paid_too = (each.read_text() for each in files)
    hidden = [each.name for each in broken.rglob(".*") if each.name != ".lock"]
    again: list[Wire] = []
    for number, kept in enumerate(kept_before):
        made = [on_wire(each) for each in server.asked if each.key == str(number)]
        again += [each for each in made if each in kept or made.count(each) > 1]
    return {
        "killed": killed,
        "differences": [
            [name, value, json.loads(ended_too)[name]]
            for name, value in json.loads(ended).items()
            if json.loads(ended_too)[name] != value
        ],
        "again": again,
        "paid": [paid.split(), paid_too.split()],
        "left": hidden,
    }


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]), int(sys.argv[3]))
