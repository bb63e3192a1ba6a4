"""The project's own pytest options, less those of plug-ins that would disturb a comparison."""

from __future__ import annotations

import configparser
import os
import shlex
import tomllib
from collections.abc import Iterator
from typing import Any

_ALONE = frozenset({"-x", "--exitfirst", "-q", "-v", "-vv", "-s", "--lf", "--ff", "--nf", "--sw"})
_FAMILIES = (
    "--cov",
    "--no-cov",
    "--benchmark",
    "--codspeed",
    "--dist",
    "--numprocesses",
    "--maxprocesses",
    "--tx",
    "--reruns",
    "--timeout",
    "--maxfail",
    "--tb",
    "--durations",
    "--junit",
    "--html",
    "--self-contained-html",
    "--random-order",
    "--randomly",
    "--capture",
    "--verbosity",
    "--color",
    "--stepwise",
    "--cache-clear",
    "--last-failed",
    "--failed-first",
    "--new-first",
    "-n",
)
_TAKE_A_VALUE = frozenset(
    {
        "-n",
        "--numprocesses",
        "--maxprocesses",
        "--dist",
        "--tx",
        "--reruns",
        "--reruns-delay",
        "--timeout",
        "--maxfail",
        "--tb",
        "--durations",
        "--durations-min",
        "--cov-report",
        "--cov-config",
        "--cov-fail-under",
        "--junitxml",
        "--junit-xml",
        "--html",
        "--capture",
        "--verbosity",
        "--color",
    }
)


def kept_options(root: str) -> str:
    """The `addopts` of the project's configuration, as one line for `-o addopts=`."""
    return shlex.join(_kept(_configured(root, "addopts")))


def kept_places(root: str) -> list[str]:
    """The `testpaths` of the project's configuration."""
    return _configured(root, "testpaths")


def test_patterns(root: str) -> list[str]:
    """Return the `python_files` of the project's configuration, or pytest's own."""
    return _configured(root, "python_files") or ["test_*.py", "*_test.py"]


def _kept(options: list[str]) -> Iterator[str]:
    skip = False
    for option, following in zip(options, [*options[1:], ""], strict=False):
        name = option.partition("=")[0]
        if skip:
            skip = False
        elif option in _ALONE:
            continue
        elif name.startswith(_FAMILIES) and not name.startswith("--no-header"):
            skip = name in _TAKE_A_VALUE and "=" not in option
        elif option == "-p" and following.removeprefix("no:") in ("xdist", "sugar", "benchmark"):
            skip = True
        else:
            yield option


def _configured(root: str, option: str) -> list[str]:
    for name in ("pytest.ini", ".pytest.ini", "pyproject.toml", "tox.ini", "setup.cfg"):
        path = os.path.join(root, name)
        if not os.path.isfile(path):
            continue
        read = _from_toml if name.endswith(".toml") else _from_ini
        found = read(path, option)
        if found is not None:
            return found if isinstance(found, list) else shlex.split(found)
    return []


def _from_toml(path: str, option: str) -> Any:
    try:
        with open(path, "rb") as file:
            tool = tomllib.load(file).get("tool", {}).get("pytest", {})
    except (tomllib.TOMLDecodeError, UnicodeDecodeError):
        return None
    options = tool.get("ini_options", tool)
    return options.get(option, "") if options else None


def _from_ini(path: str, option: str) -> str | None:
    parser = configparser.ConfigParser(interpolation=None)
    try:
        parser.read(path, "utf-8")
    except configparser.Error:
        return None
    section = "tool:pytest" if path.endswith("setup.cfg") else "pytest"
    return parser.get(section, option, fallback="") if parser.has_section(section) else None
