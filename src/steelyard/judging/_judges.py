"""Make a verifier's judges, one for each language and entry, from its arguments."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, get_args

from steelyard.errors import UsageError
from steelyard.judging._entries import (
    CaseIsolation,
    as_entry,
    as_policy,
    check_entry,
    entry_checker,
)
from steelyard.judging._judge import Judge
from steelyard.judging._outcome import Checker
from steelyard.judging._rewards import Reward, binary, graduated
from steelyard.sandbox import CellPool, shared_pool
from steelyard.schemas import Entry, Limits
from steelyard.toolchains import CompileCache, Toolchain, find_toolchain

__all__ = ["Judges", "is_within"]


class Judges:
    """The judges of one verifier, one for each language and entry; threads may share them.

    Args:
        given: The arguments of `ExecutionVerifier`, by name.
        pool: Where programs run; None is the pool that the process shares.
        default_compiler: The compiler if `given` names none; None is the best that is installed.

    Raises:
        LanguageError: for an unknown language, or a compiler that is not installed.
        UsageError: for arguments that are out of range or do not fit together.
    """

    def __init__(
        self, given: Mapping[str, Any], pool: CellPool | None, default_compiler: str | None
    ) -> None:
        self._given, self._pool, self._default_compiler = given, pool, default_compiler
        self.entry = as_entry(given["entry"])
        """The entry of programs for which a call names none."""
        self.language = given["language"] or ("cpp" if self.entry.kind == "stdio" else "python")
        self.toolchain = self._find(self.language)
        """The toolchain for programs that are text."""
        isolation = _isolation_of(given)
        check_entry(self.entry, self.toolchain, self._checker_for(self.entry), isolation)
        as_policy(given["policy"], self.toolchain)
        _with_cpu(self.toolchain.compile_limits, given["timeout"], "timeout")
        self.reward: Reward = given["reward"] or (graduated if given["partial_credit"] else binary)
        folder = given["binary_cache_dir"]
        self._parts: dict[str, Any] = {
            "limits": _with_cpu(given["limits"] or Limits(), given["run_timeout"], "run_timeout"),
            "cache": CompileCache(Path(folder)) if folder else CompileCache(),
            "fail_fast": given["fail_fast"],
            "reward": self.reward,
            "isolation": isolation,
            "compile_only": given["compile_only"],
        }
        self._judges: dict[tuple[str, Entry], Judge] = {}

    def judge_for(self, language: str, entry: Entry) -> Judge:
        """Return the judge for programs of a language, entered in one way.

        Raises:
            LanguageError: if the language has no compiler here.
            UsageError: if the entry does not fit the language or the checker.
        """
        judge = self._judges.get((language, entry))
        if judge is None:
            toolchain = self.toolchain if language == self.language else self._find(language)
            judge = self._judges[language, entry] = Judge(
                toolchain=toolchain,
                checker=self._checker_for(entry),
                pool=self._pool or shared_pool(),
                policy=as_policy(self._given["policy"], toolchain),
                compile_limits=_with_cpu(
                    toolchain.compile_limits, self._given["timeout"], "timeout"
                ),
                entry=entry,
                **self._parts,
            )
        return judge

    def _find(self, language: str) -> Toolchain:
        given = self._given
        return find_toolchain(
            language,
            compiler=given["compiler"] or self._default_compiler,
            flags=given["flags"],
            preload=given["preload"],
            seed=given["seed"],
        )

    def _checker_for(self, entry: Entry) -> Checker:
        given = self._given
        checker: Checker | None = given["checker"]
        abs_tol, rel_tol = given["abs_tol"], given["rel_tol"]
        if checker is None:
            return entry_checker(
                entry, given["match_mode"], abs_tol, rel_tol,
                sequences_alike=given["sequences_alike"], ignore_case=given["ignore_case"],
            )  # fmt: skip
        if not callable(getattr(checker, "check", None)):
            raise UsageError(
                f"checker is {type(checker).__name__}; give one of checker_for, or an object with "
                "check(case, output)"
            )
        if abs_tol is not None or rel_tol is not None:
            raise UsageError("a checker takes no tolerance; leave abs_tol and rel_tol out")
        if given["ignore_case"]:
            raise UsageError("a checker decides on case itself; leave ignore_case out")
        return checker


def _isolation_of(given: Mapping[str, Any]) -> CaseIsolation:
    isolation: CaseIsolation = given["isolation"]
    if isolation not in get_args(CaseIsolation):
        raise UsageError(f"isolation is {isolation!r}; use per_case or per_candidate")
    return isolation


def is_within(value: object, least: float, most: float) -> bool:
    """Return whether a value is a number in bounds; NaN never is."""
    return isinstance(value, int | float) and least <= value <= most


def _with_cpu(limits: Limits, seconds: float, name: str) -> Limits:
    if not is_within(seconds, 0.001, 86_400):
        raise UsageError(f"{name} is {seconds!r} s; make it between 0.001 and 86,400")
    return limits.replace(cpu_ms=round(seconds * 1000))
