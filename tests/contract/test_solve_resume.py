"""A run that is ended anywhere goes on from its folder, and pays for no reply twice.

The command is a real process, and the models answer over HTTP through the vendor's own SDK.
"""

import contextlib
import json
import os
import resource
import shutil
import signal
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from assayer.solving import Journal
from tests.model_server import Exchange, ModelServer, drips, fails, says
from tests.warm_command import Done, Started, WarmCommand

pytest.importorskip("openai")

GENERATOR = """\
import random
def generate(n, seed):
    rng = random.Random(seed)
    return f"{n}\\n" + " ".join(str(rng.randint(0, 99)) for _ in range(n)) + "\\n"
"""
PLAN = json.dumps(
    {
        "problem_statement": "The sum of n numbers.",
        "algorithm": "Add all numbers.",
        "input_bounds": {"n": 1000},
        "pseudocode": "for i in 1..n:\n  s += a[i]",
        "expected_complexity": "O(n)",
        "input_generator": GENERATOR,
    }
)
WRONG = "print(6)\n"
RIGHT = "import sys\nprint(sum(map(int, sys.stdin.read().split()[1:])))\n"
PROBLEM = {
    "task_id": "sum",
    "prompt": "Read n, then n numbers; print their sum.",
    "constraints": {"runtime_limit": 1000, "memory_limit": 64},
    "unit_tests": [
        {"input": "3\n1 2 3\n", "output": "6\n"},
        {"input": "1\n7\n", "output": "7\n"},
    ],
    "input_bounds": {"n": 1000},
}
TOKENS = 5_000
PRICES = json.dumps({"openai:m": {"input": 0, "output": 1_000}})  # five dollars for a reply


OnRequest = Callable[[int, Exchange], None]


def answer_all(_number: int, _exchange: Exchange) -> None:
    """Lets each request have its reply."""


class Models:
    """Three models on one server: what they say follows from what they are asked.

    The planner plans; the coder's first program is wrong, its second reply useless, and what it
    says then is right.
    """

    def __init__(self, server: ModelServer) -> None:
        self.server = server
        self.answered: list[str] = []
        self.on_request: OnRequest = answer_all
        """Told the number of replies before this one; an OSError: there is none."""
        self.first_program = WRONG
        server.then(self._answer)

    @property
    def name(self) -> str:
        return f"openai:m@{self.server.openai}"

    def _answer(self, exchange: Exchange) -> None:
        self.on_request(len(self.answered), exchange)
        messages = exchange.asked.body["messages"]
        if "You are the planner" in messages[0]["content"]:
            text = PLAN
        elif len(messages) > 2:
            text = json.dumps({"code_cpp": RIGHT})
        elif "[data earlier program " in messages[1]["content"]:
            text = "Let me think about it."
        else:
            text = json.dumps({"code_cpp": self.first_program})
        self.answered.append(json.dumps(exchange.asked.body, sort_keys=True))
        says(text, tokens_in=0, tokens_out=TOKENS)(exchange)

    @property
    def paid_twice(self) -> int:
        return len(self.answered) - len(set(self.answered))


@pytest.fixture
def models() -> Iterator[Models]:
    with ModelServer() as server:
        yield Models(server)


class Shell:
    """The command in a folder of its own."""

    def __init__(self, warm: WarmCommand, folder: Path, models: Models) -> None:
        self._warm, self.folder, self._models = warm, folder, models
        self.run_folder = folder / "logs" / "sum"
        self.caching = "--no-cache"
        self.env: dict[str, str | None] = {
            "ASSAYER_CACHE__DIR": str(folder / "cache"),
            "ASSAYER_MODELS__RETRIES": "0",
            "ASSAYER_MODELS__PRICES": PRICES,
            "OPENAI_API_KEY": None,
            "ANTHROPIC_API_KEY": None,
        }
        (folder / "problem.json").write_text(json.dumps(PROBLEM))

    def start(self, *args: str) -> Started:
        return self._warm.start(*args, cwd=self.folder, **self.env)

    def solve(self, *args: str) -> Started:
        """Begins the run, or goes on with it, and prints JSON."""
        return self.solve_plainly("--json", *args)

    def solve_plainly(self, *args: str) -> Started:
        call = ["solve", self.caching, *args]
        if (self.run_folder / "run.json").exists():
            return self.start(*call, "--resume", "logs/sum")
        # No profile takes its time here: what is measured is asserted elsewhere.
        return self.start(
            *call, "problem.json", "--models", self._models.name, "--language", "python",
            "--budget", "0.1",
        )  # fmt: skip

    def replay(self) -> Done:
        return self.start("replay", "logs/sum", "--json").wait()


