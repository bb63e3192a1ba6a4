"""Find hopeless plans and programs before any code is paid for or run.

1. The rules are read from a TOML file, anew when it has changed.
2. A plan's prose and stated complexity are checked (`_prose`).
3. Pseudocode, C++ or Python is parsed into a tree of blocks (`_tree`), with the values of its names
   at the largest input (`_reading`), and every path through its loops is collected (`_paths`).
4. Loops, recursion and tables are checked by these paths (`_loops`, `_recursion`, `_tables`).
5. The first finding of each rule is returned.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from steelyard._printable import printable
from steelyard.schemas import Constraints, PlanMessage, PruneFinding, SolutionLanguage
from steelyard.solving.pruning._loops import loop_findings
from steelyard.solving.pruning._paths import Paths
from steelyard.solving.pruning._prose import stated_findings, word_findings
from steelyard.solving.pruning._pseudocode import parse_pseudocode
from steelyard.solving.pruning._reading import SizedTree
from steelyard.solving.pruning._recursion import recursion_findings
from steelyard.solving.pruning._rules import PruningRules, RulesError, packaged_rules, parse_rules
from steelyard.solving.pruning._sizes import Sizes
from steelyard.solving.pruning._tables import table_findings
from steelyard.solving.pruning._tree import readable

_MOST_BYTES = 400_000
_LONGEST_TEXT = 20_000
_LONGEST_PROGRAM = 200_000
"""Most characters of a program that are checked: longer ones are left to the judge."""


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
        self, plan: PlanMessage, language: SolutionLanguage = "cpp"
    ) -> tuple[PruneFinding, ...]:
        """Return why a plan is hopeless; empty if it breaks no rule.

        Args:
            plan: The plan. Its texts are read, and never run.
            language: The language of the program to write.
        """
        return _plan_findings(plan, self._reload(), python=language == "python")

    def check_code(
        self,
        source: str,
        language: SolutionLanguage,
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
        return _code_findings(source, language, bounds, constraints, self._reload())

    def _reload(self) -> PruningRules:
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


def _plan_findings(
    plan: PlanMessage, rules: PruningRules, *, python: bool
) -> tuple[PruneFinding, ...]:
    """Return the rules that a plan's words, stated complexity and pseudocode break."""
    if not plan.input_bounds:
        return ()
    sizes = Sizes(plan.input_bounds, readable(plan.problem_statement, _LONGEST_TEXT))
    seconds = plan.constraints.runtime_limit / 1_000
    limit_bytes = plan.constraints.memory_limit * 2**20
    budget = rules.budget
    rate = budget.python_steps_per_second if python else budget.cpp_steps_per_second
    found: list[PruneFinding] = []
    algorithm = readable(plan.algorithm, _LONGEST_TEXT)
    if plan.expected_complexity:
        stated = readable(plan.expected_complexity, _LONGEST_TEXT)
        found += stated_findings(stated, sizes, seconds * rate)
    found += word_findings(algorithm, sizes, rules, seconds * rate, limit_bytes)
    text = readable(plan.pseudocode or "", _LONGEST_TEXT)
    if text:
        paths = Paths(SizedTree(parse_pseudocode(text), sizes))
        found += loop_findings(paths, rules, seconds, python=python)
        found += recursion_findings(paths, rules, "plan", f"{algorithm}\n\n{text}")
        found += table_findings(paths, rules, limit_bytes, filled=True)
    return _one_of_each(found, rules)


def _code_findings(
    source: str,
    language: SolutionLanguage,
    bounds: Mapping[str, int],
    limits: Constraints,
    rules: PruningRules,
) -> tuple[PruneFinding, ...]:
    """Return what a program's loops, recursion and tables break."""
    if not bounds or len(source) > _LONGEST_PROGRAM:
        return ()
    source = readable(source, _LONGEST_PROGRAM)
    if language == "cpp":
        from steelyard.solving.pruning._cpp import parse_cpp  # noqa: PLC0415 - a native module

        root = parse_cpp(source)
    else:
        from steelyard.solving.pruning._python import parse_python  # noqa: PLC0415 - its sibling

        root = parse_python(source)
    paths = Paths(SizedTree(root, Sizes(bounds)))
    found = [
        *loop_findings(paths, rules, limits.runtime_limit / 1_000, python=language == "python"),
        *recursion_findings(paths, rules, language, source),
        *table_findings(paths, rules, limits.memory_limit * 2**20, filled=False),
    ]
    return _one_of_each(found, rules)


def _one_of_each(findings: Iterable[PruneFinding], rules: PruningRules) -> tuple[PruneFinding, ...]:
    """Return the first finding of each rule that is enabled."""
    first: dict[str, PruneFinding] = {}
    for finding in findings:
        if rules.named(finding.rule).enabled:
            first.setdefault(finding.rule, finding)
    return tuple(first.values())
