"""Where versions of one function run: a project, an interpreter, and two fork servers."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from steelyard.equivalence._inspired import take_in
from steelyard.equivalence._options import CompareOptions
from steelyard.equivalence._versions import Version
from steelyard.equivalence.running import (
    Project,
    Run,
    Runner,
    interpreter_of,
    read_project,
    require_version,
)
from steelyard.equivalence.subject import Subject
from steelyard.errors import LanguageError, SubjectError
from steelyard.sandbox import CellPool
from steelyard.toolchains import find_toolchain

_STARTING_S = 60.0
_OTHER_HASH_SEED = 1


class Stand:
    """Runs versions of a function, under one hash seed or the other.

    Args:
        subject: The function in its project, which is only read.
        options: The interpreter, the limits.
        pool: Where everything runs.

    Raises:
        SubjectError: where the project cannot be read.
        LanguageError: where the interpreter cannot be used.
    """

    def __init__(self, subject: Subject, options: CompareOptions, pool: CellPool) -> None:
        self._options, self._pool = options, pool
        self.python = str(options.python or interpreter_of(subject.root))
        try:
            toolchain = find_toolchain("python", compiler=self.python)
        except LanguageError as error:
            raise LanguageError(
                f"{self.python} is not a usable Python interpreter; choose another with --python"
            ) from error
        self.python_version = toolchain.tool.version
        if toolchain.harness is None:
            raise SubjectError(
                f"{self.python} is not a Python interpreter; choose one with --python"
            )
        require_version(self.python_version)
        self.project: Project = read_project(subject.root)
        self.inspired = take_in(self.project, subject.root, options.inspired)
        self._runners = tuple(
            Runner(toolchain.harness, self.project, subject, pool, hash_seed=seed)
            for seed in (0, _OTHER_HASH_SEED)
        )
        self.isolation = pool.isolation
        self.draws_anew = False
        """Whether random values are a sequence in all runs, as the tests need."""

    def start_other(self) -> None:
        """Starts the second fork server, where it has a cell of its own."""
        if self._pool.size > 1:
            self._runners[1].run("nothing", {}, {}, self._options.run_limits(_STARTING_S))

    def adopt(self, modules: Sequence[str], sys_path: tuple[str, ...]) -> None:
        """Has all runs find modules where a run of the tests found them, the large ones loaded."""
        for runner in self._runners:
            runner.preload(modules)
            runner.sys_path = sys_path

    def run(
        self,
        kind: str,
        said: Mapping[str, Any],
        version: Version,
        calls: Iterable[bytes] = (),
        *,
        seconds: float,
        other_hash_seed: bool = False,
        cold: bool = False,
    ) -> Run:
        """One run of any kind with one version in place.

        Args:
            kind: One that incell/running/start.py knows.
            said: What it is told.
            version: Which one.
            calls: Pickled calls that go with it.
            seconds: The most that it may take.
            other_hash_seed: Under the other hash seed.
            cold: In an interpreter of its own.
        """
        edits = {f"edit:{path}": content for path, content in version.edits.items()}
        named = {f"call:{place}": call for place, call in enumerate(calls)}
        limits = self._options.run_limits(seconds)
        told = {"draws_anew": self.draws_anew, **said}
        return self._runners[other_hash_seed].run(kind, told, {**edits, **named}, limits, cold=cold)

    def run_both(
        self,
        kind: str,
        said: Mapping[str, Any],
        candidate: Version,
        blobs: Mapping[str, bytes],
        *,
        seconds: float,
        cold: bool = False,
    ) -> Run:
        """One run that is given both versions."""
        texts = {f"candidate:{path}": content for path, content in candidate.edits.items()}
        missing = []
        for path in candidate.edits:
            content = self.project.content(path)
            if content is None:
                missing.append(path)
            else:
                texts[f"original:{path}"] = content
        both = {
            "not_in_original": missing,
            "not_in_candidate": [],
            "draws_anew": self.draws_anew,
            **said,
        }
        limits = self._options.run_limits(seconds)
        return self._runners[0].run(kind, both, {**texts, **blobs}, limits, cold=cold)