@pytest.fixture
def shell(warm: WarmCommand, tmp_path: Path, models: Models) -> Shell:
    return Shell(warm, tmp_path, models)


def decided(done: Done) -> dict[str, Any]:
    """What a run came to, without moments and measured figures."""
    said = done.json()
    kept = {
        name: said[name]
        for name in ("status", "stop", "passed", "tests", "iterations", "growth", "notes")
    }
    tokens = said["spending"]["tokens_out"]
    code, plan = said["code"]["code_cpp"], said["plan"]["algorithm"]
    return {**kept, "tokens": tokens, "code": code, "plan": plan}


WHOLE = {
    "status": "success", "stop": "efficient", "passed": 2, "tests": 2, "iterations": 2,
    "growth": "measured", "notes": [], "tokens": 4 * TOKENS, "code": RIGHT,
    "plan": "Add all numbers.",
}  # fmt: skip


def wait_for(file: Path, holds: str = "") -> None:
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        with contextlib.suppress(OSError):
            if holds in file.read_text("utf-8"):
                return
        time.sleep(0.002)
    pytest.fail(f"{file.name} has not come to hold {holds!r}")


# -------------------------------------------------------------------------------------- killed

KILLS: tuple[tuple[int, str], ...] = (
    (0, ""), (1, "iter_0/01_planner.json"), (1, "iter_0/plan.json"), (1, ""),
    (2, "iter_0/tests.json"), (2, "iter_0/verdict.json"), (2, ""), (3, ""),
    (4, "iter_1/02_coder.json"), (4, "iter_1/profile.json"),
)  # fmt: skip
"""When to kill: after so many replies, as the next one is asked for, or as an artefact is there."""


@pytest.mark.parametrize(
    ("caching", "kills"), [("--no-cache", KILLS), ("--cache", KILLS[2::3])], ids=["bare", "cached"]
)
def test_a_run_that_is_killed_again_and_again_pays_once(
    shell: Shell, models: Models, caching: str, kills: tuple[tuple[int, str], ...]
) -> None:
    shell.caching = caching
    for replies, artefact in kills:
        asked, dead = threading.Event(), threading.Event()

        def leave_unanswered(
            number: int,
            _exchange: Exchange,
            replies: int = replies,
            asked: threading.Event = asked,
            dead: threading.Event = dead,
        ) -> None:
            if number >= replies:
                asked.set()
                dead.wait(60)
                raise OSError("nobody is there to be answered")

        models.on_request = leave_unanswered
        command = shell.solve()
        if artefact:
            wait_for(shell.run_folder / artefact)
        else:
            assert asked.wait(60)
        os.kill(command.pid, signal.SIGKILL)
        assert command.wait().status == -signal.SIGKILL, (replies, artefact)
        dead.set()
        assert len(models.answered) == replies
    models.on_request = answer_all
    done = shell.solve().wait()
    assert done.status == 0, done.stderr
    assert decided(done) == WHOLE
    assert len(models.answered) == 4
    assert not [*shell.run_folder.rglob(".*.part"), *shell.run_folder.rglob(".room")]
    models.server.then(fails(500))
    again = shell.replay()
    assert (again.status, again.json()["differences"]) == (0, [])


# ----------------------------------------------------------------------------------- interrupted


def descendants(pid: int) -> list[int]:
    """All processes below this one."""
    found: list[int] = []
    for file in Path(f"/proc/{pid}/task").glob("*/children"):
        with contextlib.suppress(OSError):
            for child in map(int, file.read_text().split()):
                found += [child, *descendants(child)]
    return found


