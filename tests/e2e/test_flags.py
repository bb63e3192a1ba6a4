"""One flag, one meaning, one default in every command, and a help text that shows the choices."""

import inspect
import shlex
from collections.abc import Iterator
from typing import Any

import pytest
import typer

import steelyard
from steelyard.cli._app import app
from steelyard.cli._flags import flag_of
from steelyard.cli._help import EXAMPLES
from tests.command_line import parsed
from tests.e2e.conftest import Run

SHARED = {
    "seed",
    "time_limit",
    "memory_limit",
    "jobs",
    "html",
    "json",
    "language",
    "compiler",
    "flags",
    "entry",
    "preload",
    "rel_tol",
    "abs_tol",
}

KEYWORDS = {
    "judge": [steelyard.judge],
    "profile": [steelyard.profile, steelyard.compare_growth],
    "compare": [steelyard.compare],
    "solve run": [steelyard.solve],
    "author strength": [steelyard.measure_strength],
}
NO_FLAG = {
    "program": "PROGRAM",
    "problem": "PROBLEM.json",
    "suite": "SUITE",
    "candidates": "of the specification",
    "growth": "measured with the first slow program",
    "pool": "--jobs",
    "limits": "--time-limit and --memory-limit",
    "on_event": "progress is shown",
    "reward": "a function",
    "compile_timeout_s": "of trainers",
    "binary_cache_dir": "a setting",
}
"""Keywords without a flag of their name, and what there is in its place."""
NO_KEYWORD = {
    "jobs",
    "time_limit",
    "memory_limit",  # fields of `pool` and `limits`
    "json",
    "html",
    "plot",
    "out",  # outputs: methods of a report
    "checker_convention",  # of `ProgramChecker`
    "generator",
    "spec",  # `inputs` takes the path of a generator, and a specification too
    "task",  # `tests` takes a `Task` too
    "text",
    "resume",
    "models",
    "rules",
    "cache",  # other ways to call `Solver`
}


def commands() -> dict[str, Any]:
    root: Any = typer.main.get_command(app)
    context = root.make_context("steelyard", [], resilient_parsing=True)
    found = {name: root.resolve_command(context, [name])[1] for name in root.list_commands(context)}
    for group in ("solve", "cache", "author"):
        made = found.pop(group)
        inside = made.make_context(group, [], resilient_parsing=True)
        found |= {
            f"{group} {name}": made.resolve_command(inside, [name])[1] for name in made.commands
        }
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


@pytest.mark.parametrize("command", KEYWORDS)
def test_a_flag_is_its_keyword_without_the_unit(command: str) -> None:
    options = {each.name: each for each in commands()[command].params if each.name != "help"}
    flags = {name: each.opts[0] for name, each in options.items() if each.opts[0][:2] == "--"}
    keywords = {
        name for function in KEYWORDS[command] for name in inspect.signature(function).parameters
    }
    expected = {flag_of(name) for name in keywords - NO_FLAG.keys()}
    assert {flag for name, flag in flags.items() if name not in NO_KEYWORD} == expected - {
        flag for name, flag in flags.items() if name in NO_KEYWORD
    }
    for name, flag in flags.items():
        assert flag == f"--{name.replace('_', '-')}"
        secondary = options[name].secondary_opts
        assert secondary in ([], [f"--no-{flag[2:]}"])


@pytest.mark.parametrize("command", KEYWORDS)
def test_a_number_that_is_none_is_named_with_its_flag(command: str, steelyard: Run) -> None:
    words = command.removesuffix(" run").split()
    numbers = [
        each.opts[0]
        for each in commands()[command].params
        if each.opts[0].startswith("--") and each.type_descriptor.annotation in (int, float)
    ]
    numbers.remove("--seed")  # or the word random
    assert numbers
    for flag in numbers:
        done = steelyard(*words, "x.py", "--json", flag, "abc", *(_required(command)))
        assert done.returncode == 2
        assert f"'{flag}'" in done.stderr
        assert "got 'abc'" in done.stderr
        assert done.stderr.rstrip().endswith(f"see steelyard {' '.join(words)} --help")


def _required(command: str) -> tuple[str, ...]:
    required = {"compare": ("--function", "m:f"), "author strength": ("--solution", "x.py")}
    return required.get(command, ())


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


def _helps() -> Iterator[tuple[str, str]]:
    """Yield the path and the help of every command."""
    root: Any = typer.main.get_command(app)
    waiting: list[tuple[Any, str, Any]] = [(root, "steelyard", None)]
    while waiting:
        command, name, parent = waiting.pop()
        context = command.make_context(name, [], parent=parent, resilient_parsing=True)
        yield context.command_path, command.get_help(context)
        waiting += [
            (command.resolve_command(context, [each])[1], each, context)
            for each in getattr(command, "commands", ())
        ]


def test_help_fits_80_columns_and_cuts_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    helps = dict(_helps())
    assert len(helps) > 50
    for path, text in helps.items():
        assert max(map(len, text.splitlines())) <= 80, path
        assert "…" not in text, path
        many = sum(line.startswith("  --") for line in text.splitlines()) > 12
        assert not (many and "\nOptions:\n" in text), f"{path}: an option has no group"
    assert len(helps["steelyard judge"].splitlines()) <= 70


def test_examples_of_help_are_calls() -> None:
    for path, lines in EXAMPLES.items():
        for line in lines:
            words = shlex.split(line)[1:]
            assert parsed(words)[0].startswith(f"steelyard {path}".rstrip()), line


@pytest.mark.parametrize(
    ("command", "choices"),
    [
        ("judge", ("exact, tokens, lines, contains", "per_case, per_candidate", "testlib, icpc")),
        ("compare", ("faster, not-slower", "paired, loops", "auto, function, module, diff")),
        ("solve", ("cpp, python", "show", "replay", "| COMMAND")),
    ],
)
def test_help_shows_choices_and_no_type_of_a_flag(
    steelyard: Run, command: str, choices: tuple[str, ...]
) -> None:
    done = steelyard(command, "--help-all")
    assert done.returncode == 0
    assert "bool" not in done.stdout
    text = " ".join(done.stdout.split())
    for choice in choices:
        assert choice in text, done.stdout


def test_shell_completion_shows_commands_and_choices(steelyard: Run) -> None:
    def offered(line: str) -> str:
        return steelyard(
            _STEELYARD_COMPLETE="complete_bash", COMP_WORDS=line, COMP_CWORD=str(line.count(" "))
        ).stdout

    assert {"judge", "solve", "doctor"} <= set(offered("steelyard ").split())
    assert {"cpp", "python"} <= set(offered("steelyard judge x --language ").split())
    assert offered("steelyard judge x --language rust --compiler ").split() == ["rustc"]
    assert offered("steelyard profile x --entry ").split() == ["stdio", "function:", "class:"]
    assert offered("steelyard compare x --method ").split() == ["paired", "loops"]
    assert {"show", "replay"} <= set(offered("steelyard solve ").split())
    assert "--max-iter" in offered("steelyard solve problem.json --max-").split()
