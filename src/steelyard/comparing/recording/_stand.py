"""Where versions of one function run: a project, an interpreter, and two fork servers."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from steelyard.comparing._options import CompareOptions
from steelyard.comparing.recording._inspired import take_in
from steelyard.comparing.recording._versions import Version
from steelyard.errors import LanguageError, SubjectError
from steelyard.project_runs import (
    NOTHING,
    Plan,
    Project,
    Run,
    Runner,
    Subject,
    interpreter_of,
    read_project,
    require_version,
)
from steelyard.sandbox import CellPool
from steelyard.toolchains import find_toolchain

_KINDS = {
    "tests": "steelyard.comparing.recording.incell.testing:run_tests",
    "outside": "steelyard.comparing.recording.incell.testing:run_outside",
    "script": "steelyard.comparing.recording.incell.testing:run_script",
    "calls": "steelyard.comparing.calls.incell.calling:run_calls",
    "making": "steelyard.comparing.calls.incell.making:run_making",
    "concolic": "steelyard.comparing.calls.incell.making:run_concolic",
    "planting": "steelyard.comparing.calls.incell.making:run_planting",
    "shrinking": "steelyard.comparing.calls.incell.shrinking:run_shrinking",
    "covering": "steelyard.comparing.calls.incell.covering:run_covering",
    "measuring": "steelyard.comparing.calls.incell.measuring:run_measuring",
    "pairs": "steelyard.comparing.timing.incell.pairing:run_pairs",
    "apart": "steelyard.comparing.timing.incell.apart:run_apart",
    "loops": "steelyard.comparing.timing.incell.looping:run_loops",
}
"""The kinds of runs, and where each of them is."""
_DRAW_ANEW = "steelyard.comparing.steadiness.incell.patches:draw_anew"
_PREPARES = (
    "steelyard.comparing.steadiness.incell.patches:apply",
    "steelyard.comparing.effects.incell.world:made_world",
)
_DRAWS = "steelyard.comparing.calls.incell.generate:prepare"
"""Under the first hash seed, where calls are drawn."""
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
        kinds = (NOTHING, _DRAW_ANEW, *_KINDS.values())
        plans = (Plan(kinds, (_DRAWS, *_PREPARES)), Plan(kinds, _PREPARES))
        self._runners = tuple(
            Runner(toolchain.harness, self.project, subject, pool, plan, hash_seed=seed)
            for seed, plan in zip((0, _OTHER_HASH_SEED), plans, strict=True)
        )
        self.isolation = pool.isolation
        self.draws_anew = False
        """Whether random values are a sequence in all runs, as the tests need."""

    @property
    def _first(self) -> list[str]:
        return [_DRAW_ANEW] if self.draws_anew else []

    def start_other(self) -> None:
        """Starts the second fork server, where it has a cell of its own."""
        if self._pool.size > 1:
            self._runners[1].run(NOTHING, {}, {}, self._options.run_limits(_STARTING_S))

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
            kind: One of `_KINDS`.
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
        told = {"first": self._first, **said}
        runner = self._runners[other_hash_seed]
        return runner.run(_KINDS[kind], told, {**edits, **named}, limits, cold=cold)

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
            "first": self._first,
            **said,
        }
        limits = self._options.run_limits(seconds)
        return self._runners[0].run(_KINDS[kind], both, {**texts, **blobs}, limits, cold=cold)