@pytest.mark.parametrize(
    ("stage", "ending", "status"),
    [
        ("code", signal.SIGINT, 130),
        ("judge", signal.SIGINT, 130),
        ("profile", signal.SIGINT, 130),
        ("profile", signal.SIGTERM, 143),
    ],
)
def test_a_signal_at_any_stage_ends_at_once_and_leaves_all(
    shell: Shell, models: Models, stage: str, ending: signal.Signals, status: int
) -> None:
    asked = threading.Event()

    def drip_the_program(number: int, exchange: Exchange) -> None:
        if number == 1:
            asked.set()
            drips(exchange)
            raise OSError("the client has gone")

    if stage == "code":
        models.on_request = drip_the_program
    if stage == "judge":
        models.first_program = "while True: pass\n"
        limits = {"runtime_limit": 60_000, "memory_limit": 64}
        (shell.folder / "problem.json").write_text(json.dumps(PROBLEM | {"constraints": limits}))
    elif stage == "profile":
        models.first_program = RIGHT
    command = shell.solve_plainly()
    wait_for(command.err, f" {stage} ")
    assert stage != "code" or asked.wait(60)
    below = descendants(command.pid)
    assert below
    command.signal(ending)
    begun = time.monotonic()
    done = command.wait()
    assert done.status == status, done.stderr
    assert time.monotonic() - begun < 45  # the loop would take a minute, and another
    assert "Traceback" not in done.stderr
    assert sum("--resume logs/sum" in line for line in done.said) == 1
    assert (done.said[-1] == "assayer: interrupted") == (ending == signal.SIGINT)
    assert not [pid for pid in below if Path(f"/proc/{pid}").exists()]
    assert not (shell.run_folder / "result.json").exists()
    ended = shell.replay()
    assert (ended.status, len(ended.said)) == (2, 1)
    assert "--resume logs/sum" in ended.said[0]
    if stage == "judge":
        return  # to go on is to judge the same loop again
    models.on_request = answer_all
    assert shell.solve().wait().json()["status"] == "success"
    assert models.paid_twice == 0


@pytest.mark.skipif(shutil.which("g++") is None, reason="g++ is not installed")
def test_ctrl_c_ends_a_compiler(shell: Shell, models: Models) -> None:
    models.first_program = (
        "constexpr long f(long n) { long s = 0; for (long i = 0; i < n; i++) s += i % 7; "
        "return s; }\ntemplate <long n> struct A { static constexpr long v = f(250000 + n) "
        "+ A<n - 1>::v; };\ntemplate <> struct A<0> { static constexpr long v = 0; };\n"
        "int main() { return A<800>::v; }\n"
    )
    command = shell.start(
        "solve", "problem.json", "--models", models.name, "--no-cache", "--language", "cpp"
    )
    wait_for(command.err, "judge ")
    time.sleep(0.5)
    below = descendants(command.pid)
    command.signal(signal.SIGINT)
    begun = time.monotonic()
    assert command.wait().status == 130
    assert time.monotonic() - begun < 30
    assert not [pid for pid in below if Path(f"/proc/{pid}").exists()]
    assert not (shell.run_folder / "iter_0" / "tests.json").exists()


# ---------------------------------------------------------------------------------- out of room


def test_without_room_no_reply_is_paid_for(shell: Shell, models: Models) -> None:
    """A limit on a file's size makes each larger write fail, as a full disk does."""
    started: list[Started] = []
    begun = threading.Event()

    def fill_the_disk(number: int, _exchange: Exchange) -> None:
        if number == 1:
            begun.wait(60)
            room = (128 << 10, resource.RLIM_INFINITY)
            resource.prlimit(started[0].pid, resource.RLIMIT_FSIZE, room)

    models.on_request = fill_the_disk
    started.append(shell.solve())
    begun.set()
    done = started[0].wait()
    said = done.json()
    assert (done.status, said["status"], said["stop"]) == (3, "sandbox_error", "logs")
    assert said["reason"].startswith("logs/sum cannot take the next reply: File too large;")
    assert (said["code"]["code_cpp"], said["passed"]) == (WRONG, 1)
    assert len(models.answered) == 2
    assert not (shell.run_folder / ".room").exists()
    assert decided(shell.solve().wait()) == WHOLE
    assert len(models.answered) == 4


