"""A run that a signal, a full disk or a budget ends is resumed, and pays for no reply twice.

The command is a real process, and the models answer over HTTP through the vendor's own SDK.
"""

import json
import shutil
import signal
import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from tests.contract.solve_shell import (
    PROBLEM,
    RIGHT,
    TOKENS,
    WHOLE,
    WRONG,
    Models,
    Shell,
    answer_all,
    decided,
    wait_for,
)
from tests.model_server import Exchange, ModelServer, drips, fails
from tests.needs import needs
from tests.processes import descendants, still_running
from tests.warm_command import WarmCommand

pytestmark = needs("openai")


@pytest.fixture
def models() -> Iterator[Models]:
    with ModelServer() as server:
        yield Models(server)


@pytest.fixture
def shell(warm: WarmCommand, tmp_path: Path, models: Models) -> Shell:
    return Shell(warm, tmp_path, models)


# ----------------------------------------------------------------------------------- interrupted


SIGNALS = {signal.SIGINT: 130, signal.SIGTERM: 143, signal.SIGHUP: 129}
"""The exit status for each."""
IN_EVERY_RUN = {
    ("code", signal.SIGINT),
    ("judge", signal.SIGHUP),
    ("profile", signal.SIGINT),
    ("profile", signal.SIGTERM),
}
"""Each stage and each signal; the exhaustive tests send each signal at each stage."""


@pytest.mark.parametrize(
    ("stage", "ending", "status"),
    [
        pytest.param(
            stage,
            ending,
            status,
            id=f"{stage}-{ending.name}",
            marks=[] if (stage, ending) in IN_EVERY_RUN else [pytest.mark.exhaustive],
        )
        for stage in ("code", "judge", "profile")
        for ending, status in SIGNALS.items()
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
        limits = {"runtime_limit": 600_000, "memory_limit": 64}  # nobody waits for the loop
        (shell.folder / "problem.json").write_text(json.dumps(PROBLEM | {"constraints": limits}))
    elif stage == "profile":
        models.first_program = RIGHT
    command = shell.solve_plainly()
    wait_for(command.err, f" {stage}")
    assert stage != "code" or asked.wait(60)
    below = descendants(command.pid)
    assert below
    command.signal(ending)
    done = command.wait()
    assert done.status == status, done.stderr
    assert "Traceback" not in done.stderr
    assert sum("--resume logs/sum" in line for line in done.said) == 1
    assert (done.said[-1] == "steelyard: interrupted") == (ending == signal.SIGINT)
    assert not still_running(below)
    assert not (shell.run_folder / "result.json").exists()
    ended = shell.replay()
    assert (ended.status, len(ended.said)) == (2, 1)
    assert "--resume logs/sum" in ended.said[0]
    if stage == "judge":
        return  # to go on is to judge the same loop again
    models.on_request = answer_all
    assert shell.solve().wait().json()["status"] == "success"
    assert models.paid_twice == 0


def names_of(processes: Iterable[int]) -> set[str]:
    """The programs that processes run."""
    found = set()
    for pid in processes:
        with suppress(OSError):  # it has ended
            found.add(Path(f"/proc/{pid}/comm").read_text().strip())
    return found


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
    below: list[int] = []
    while "cc1plus" not in names_of(below):
        assert not command.is_done, command.wait()
        time.sleep(0.02)
        below = descendants(command.pid)
    command.signal(signal.SIGINT)
    assert command.wait().status == 130
    assert not still_running(below)
    assert not (shell.run_folder / "iter_0" / "tests.json").exists()


# ---------------------------------------------------------------------------------- out of room


def test_without_room_no_reply_is_paid_for(shell: Shell, models: Models) -> None:
    """A folder in place of the reserved file makes each reservation fail, as a full disk does."""
    room = shell.run_folder / ".room"

    def take_the_room(number: int, _exchange: Exchange) -> None:
        if number == 1:
            room.unlink()
            room.mkdir()

    models.on_request = take_the_room
    done = shell.solve().wait()
    said = done.json()
    assert (done.status, said["status"], said["stop"]) == (3, "sandbox_error", "logs")
    assert said["reason"].startswith("the next reply cannot be stored in logs/sum: Is a directory;")
    assert (said["code"]["code_cpp"], said["tests_passed"]) == (WRONG, 1)
    assert len(models.answered) == 2
    room.rmdir()
    assert decided(shell.solve().wait()) == WHOLE
    assert len(models.answered) == 6


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
    assert (said["code"]["code_cpp"], said["tests_passed"]) == (WRONG, 1)
    assert json.loads((shell.run_folder / "result.json").read_text())["stop"] == "logs"
    obstacle.unlink()
    models.on_request = answer_all
    assert decided(shell.solve().wait()) | {"tokens": 6 * TOKENS} == WHOLE
    assert len(models.answered) == 6


# --------------------------------------------------------------------------------------- bounds


@pytest.mark.parametrize(
    ("bound", "small", "large"),
    [("--max-tokens", "26000", "100000"), ("--max-cost", "20", "100")],
)
def test_a_budget_ends_a_run_before_it_is_passed_and_a_larger_one_goes_on(
    shell: Shell, models: Models, bound: str, small: str, large: str
) -> None:
    """A program may take twice the tokens of the one before: after three replies none may fit."""
    done = shell.solve(bound, small).wait()
    said = done.json()
    assert (done.status, said["status"], said["stop"]) == (1, "failed", "budget")
    assert f"allow more with {bound}" in said["reason"]
    assert (said["code"]["code_cpp"], said["tests_passed"]) == (WRONG, 1)
    assert len(models.answered) == 3
    assert decided(shell.solve(bound, large).wait()) == WHOLE
    assert len(models.answered) == 6
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
    assert (said["code"]["code_cpp"], said["tests_passed"]) == (WRONG, 1)
    assert shell.replay().json()["differences"] == []
    models.on_request = answer_all
    assert decided(shell.solve().wait()) == WHOLE
    assert models.paid_twice == 0
