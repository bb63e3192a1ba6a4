"""Run Python candidates: the text that a cell's interpreter starts with, and its arguments."""

import base64
import dataclasses
import os
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.resources import files
from pathlib import Path

from steelyard.sandbox import (
    Blob,
    Command,
    ForkServer,
    Mount,
    View,
    fork_server_library,
)
from steelyard.schemas import Limits

STANDARD_MODULES = (
    "abc",
    "bisect",
    "builtins",
    "cmath",
    "collections",
    "collections.abc",
    "contextlib",
    "copy",
    "dataclasses",
    "datetime",
    "decimal",
    "enum",
    "fractions",
    "functools",
    "heapq",
    "inspect",
    "io",
    "itertools",
    "json",
    "math",
    "numbers",
    "operator",
    "os",
    "queue",
    "random",
    "re",
    "statistics",
    "string",
    "struct",
    "sys",
    "textwrap",
    "threading",
    "time",
    "traceback",
    "types",
    "typing",
    "warnings",
)
"""Modules that candidates import most; the fork server loads them."""

_PACKAGE = "steelyard.toolchains.incell"
_LIBRARY = "/steelyard/fork_server.so"
_MODULES = (
    "nodes",
    "leetcode",
    "ending",
    "program",
    "check",
    "names",
    "scopes",
    "gate",
    "calls",
    "tested",
    "handles",
    "channel",
    "answering",
    "asking",
    "suites",
    "asserts",
    "server",
    "main",
)
_ONE_THREAD = (
    "OMP_NUM_THREADS",
    "OPENBLAS_NUM_THREADS",
    "MKL_NUM_THREADS",
    "NUMEXPR_NUM_THREADS",
    "VECLIB_MAXIMUM_THREADS",
)


@dataclass(frozen=True)
class Harness:
    """One interpreter, and what it loads before a candidate starts."""

    interpreter: tuple[str, ...]
    """Its path and its own options."""
    view: View
    env: Mapping[str, str]
    preload: tuple[str, ...] = STANDARD_MODULES
    """Modules that the fork server loads, in order."""
    paths: tuple[str, ...] = ()
    """Folders in which it finds packages, besides its own library."""
    seed: int | None = 0
    """Seed for hashing and `random`. None: a new one per run, each in a new interpreter."""

    @staticmethod
    def compiled_name(source: str) -> str:
        """Return the file name of a checked source's code for the runs (incell/program.py)."""
        return f".{source}.code"

    def without(self, flags: tuple[str, ...]) -> "Harness":
        """Return the harness whose interpreter starts without its last flags."""
        kept = self.interpreter[: len(self.interpreter) - len(flags)]
        return dataclasses.replace(self, interpreter=kept)

    def served(self, command: Command, entry: tuple[str, ...]) -> Command:
        """Return the command with the fork server to run it, if the cell can have one.

        Without a fork server the harness runs it, so that `random` starts at the seed there too.

        Args:
            command: The command of a new interpreter, which holds if there is no seed.
            entry: An entry of `incell.main.enter` and its arguments, for the harness.
        """
        return dataclasses.replace(
            command,
            argv=command.argv if self.seed is None else self._argv(entry),
            env=self._env,
            view=self._served_view,
            server=self._server,
            forked_argv=entry,
        )

    def command(
        self,
        entry: tuple[str, ...],
        *,
        stdin: bytes | Blob,
        limits: Limits,
        sources: Mapping[str, bytes | Blob],
    ) -> Command:
        """Return one run of the harness itself.

        Args:
            entry: As for `served`.
            stdin: Standard input.
            limits: The run's limits.
            sources: Files of the work folder.
        """
        return Command(
            self._argv(entry),
            stdin=stdin,
            limits=limits,
            env=self._env,
            files=sources,
            view=self._served_view,
            server=self._server,
            forked_argv=entry,
        )

    def command_of(
        self,
        text: str,
        arguments: tuple[str, ...],
        *,
        stdin: bytes | Blob,
        limits: Limits,
        sources: Mapping[str, bytes | Blob],
    ) -> Command:
        """Return one run of a program other than the harness, in a new interpreter.

        Args:
            text: The program, as `text_of_modules` makes it.
            arguments: The arguments of its `main`.
            stdin: Standard input.
            limits: The run's limits.
            sources: Files of the work folder.
        """
        return Command(
            (*self.interpreter, "-c", text, *arguments),
            stdin=stdin,
            limits=limits,
            env=self._env,
            files=sources,
            view=self.view,
        )

    def _argv(self, entry: tuple[str, ...]) -> tuple[str, ...]:
        return (*self.interpreter, "-c", harness_text(), "run", self._start, *entry)

    @property
    def _start(self) -> str:
        """The seed as an argument of the harness."""
        return "" if self.seed is None else str(self.seed)

    @cached_property
    def _server(self) -> ForkServer | None:
        if self.seed is None:
            return None
        begin = ("server", _LIBRARY, self._start, os.pathsep.join(self.paths), *self.preload)
        argv = (*self.interpreter, "-S", "-c", harness_text(), *begin)
        return ForkServer(argv, tuple(self._env.items()))

    @cached_property
    def _served_view(self) -> View:
        library = Mount(str(fork_server_library()), _LIBRARY)
        return View((*self.view.mounts, library), self.view.scratch_mib)

    @cached_property
    def _env(self) -> Mapping[str, str]:
        seed = "random" if self.seed is None else str(self.seed % (1 << 32))
        one_thread = dict.fromkeys(_ONE_THREAD, "1")
        return {**one_thread, **self.env, "PYTHONHASHSEED": seed}