def test_what_cannot_be_written_is_in_the_cache(shell: Shell, models: Models) -> None:
    shell.caching = "--cache"
    obstacle = shell.run_folder / "iter_1"

    def block(number: int, _exchange: Exchange) -> None:
        if number == 2:
            obstacle.write_text("no folder can be made here")

    models.on_request = block
    done = shell.solve().wait()
    said = done.json()
    assert (done.status, said["status"], said["stop"]) == (3, "sandbox_error", "logs")
    assert "01_coder.json cannot be written" in said["reason"]
    assert (said["code"]["code_cpp"], said["passed"]) == (WRONG, 1)
    assert json.loads((shell.run_folder / "result.json").read_text())["stop"] == "logs"
    obstacle.unlink()
    models.on_request = answer_all
    assert decided(shell.solve().wait()) | {"tokens": 4 * TOKENS} == WHOLE
    assert len(models.answered) == 4


# --------------------------------------------------------------------------------------- bounds


@pytest.mark.parametrize(
    ("bound", "small", "large"),
    [("--max-tokens", "23000", "100000"), ("--max-cost", "20", "100")],
)
def test_a_budget_ends_a_run_before_it_is_passed_and_a_larger_one_goes_on(
    shell: Shell, models: Models, bound: str, small: str, large: str
) -> None:
    """A reply with a program may have 8,192 tokens: after three replies a fourth may not fit."""
    done = shell.solve(bound, small).wait()
    said = done.json()
    assert (done.status, said["status"], said["stop"]) == (1, "failed", "budget")
    assert f"allow more with {bound}" in said["reason"]
    assert (said["code"]["code_cpp"], said["passed"]) == (WRONG, 1)
    assert len(models.answered) == 3
    assert decided(shell.solve(bound, large).wait()) == WHOLE
    assert len(models.answered) == 4
    assert shell.replay().json()["differences"] == []


def test_models_that_are_gone_end_the_run_until_they_are_back(shell: Shell, models: Models) -> None:
    def fail(number: int, exchange: Exchange) -> None:
        if number == 2:
            fails(500)(exchange)
            raise OSError("it has its answer")

    models.on_request = fail
    done = shell.solve().wait()
    said = done.json()
    assert (done.status, said["status"], said["stop"]) == (3, "failed", "models")
    assert "HTTP 500" in said["reason"]
    assert (said["code"]["code_cpp"], said["passed"]) == (WRONG, 1)
    assert shell.replay().json()["differences"] == []
    models.on_request = answer_all
    assert decided(shell.solve().wait()) == WHOLE
    assert models.paid_twice == 0


# --------------------------------------------------------------------------------------- replays


