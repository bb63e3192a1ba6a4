"""The verdict is right on every pair of the corpus, and for the right reason.

Every run judges pairs that together have each kind of verdict, each reason that needs no timing,
each form and each library; the exhaustive tests judge every pair. Timing takes most of a
comparison: every run times one pair that is faster, and one that is not.
"""

import tomllib
from collections.abc import Iterable, Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from _pytest.mark import ParameterSet

from steelyard import compare

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
    """Return what a pair shows."""
    pair = PAIRS[name]
    return {
        ("verdict", pair["group"], pair["verdict"]),
        ("form", pair["form"]),
        ("needs", *pair.get("needs", ())),
        ("seen by tests", pair["seen_by_tests"]),
        *(("reason", reason) for reason in pair["reasons"]),
    }


def traits_of_all(names: Iterable[str]) -> set[tuple[object, ...]]:
    return set().union(*map(traits_of, names))


def covering(names: list[str], missing: set[tuple[object, ...]]) -> list[str]:
    """Return a few pairs that have the traits together: each time the one with most of them."""
    chosen = []
    while missing:
        chosen.append(max(names, key=lambda name: len(traits_of(name) & missing)))
        missing = missing - traits_of(chosen[-1])
    return chosen


TIMED = ("access_log_levels", "checksum_blocks")
"""Pairs that every run times."""
UNTIMED = [name for name, pair in PAIRS.items() if not is_timed(pair)]
IN_EVERY_RUN = [*TIMED, *covering(UNTIMED, traits_of_all(UNTIMED) - traits_of_all(TIMED))]


def params() -> Iterator[ParameterSet]:
    """Put pairs that are timed into one process, and pairs that need the same packages."""
    for name, pair in PAIRS.items():
        group = "timing" if is_timed(pair) else next(iter(pair.get("needs", ())), "")
        marks = [pytest.mark.xdist_group(group)] if group else []
        if name not in IN_EVERY_RUN:
            marks.append(pytest.mark.exhaustive)
        yield pytest.param(name, marks=marks)


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
    assert not traits_of_all(UNTIMED) - traits_of_all(IN_EVERY_RUN)
    for field in ("form", "seen_by_tests", "verdict", "group"):
        assert {PAIRS[name][field] for name in IN_EVERY_RUN} == {
            pair[field] for pair in PAIRS.values()
        }


@pytest.mark.usefixtures("file_view")
@pytest.mark.parametrize("name", [*params()])
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
    undecided = found.speed is not None and found.speed.verdict == "undecided"
    unsure = BY_SPEED if undecided or "undecided" in reasons else set()
    assert set(pair["reasons"]) - unsure <= reasons, said
    assert not pair.get("any_of") or reasons & set(pair["any_of"]), said
    assert found.passed or reasons, found
