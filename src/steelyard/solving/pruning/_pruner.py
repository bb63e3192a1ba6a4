"""Find hopeless plans and programs before any code is paid for or run."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Literal

from steelyard._printable import printable
from steelyard.schemas import Constraints, PlanMessage, PruneFinding
from steelyard.solving.pruning._code import code_findings
from steelyard.solving.pruning._plan import plan_findings
from steelyard.solving.pruning._rules import Rules, RulesError, packaged_rules, parse_rules

_MOST_BYTES = 400_000


class Pruner:
    """The static rules.

    The rules are read again when their file has changed. If the file is broken, the last valid
    rules stay in force, and `problems` lists its faults.

    Args:
        rules_file: A TOML file; None for the rules that come with the package.
    """

    def __init__(self, rules_file: Path | None = None) -> None:
        self._file = rules_file
        self._rules = packaged_rules()
        self._problems: tuple[str, ...] = ()
        self._stamp: tuple[int, int] | None = None

    @property
    def problems(self) -> tuple[str, ...]:
        """The faults of the rules' file, one line each; empty if there are no faults."""
        self._reload()
        return self._problems

    def check_plan(
        self, plan: PlanMessage, language: Literal["cpp", "python"] = "cpp"
    ) -> tuple[PruneFinding, ...]:
        """Return why a plan is hopeless; empty if it breaks no rule.

        Args:
            plan: The plan. Its texts are read, and never run.
            language: The language of the program to write.
        """
        return plan_findings(plan, self._reload(), python=language == "python")

    def check_code(
        self,
        source: str,
        language: Literal["cpp", "python"],
        bounds: Mapping[str, int],
        constraints: Constraints,
    ) -> tuple[PruneFinding, ...]:
        """Return why a program is hopeless; empty if it breaks no rule or cannot be parsed.

        Args:
            source: The program's text. It is read, and never run.
            language: Its language.
            bounds: The largest sizes of the input, by name.
            constraints: Its limits, `runtime_limit` in ms and `memory_limit` in MiB.
        """
        return code_findings(source, language, bounds, constraints, self._reload())

    def _reload(self) -> Rules:
        if self._file is None:
            return self._rules
        try:
            stat = self._file.stat()
            stamp = (stat.st_mtime_ns, stat.st_size)
            if stamp == self._stamp:
                return self._rules
            with self._file.open("rb") as opened:
                content = opened.read(_MOST_BYTES)
            self._rules = parse_rules(content.decode("utf-8"))
            self._problems = ()
            self._stamp = stamp
        except OSError as error:
            self._stamp = None
            self._report((error.strerror or type(error).__name__,))
        except UnicodeDecodeError:
            self._stamp = stamp
            self._report(("not UTF-8",))
        except RulesError as error:
            self._stamp = stamp
            self._report(error.problems)
        return self._rules

    def _report(self, problems: tuple[str, ...]) -> None:
        self._problems = tuple(printable(f"{self._file}: {each}") for each in problems)
