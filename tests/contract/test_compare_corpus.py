"""The verdict is right on every pair of the corpus, and for the right reason.

Every run judges pairs that together have each kind of verdict, each reason and each form; the
exhaustive tests judge every pair. Timing takes most of a comparison: every run times few pairs.
"""

import tomllib
from collections.abc import Callable, Iterable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from steelyard import compare
from steelyard.equivalence import CompareBaseline, CompareOptions
from tests.contract.compare_projects import compare_behaviour

Pair = dict[str, Any]

CORPUS = Path(__file__).parent.parent / "corpus" / "compare"
PAIRS: dict[str, Pair] = {
    path.parent.name: tomllib.loads(path.read_text("utf-8"))
    for path in sorted(CORPUS.glob("*/pair.toml"))
}
BY_SPEED = {"not-faster", "slower", "remembers-calls", "works-elsewhere"}
"""The reasons that only timing finds."""


def reasons_of(pair: Pair) -> set[str]:
    """Return the codes of which a comparison must find some or all."""
    return {*pair["reasons"], *pair.get("any_of", ())}


def is_timed(pair: Pair) -> bool:
    """Return if both versions may behave alike, so that their speed decides."""
    return pair["verdict"] == "accepted" or bool(reasons_of(pair) & BY_SPEED)


def traits_of(name: str) -> set[tuple[object, ...]]:
    """Return the kind of a pair's verdict, and its reasons: each by itself if timing is needed."""
    pair, reasons = PAIRS[name], sorted(reasons_of(PAIRS[name]))
    kind = (pair["group"], pair["verdict"], is_timed(pair))
    return {kind, *((each,) for each in reasons)} if is_timed(pair) else {(*kind, *reasons)}


def traits_and_form_of(name: str) -> set[tuple[object, ...]]:
    """Return what a pair is like, where versions may behave alike or not."""
    pair = PAIRS[name]
    fields = ("form", "needs", "seen_by_tests")
    return traits_of(name) | {(is_timed(pair), field, str(pair.get(field))) for field in fields}


def covering(names: list[str], traits: Callable[[str], set[tuple[object, ...]]]) -> set[str]:
    """Return a few pairs that have all traits together: each time the one with most new traits."""
    missing = set().union(*map(traits, names))
    chosen = set()
    while missing:
        best = max(names, key=lambda name: len(traits(name) & missing))
        chosen.add(best)
        missing -= traits(best)
    return chosen


TIMED = [name for name, pair in PAIRS.items() if is_timed(pair)]
OF_EACH_SPEED = covering(TIMED, traits_of)
LONG = [name for name in TIMED if name not in OF_EACH_SPEED]
"""Pairs that only the exhaustive tests time."""
OF_EACH_FORM = covering([*PAIRS], traits_and_form_of)
"""Pairs whose behaviour every run judges."""
IN_EVERY_RUN = (OF_EACH_FORM | OF_EACH_SPEED) - {*LONG}


def params(names: list[str], *, are_timed: bool) -> list[Any]:
    """Put pairs that are timed into one process, and pairs that need the same packages."""
    found = []
    for name in names:
        needs = PAIRS[name].get("needs", ())
        group = "timing" if are_timed and name in TIMED else next(iter(needs), "")
        marks = [pytest.mark.xdist_group(group)] if group else []
        if name not in (IN_EVERY_RUN if are_timed else OF_EACH_FORM):
            marks.append(pytest.mark.exhaustive)
        found.append(pytest.param(name, marks=marks))
    return found


def pair_of(name: str) -> Pair:
    """Return a pair if the packages that it needs are installed."""
    for module in PAIRS[name].get("needs", ()):
        if find_spec(module) is None:
            pytest.skip(f"needs {module}")
    return PAIRS[name]


def candidate_of(name: str) -> Path:
    return next((CORPUS / name).glob("candidate.*"))


def test_the_corpus_is_whole() -> None:
    groups = [pair["group"] for pair in PAIRS.values()]
    assert len(PAIRS) >= 60
    for group in ("alike-faster", "alike-not-faster", "subtly-wrong", "cheating"):
        assert groups.count(group) >= 10


def test_every_run_judges_pairs_of_each_kind() -> None:
    def all_of(names: Iterable[str]) -> set[tuple[object, ...]]:
        return set().union(*map(traits_of, names))

    assert all_of(IN_EVERY_RUN) == all_of(PAIRS)
    assert all_of(OF_EACH_SPEED) == all_of(TIMED)
    for field in ("form", "seen_by_tests", "verdict"):
        assert {PAIRS[name][field] for name in IN_EVERY_RUN} == {
            pair[field] for pair in PAIRS.values()
        }


@pytest.mark.usefixtures("file_view")
@pytest.mark.parametrize("name", params(LONG, are_timed=False))
def test_behaviour(name: str) -> None:
    pair = pair_of(name)
    options = CompareOptions.of(**pair.get("options", {}))
    baseline = CompareBaseline(pair["function"], CORPUS / name / "project", options)
    behaviour, reasons = compare_behaviour(baseline, candidate_of(name).read_text("utf-8"))
    assert behaviour is not None
    said = "\n".join(f"{reason.code}: {reason.text}" for reason in reasons)
    rejecting = {reason.code for reason in reasons if reason.rejects}
    assert rejecting <= reasons_of(pair), said
    assert rejecting or behaviour.verdict == "same", behaviour


@pytest.mark.usefixtures("file_view")
@pytest.mark.parametrize("name", params([*PAIRS], are_timed=True))
def test_verdict(name: str) -> None:
    pair = pair_of(name)
    found = compare(
        candidate_of(name),
        function=pair["function"],
        root=CORPUS / name / "project",
        **pair.get("options", {}),
    )
    reasons = {reason.code for reason in found.reasons if reason.rejects}
    said = "\n".join(f"{reason.code}: {reason.text}" for reason in found.reasons)
    assert found.verdict == pair["verdict"], said
    # A machine that is too loaded to decide says so; it must never say the contrary. What speaks
    # against a gain is asked only where there is one.
    unsure = BY_SPEED if "undecided" in reasons else set()
    assert set(pair["reasons"]) - unsure <= reasons, said
    assert not pair.get("any_of") or reasons & set(pair["any_of"]), said
    assert found.passed or reasons, found
