"""`steelyard languages`, `doctor`, `demo` and `--help`."""

import json
import os
import re
from pathlib import Path

import pytest

from steelyard._installation import install_command
from tests.e2e.conftest import Run


def test_languages_say_what_is_here_and_what_to_install(steelyard: Run) -> None:
    table = steelyard("languages")
    assert table.returncode == 0
    found = json.loads(steelyard("languages", "--json").stdout)["languages"]
    assert {"c", "cpp", "python", "javascript", "java", "rust", "go"} <= {
        row["language"] for row in found
    }
    python = next(row for row in found if row["language"] == "python")
    assert python["installed"]
    assert python["version"] in table.stdout
    for row in found:
        assert row["installed"] or row["package"]


def test_a_missing_extra_is_named_with_the_command_of_this_installation(steelyard: Run) -> None:
    command = install_command("zig")
    rows = json.loads(steelyard("languages", "--json").stdout)["languages"]
    extras = {row["compiler"]: row for row in rows if row["package"].startswith("steelyard[")}
    assert set(extras) == {"zig"}
    if extras["zig"]["installed"]:
        pytest.skip("zig is installed")
    for name in ("languages", "doctor"):
        assert command in steelyard(name, COLUMNS="40").stdout


def test_doctor_tells_what_is_in_force(steelyard: Run) -> None:
    people = steelyard("doctor")
    assert people.returncode == 0
    assert "isolation" in people.stdout
    report = json.loads(steelyard("doctor", "--json").stdout)
    sandbox = report["sandbox"]
    assert sandbox["isolation"]["backend"] == "cell"
    assert sandbox["cores"] >= 1
    assert report["toolchains"]
    for remedy in sandbox["remedies"]:
        assert remedy["what"]
        assert remedy["command"]
    assert {"valgrind", "heap hook", "matplotlib"} == {each["name"] for each in report["profiling"]}
    for each in (*report["profiling"], *report["toolchains"]):
        here = each["found"] if "found" in each else each["installed"]
        assert here == (not each["command"])
        assert each["command"].count("install") <= 2  # no command inside of another


def test_doctor_says_what_a_profile_misses(steelyard: Run, tmp_path: Path) -> None:
    (tmp_path / "valgrind").write_text("#!/bin/sh\nexit 1\n")
    (tmp_path / "valgrind").chmod(0o755)
    report = json.loads(
        steelyard("doctor", "--json", PATH=f"{tmp_path}:{os.environ['PATH']}").stdout
    )
    commands = {each["name"]: each["command"] for each in report["profiling"]}
    assert commands["valgrind"] == "apt-get install valgrind"


def test_doctor_fails_where_isolation_falls_short(steelyard: Run) -> None:
    done = steelyard(
        "doctor", "--json", STEELYARD_SANDBOX__BACKEND="docker", DOCKER_HOST="unix:///no"
    )
    assert done.returncode == 3
    assert json.loads(done.stdout)["sandbox"]["error"]


def test_help_names_every_command_and_the_exit_statuses(
    cold_steelyard: Run, steelyard: Run
) -> None:
    done = cold_steelyard("--help")
    assert done.returncode == 0
    for word in ("judge", "languages", "doctor", "demo", "Exit status", "infrastructure"):
        assert word in done.stdout
    assert "--fail-fast" in steelyard("judge", "--help").stdout
    assert steelyard("--version").stdout.startswith("steelyard ")
    assert steelyard("judge").returncode == 2


def test_no_message_steers_the_terminal(steelyard: Run) -> None:
    done = steelyard("profile", "absent\x1b[2J.py", "--generator", "gen.py")
    assert done.returncode == 2
    assert "\x1b" not in done.stderr
    assert "absent\\x1b[2J.py" in done.stderr


def test_names_outside_ascii_leave_tables_in_shape(cold_steelyard: Run, tmp_path: Path) -> None:
    (tmp_path / "größe.py").write_text("print(input())\n")
    cases = [
        {"input": "x\n", "expected": "x\n", "name": "Prüfung größer"},
        {"input": "y\n", "expected": "é\n", "name": "名前"},
    ]
    (tmp_path / "tests.json").write_text(json.dumps(cases))
    done = cold_steelyard(
        "judge",
        tmp_path / "größe.py",
        "--tests",
        tmp_path / "tests.json",
        PYTHONIOENCODING="ascii",
    )
    assert done.returncode == 1, done.stderr
    assert done.stdout.isascii()
    rows = [line for line in done.stdout.splitlines() if " AC " in line or " WA " in line]
    assert len(rows) == 2
    assert len({re.search(" (AC|WA) ", line).start() for line in rows}) == 1
    assert "\\u540d" in done.stdout