@pytest.fixture(scope="module")
def finished(warm: WarmCommand, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A whole run's folder; its models are gone."""
    with ModelServer() as server:
        shell = Shell(warm, tmp_path_factory.mktemp("finished"), Models(server))
        assert shell.solve().wait().status == 0
        return shell.folder


@pytest.fixture
def copy(finished: Path, tmp_path: Path, warm: WarmCommand) -> Path:
    shutil.copytree(finished / "logs", tmp_path / "logs")
    return tmp_path / "logs" / "sum"


def edited(file: Path, **fields: object) -> None:
    file.write_text(json.dumps(json.loads(file.read_text()) | fields))


def replayed(warm: WarmCommand, folder: Path) -> Done:
    nothing = {"OPENAI_API_KEY": None, "ASSAYER_CACHE__DIR": str(folder / "no-cache")}
    return warm.run("replay", folder, "--json", cwd=folder.parents[1], **nothing)


def test_a_replay_needs_neither_key_nor_network_and_writes_nothing(
    warm: WarmCommand, copy: Path
) -> None:
    before = {file: file.read_bytes() for file in copy.rglob("*") if file.is_file()}
    done = replayed(warm, copy)
    assert (done.status, done.json()["differences"]) == (0, [])
    assert done.json()["result"]["code"]["code_cpp"] == RIGHT
    assert {file: file.read_bytes() for file in copy.rglob("*") if file.is_file()} == before


def test_a_verdict_that_was_edited_is_told(warm: WarmCommand, copy: Path) -> None:
    edited(copy / "iter_0" / "verdict.json", efficient=True, target_agent=None, patch=None)
    done = replayed(warm, copy)
    assert (done.status, done.json()["differences"]) == (1, ["iter_0/verdict"])


@pytest.mark.parametrize("iteration", [0, 1])
def test_a_test_result_that_was_edited_is_told(
    warm: WarmCommand, copy: Path, iteration: int
) -> None:
    other = copy / f"iter_{1 - iteration}" / "tests.json"
    shutil.copy(other, copy / f"iter_{iteration}" / "tests.json")
    done = replayed(warm, copy)
    assert done.status == 1
    assert {f"iter_{iteration}/verdict", "result"} & set(done.json()["differences"])


def test_a_result_that_was_edited_is_told(warm: WarmCommand, copy: Path) -> None:
    edited(copy / "result.json", passed=1)
    done = replayed(warm, copy)
    assert (done.status, done.json()["differences"]) == (1, ["result"])


def test_a_program_that_was_edited_is_told(warm: WarmCommand, copy: Path) -> None:
    edited(copy / "iter_1" / "code.json", code_cpp="print(0)")
    done = replayed(warm, copy)
    assert done.status == 1
    assert "iter_1/code" in done.json()["differences"]


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("run.json", b"{"),
        ("result.json", b"\xff\xfe"),
        ("iter_0/tests.json", b""),
        ("iter_0/01_planner.json", b'{"request": 1}'),
        ("iter_0/prune.json", b'{"task_id": "sum", "step": "prune", "content": [1]}'),
    ],
)
def test_a_damaged_artefact_is_one_line(
    warm: WarmCommand, copy: Path, name: str, content: bytes
) -> None:
    assert (copy / name).exists()
    (copy / name).write_bytes(content)
    for call in (("replay", copy), ("solve", "--json", "--resume", copy), ("show", copy)):
        if name == "result.json" and call[0] == "solve":
            continue  # it is written anew
        done = warm.run(*call, cwd=copy)
        assert (done.status, done.stdout, len(done.said)) == (2, "", 1), call
        assert name in done.stderr
    if name == "run.json":
        assert "another run" in done.stderr
        return
    assert "delete it" in done.stderr


@pytest.mark.parametrize("name", ["iter_0/tests.json", "iter_0/prune.json", "iter_1/code.json"])
def test_a_damaged_artefact_that_is_deleted_is_made_again(
    warm: WarmCommand, copy: Path, name: str
) -> None:
    """Without the models: what they said is there still."""
    (copy / name).write_text("{")
    said = warm.run("solve", "--json", "--resume", copy, cwd=copy).stderr
    assert f"{copy / name} is no artefact" in said
    assert f"delete it, and that step is done again with --resume {copy}" in said
    (copy / name).unlink()
    ended = replayed(warm, copy)
    if name == "iter_0/tests.json":
        missing = f"{name} is missing; that step is done again with --resume"
        assert missing in ended.json()["result"]["reason"]
    done = warm.run("solve", "--json", "--resume", copy, cwd=copy)
    assert decided(done) == WHOLE
    assert replayed(warm, copy).json()["differences"] == []


# ------------------------------------------------------------------------------------ wrong calls

