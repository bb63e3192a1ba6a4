"""No candidate gets round a comparison, harms the one after it, or makes it fail."""

from collections.abc import Iterator
from typing import Any

import pytest

from steelyard.comparing import CompareBaseline, CompareOptions, compare_candidate
from steelyard.comparing._behaving import behaviour_of
from steelyard.comparing.function import Candidate, read_candidate
from steelyard.comparing.recording._versions import Version
from steelyard.comparing.timing._timing import Timed, time_both
from steelyard.schemas import Comparison, Limits
from tests.contract.compare_projects import make_project
from tests.hostile.compare_cheats import (
    AGAINST_THE_JUDGEMENT,
    AGAINST_THE_MACHINE,
    HONEST,
    MODULE,
    TESTS,
)
from tests.hostile.compare_timing_cheats import WHERE_IT_IS_TIMED

pytestmark = pytest.mark.usefixtures("file_view")
behaving = pytest.mark.xdist_group("compare_total")


def one_of_each_kind(cheats: dict[str, tuple[str, str]]) -> list[Any]:
    """Every run has the first cheat of each reason, and those that end at once."""
    reasons = {name: code.partition(" or ")[0] for name, (_, code) in cheats.items()}
    first = {reason: name for name, reason in reversed(reasons.items())}.values()
    return [
        pytest.param(
            name, marks=[] if code == "crashed" or name in first else [pytest.mark.exhaustive]
        )
        for name, (_, code) in cheats.items()
    ]


@pytest.fixture(scope="module")
def total(tmp_path_factory: pytest.TempPathFactory) -> Iterator[CompareBaseline]:
    root = make_project(tmp_path_factory.mktemp("total"), MODULE, TESTS)
    options = CompareOptions.of(
        generate=4, least_cases=2, limits=Limits(cpu_ms=2_000, memory_mib=512)
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("steelyard.comparing._baseline._HANGING_S", 3.0)
        yield CompareBaseline("shop.goods:total", root, options)


@pytest.fixture(scope="module")
def ranks(tmp_path_factory: pytest.TempPathFactory) -> CompareBaseline:
    root = make_project(tmp_path_factory.mktemp("ranks"), MODULE, TESTS)
    return CompareBaseline("shop.goods:ranks", root, CompareOptions.of(generate=8, least_cases=2))


def version_of(baseline: CompareBaseline, text: str) -> Version:
    read = read_candidate(baseline.subject, text)
    assert isinstance(read, Candidate), read
    return Version({baseline.subject.path: read.module_bytes})


def check_rejected(comparison: Comparison, code: str) -> None:
    assert comparison.verdict == "rejected"
    found = {reason.code for reason in comparison.reasons if reason.rejects}
    # On a busy machine the time of any attack may end before the attack has done what it tries.
    assert found & {"timed-out", *code.split(" or ")}, comparison
    for reason in comparison.reasons:
        assert reason.text
        assert reason.text.isprintable()
        assert len(reason.text) < 600


@behaving
@pytest.mark.parametrize("name", one_of_each_kind(AGAINST_THE_MACHINE))
def test_what_attacks_the_machine_is_rejected(total: CompareBaseline, name: str) -> None:
    text, code = AGAINST_THE_MACHINE[name]
    check_rejected(compare_candidate(total, text), code)


@behaving
@pytest.mark.parametrize("name", one_of_each_kind(AGAINST_THE_JUDGEMENT))
def test_what_attacks_the_judgement_is_rejected(total: CompareBaseline, name: str) -> None:
    text, code = AGAINST_THE_JUDGEMENT[name]
    check_rejected(compare_candidate(total, text), code)


@behaving
def test_what_is_honest_is_judged_as_if_nothing_had_been(total: CompareBaseline) -> None:
    """It runs after the attacks, in their process and on their cells."""
    for text, _ in (
        *list(AGAINST_THE_JUDGEMENT.values())[:3],
        AGAINST_THE_MACHINE["goes on twice"],
    ):
        compare_candidate(total, text)
    for _ in range(3):  # on a busy machine its time, too, may end
        behaviour, reasons = behaviour_of(total, version_of(total, HONEST))
        if {reason.code for reason in reasons if reason.rejects} != {"timed-out"}:
            break
    assert [reason.text for reason in reasons if reason.rejects] == []
    assert behaviour.verdict == "same"


@pytest.mark.xdist_group("timing")
@pytest.mark.parametrize("name", one_of_each_kind(WHERE_IT_IS_TIMED))
def test_what_cheats_where_it_is_timed_is_not_taken_for_faster(
    ranks: CompareBaseline, name: str
) -> None:
    """Timed without the look at its text, which names most of these before they run."""
    text, code = WHERE_IT_IS_TIMED[name]
    ranks.prepare()
    for _ in range(2):
        timed: Timed = time_both(ranks, version_of(ranks, text))
        found = {reason.code for reason in timed.reasons if reason.rejects}
        if found & set(code.split(" or ")):
            break
        # On a busy machine the figures may be too uncertain for a reason, and then for a gain.
        assert timed.speed.verdict != "faster", timed
    if "tampers" in code:
        assert timed.speed.verdict != "faster"
