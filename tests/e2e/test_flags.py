"""One flag, one meaning, one default in every command, and a help text that shows the choices."""

import re
from typing import Any

import pytest
import typer

from steelyard.cli._app import app
from tests.e2e.conftest import Run

SHARED = {
    "seed", "time_limit", "memory_limit", "jobs", "html", "json", "language", "compiler", "flags",
    "entry", "preload", "rel_tol", "abs_tol",
}  # fmt: skip


def commands() -> dict[str, Any]:
    root: Any = typer.main.get_command(app)
    context = root.make_context("steelyard", [], resilient_parsing=True)
    found = {name: root.resolve_command(context, [name])[1] for name in root.list_commands(context)}
    for group in ("solve", "cache"):
        found |= {f"{group} {name}": each for name, each in found.pop(group).commands.items()}
    return found


def test_a_flag_has_one_meaning_and_one_default() -> None:
    seen: dict[str, set[tuple[object, ...]]] = {}
    for command in commands().values():
        for option in command.params:
            if option.name in SHARED and option.opts[0].startswith("--"):
                help_text = option.help if option.name != "entry" else ""
                flag = (tuple(option.opts), option.metavar, help_text)
                seen.setdefault(option.name, set()).add(flag)
    assert set(seen) == SHARED
    for name, meanings in seen.items():
        assert len(meanings) == (2 if name == "language" else 1), meanings  # solve's has choices
    seeds = {
        each.default for one in commands().values() for each in one.params if each.name == "seed"
    }
    assert seeds == {0}


def test_the_program_is_positional() -> None:
    for name in ("judge", "profile", "compare"):
        assert commands()[name].params[0].metavar == "PROGRAM"


def test_a_summary_is_the_first_line_of_the_help() -> None:
    root: Any = typer.main.get_command(app)
    context = root.make_context("steelyard", [], resilient_parsing=True)
    for name in root.list_commands(context):
        summary = root.get_command(context, name).help
        assert root.resolve_command(context, [name])[1].help.partition("\n")[0] == summary
        assert len(summary) <= 66, "one line of 80 columns"


@pytest.mark.parametrize(
    ("command", "choices"),
    [
        (("judge",), ("exact|tokens|contains", "per_case|per_candidate", "testlib|icpc")),
        (("compare",), ("faster|not-slower", "paired|loops", "auto|function|module|diff")),
        (("solve",), ("cpp|python", "show", "replay", "| COMMAND")),
        (("solve", "run"), ("cpp|python",)),
    ],
)
def test_help_shows_choices_and_no_type_of_a_flag(
    steelyard: Run, command: tuple[str, ...], choices: tuple[str, ...]
) -> None:
    done = steelyard(*command, "--help", COLUMNS="200")
    assert done.returncode == 0
    assert "bool" not in done.stdout
    text = re.sub(r"\s+", " ", done.stdout)
    for choice in choices:
        assert choice in text, done.stdout


def test_shell_completion_shows_commands_and_choices(steelyard: Run) -> None:
    def offered(line: str) -> str:
        return steelyard(
            _STEELYARD_COMPLETE="complete_bash", COMP_WORDS=line, COMP_CWORD=str(line.count(" "))
        ).stdout

    assert {"judge", "solve", "doctor"} <= set(offered("steelyard ").split())
    assert offered("steelyard compare x --method ").split() == ["paired", "loops"]
    assert {"show", "replay"} <= set(offered("steelyard solve ").split())
    assert "--max-iter" in offered("steelyard solve problem.json --max-").split()