SCRIPT = ("--models", "scripted:replies.json")
CALLS = {
    "no problem": ((), "give one problem"),
    "two problems": (("problem.json", "--text", "Add."), "give one problem"),
    "no such file": (("none.json",), "none.json cannot be read: No such file"),
    "a folder": (("logs",), "logs cannot be read: Is a directory"),
    "no JSON": (("replies.txt",), "is no problem"),
    "an unknown field": (("unknown.json",), "(runtime)"),
    "a name that leaves the folder": (("leaves.json",), "(task_id)"),
    "logs in a file": (("problem.json", *SCRIPT, "--logs", "problem.json"), "cannot be made"),
    "logs that nobody may write": (("problem.json", *SCRIPT, "--logs", "/proc/1"), "cannot be"),
    "an unknown provider": (("problem.json", "--models", "acme:m"), "names no provider"),
    "no model": (("problem.json", "--models", "gpt-4.1"), "is not PROVIDER:MODEL"),
    "no script": (("problem.json", "--models", "scripted:none.json"), "cannot be read"),
    "no key": (("problem.json", "--models", "openai:gpt-4.1"), "variable OPENAI_API_KEY"),
    "no price": (
        ("problem.json", "--models", "openai:m@http://127.0.0.1:9/v1", "--max-cost", "1"),
        "the price of openai:m is not known",
    ),
    "a strange language": (("problem.json", *SCRIPT, "--language", "ada"), "language"),
    "no turns": (("problem.json", *SCRIPT, "--max-iter", "0"), "max_iter"),
    "no run": (("--resume", "nowhere"), "nowhere/run.json cannot be read"),
    "another seed": (("--resume", "logs/sum", "--seed", "2"), "has seed 1, which cannot change"),
    "another folder": (("--resume", "logs/sum", "--logs", "x"), "--logs is for a run that begins"),
    "a text that is not UTF-8": (
        ("--text", "bad \udcff", *SCRIPT),
        "text is not UTF-8 at character 5",
    ),
    "a model's name that is not UTF-8": (
        ("problem.json", "--models", "openai:\udcff"),
        "planner: ",
    ),
    "logs that are not UTF-8": (("problem.json", *SCRIPT, "--logs", "\udcff"), "is not UTF-8"),
    "a run that is not UTF-8": (("--resume", "\udcff"), "cannot be read: No such file"),
    "a run with a long name": (("--resume", "x" * 300), "cannot be read: File name too long"),
    "rules with a long name": (("problem.json", *SCRIPT, "--rules", "x" * 300), "is not a file"),
    "broken rules": (
        ("problem.json", *SCRIPT, "--rules", "rules.toml"),
        "--rules: rules.toml: line 1: rules is not known",
    ),
    "a generator without end": (
        ("problem.json", *SCRIPT, "--generator", "/dev/zero"),
        "is larger than 1 MiB",
    ),
    "a generator that raises": (
        ("problem.json", *SCRIPT, "--generator", "raises.py"),
        "--generator: raises.py: the generator, line 2, at n = 5 raises ValueError: no",
    ),
    "no rules": (("problem.json", *SCRIPT, "--rules", "none.toml"), "is not a file"),
}


@pytest.mark.parametrize(("call", "said"), CALLS.values(), ids=CALLS)
def test_a_wrong_call_is_one_line(
    warm: WarmCommand, copy: Path, call: tuple[str, ...], said: str
) -> None:
    folder = copy.parents[1]
    for name, fields in (
        ("problem", {}),
        ("unknown", {"runtime": 1}),
        ("leaves", {"task_id": "../x"}),
    ):
        (folder / f"{name}.json").write_text(json.dumps(PROBLEM | fields))
    (folder / "replies.json").write_text('{"planner": []}')
    (folder / "replies.txt").write_text("Solve this!")
    (folder / "rules.toml").write_text("[rules]\n")
    (folder / "raises.py").write_text("def generate(n, seed):\n    raise ValueError('no')\n")
    done = warm.run(
        "solve", "--json", *call, cwd=folder, OPENAI_API_KEY=None, OPENAI_BASE_URL=None,
        ASSAYER_MODELS__PRICES=None,
    )  # fmt: skip
    assert (done.status, done.stdout, len(done.said)) == (2, "", 1), done.stderr
    assert said in done.stderr
    assert (copy / "result.json").exists()  # the run of before lies where it lay


def test_a_folder_is_one_runs_at_a_time(warm: WarmCommand, copy: Path) -> None:
    other = Journal(copy, "sum").lock()
    try:
        done = warm.run("solve", "--json", "--resume", copy, cwd=copy)
        assert (done.status, len(done.said)) == (2, 1)
        assert "a run is going on in" in done.stderr
    finally:
        other.unlock()
