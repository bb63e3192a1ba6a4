"""Start a harness process, either as the fork server or as one run without a server."""

from __future__ import annotations

import _sitebuiltins
import builtins
import importlib
import json
import os
import sys
from typing import NoReturn

from steelyard.toolchains.incell import (
    answering,
    asserts,
    calls,
    check,
    gate,
    leetcode,
    program,
    server,
)


def main(arguments: list[str]) -> NoReturn:
    """Run `server LIBRARY SEED PATHS MODULE...`, or `run SEED` and the arguments of `enter`.

    With an empty seed each run has a new random seed.
    """
    if sys.path and not sys.path[0]:
        del sys.path[0]  # the work folder, which is a candidate's
    _forget_the_package()
    kind, *rest = arguments
    if kind == "run":
        server.seed_all(int(rest[0]) if rest[0] else None)
        enter(rest[1:])
    library, seed, paths, *modules = rest
    _emulate_site(paths)
    for name in modules:
        try:
            importlib.import_module(name)
        except Exception as error:
            sys.exit(f"cannot preload {name}: {error}")
    server.serve(enter, library, int(seed))


def enter(argv: list[str]) -> NoReturn:
    """Run a script, calls, one side of assertions, or a check of the text."""
    kind, rest = argv[0], argv[1:]
    if kind == "stdio":
        program.run_script(*rest)
    elif kind == "checker":
        program.run_checker(*rest)
    elif kind == "named":
        program.run_script(rest[0], prepare=leetcode.give_names)
    elif kind in ("function", "class", "methods"):
        calls.run_calls(rest[0], kind, rest[1], to_the_end="to-the-end" in rest[2:])
    elif kind == "served":
        answering.serve_candidate(rest[0])
    elif kind == "checked-and-served":
        answering.check_and_serve(rest[0], *_examining(rest[1:]))
    elif kind == "asserts":
        asserts.run_asserts(int(rest[0]))
    elif kind == "check":
        status, findings = check.check(rest[0], *_examining(rest[1:]))
        json.dump(findings, sys.stdout)
        sys.stdout.flush()
        os._exit(status)
    sys.exit(f"no such entry: {kind}")


def _examining(policies: list[str]) -> list[check.Examine]:
    return [gate.Gate(policy).examine for policy in policies]


def _emulate_site(paths: str) -> None:
    """Do what `site` does for a program, except for running the packages' `.pth` files.

    These can load as much as the interpreter itself, and every run would copy it.
    """
    sys.path.extend(path for path in paths.split(os.pathsep) if path not in sys.path)
    for name in ("exit", "quit"):
        setattr(builtins, name, _sitebuiltins.Quitter(name, "Ctrl-D (i.e. EOF)"))
    builtins.help = _sitebuiltins._Helper()


def _forget_the_package() -> None:
    """Hide this package from candidates that import a module of its name."""
    for name in [name for name in sys.modules if name.partition(".")[0] == "steelyard"]:
        del sys.modules[name]