def with_environment(view: View, executable: str) -> View:
    """Return the view with an interpreter's virtual environment, if it belongs to one."""
    folder = Path(executable).parent.parent
    if not (folder / "pyvenv.cfg").is_file():
        return view
    return View((*view.mounts, Mount(str(folder))), view.scratch_mib)


@cache
def text_of_modules(names: tuple[str, ...]) -> str:
    """Return a program that makes modules from their texts and runs the last one's `main`.

    Args:
        names: As in `making_modules`.
    """
    return f"{making_modules(names)}module.main(sys.argv[1:])\n"


def making_modules(names: tuple[str, ...]) -> str:
    """Return the start of a program that makes modules from their texts; `module` is the last one.

    Args:
        names: Full names of modules of this package; each may import only those before it.
    """
    packages = sorted({each for name in names for each in _packages_around(name)})
    texts = "\0".join(_text_of(name) for name in names)
    packed = base64.b64encode(zlib.compress(texts.encode(), 1)).decode()  # arguments are limited
    return (
        "import binascii, sys, types, zlib\n"
        f"texts = zlib.decompress(binascii.a2b_base64({packed!r})).decode().split('\\0')\n"
        f"for name in {packages!r}:\n"
        "    sys.modules[name] = types.ModuleType(name)\n"
        "    sys.modules[name].__path__ = []\n"
        f"for name, text in zip({names!r}, texts):\n"
        "    module = sys.modules[name] = types.ModuleType(name)\n"
        "    parent, _, last = name.rpartition('.')\n"
        "    setattr(sys.modules[parent], last, module)\n"
        "    exec(compile(text, f'<{name}>', 'exec'), module.__dict__)\n"
    )


@cache
def harness_text() -> str:
    """Return the program that starts every run of a candidate."""
    return text_of_modules(
        ("steelyard.schemas.values", *(f"{_PACKAGE}.{name}" for name in _MODULES))
    )


def _packages_around(name: str) -> Iterator[str]:
    parts = name.split(".")
    return (".".join(parts[:count]) for count in range(1, len(parts)))


def _text_of(module: str) -> str:
    parts = module.split(".")[1:]
    return files("steelyard").joinpath(*parts[:-1], f"{parts[-1]}.py").read_text("utf-8")
