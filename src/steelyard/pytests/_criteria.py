"""Criteria of a perfect suite, the better one of two suites, and issues for the model."""

from collections.abc import Iterator, Mapping, Sequence

from steelyard.schemas import (
    CATEGORIES,
    SuiteCategory,
    SuiteCriterion,
    SuiteEvidence,
    TestFault,
)

MINIMA: Mapping[SuiteCategory, int] = {"normal": 5, "edge": 5, "boundary": 3, "exception": 3}
"""How many tests of each category a suite needs."""
LEAST_COVERED = 0.9
"""Share of the module's lines and branches that tests must reach."""
MOST_SURVIVING = 0.15
"""Share of mutants that may live, or one mutant: about 7 % of mutants change nothing that a test
could notice, and suites that kill 85 % find about nine in ten real bugs."""
_SHOWN = 8
_SHOWN_CHARS = 600


def unmet_by(evidence: SuiteEvidence) -> tuple[SuiteCriterion, ...]:
    """Return the criteria that a suite does not meet, by what was measured of it."""
    if evidence.fault:
        return ("loads",)
    met: dict[SuiteCriterion, bool] = {
        "loads": True,
        "green": not evidence.red and evidence.tests > 0,
        "independent": not evidence.dependent,
        "can-fail": not evidence.cannot_fail,
        "minima": not any(_lacking(evidence).values()),
        "coverage": evidence.covered >= LEAST_COVERED,
        "mutation": len(evidence.survivors) <= _most_survivors(evidence.mutants),
        "bug": evidence.bug_found_by is None or bool(evidence.bug_found_by),
    }
    return tuple(name for name, holds in met.items() if not holds)


def rank_of(evidence: SuiteEvidence) -> tuple[float, ...]:
    """Return a key that is larger for the better suite.

    A suite that runs is better than one that does not, one without red tests better than one with,
    then the number of criteria counts, then how nearly all of them are met.
    """
    if evidence.fault:
        return (0.0,)
    total = evidence.tests + len(evidence.red)
    lacking = sum(_lacking(evidence).values())
    shares = (
        evidence.tests / total if total else 0.0,
        1 - len(evidence.dependent) / max(1, total),
        1 - len(evidence.cannot_fail) / max(1, evidence.tests),
        1 - lacking / sum(MINIMA.values()),
        evidence.covered,
        1.0 if evidence.mutation_score is None else evidence.mutation_score,
    )
    is_green = "green" not in evidence.unmet
    return (1.0, float(is_green), -float(len(evidence.unmet)), sum(shares))


def issues_of(evidence: SuiteEvidence) -> tuple[str, ...]:
    """Return what falls short, one item each, for the model to change."""
    return tuple(_issues(evidence))


def _issues(evidence: SuiteEvidence) -> Iterator[str]:
    if evidence.fault:
        yield f"The suite cannot be used: {evidence.fault}."
        return
    yield from _listed("These tests fail on the module as it is", evidence.red)
    yield from _listed("These tests depend on other tests or on their order", evidence.dependent)
    if evidence.cannot_fail:
        yield (
            "These tests passed although every function of the module returned something else, so "
            f"they check nothing: {_joined(evidence.cannot_fail)}."
        )
    for category, missing in _lacking(evidence).items():
        if missing:
            yield (
                f"{MINIMA[category]} {category} tests are needed and {MINIMA[category] - missing} "
                f"count; name each test_{category}_..."
            )
    if "minima" in evidence.unmet:
        yield from _listed("These tests do not count for their category", evidence.uncounted)
    if "coverage" in evidence.unmet:
        yield _uncovered(evidence)
    if "mutation" in evidence.unmet:
        yield (
            f"{len(evidence.survivors)} of {evidence.mutants} small changes of the module make no "
            "test fail. Write a test that fails on each of these changes:\n"
            + "\n".join(each.diff[:_SHOWN_CHARS] for each in evidence.survivors[:_SHOWN])
        )
    if "bug" in evidence.unmet:
        yield "No test fails on a version of the module with a known bug."


def _listed(title: str, faults: Sequence[TestFault]) -> Iterator[str]:
    if faults:
        lines = [f"- {str(each)[:_SHOWN_CHARS]}" for each in faults[:_SHOWN]]
        more = len(faults) - len(lines)
        yield "\n".join([f"{title}:", *lines, *([f"- and {more} more"] if more > 0 else [])])


def _joined(names: Sequence[str]) -> str:
    more = len(names) - _SHOWN
    return ", ".join(names[:_SHOWN]) + (f" and {more} more" if more > 0 else "")


def _uncovered(evidence: SuiteEvidence) -> str:
    lines = evidence.coverage.missing_lines if evidence.coverage else ()
    branches = [f"{one} to {other}" for one, other in evidence.missing_branches if other > 0]
    missing = [
        *([f"lines {_joined([str(line) for line in lines])}"] if lines else []),
        *([f"the steps from line {_joined(branches)}"] if branches else []),
    ]
    return (
        f"The tests reach {evidence.covered:.0%} of the module's lines and branches, and "
        f"{LEAST_COVERED:.0%} are needed; not reached: {'; '.join(missing) or 'everything'}."
    )


def _lacking(evidence: SuiteEvidence) -> dict[SuiteCategory, int]:
    return {each: max(0, MINIMA[each] - evidence.counts.get(each, 0)) for each in CATEGORIES}


def _most_survivors(mutants: int) -> int:
    return min(max(1, int(mutants * MOST_SURVIVING)), max(0, mutants - 1))
