"""The verdict is right on every pair of the corpus, and for the right reason."""

import tomllib
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from steelyard import compare

CORPUS = Path(__file__).parent.parent / "corpus" / "compare"
_FOUND = {
    path.parent.name: tomllib.loads(path.read_text("utf-8"))
    for path in sorted(CORPUS.glob("*/pair.toml"))
}
PAIRS = dict(sorted(_FOUND.items(), key=lambda pair: pair[1].get("needs", [])))
"""Those that need the same packages one after the other: fork servers load them once."""


def test_the_corpus_is_whole() -> None:
    groups = [pair["group"] for pair in PAIRS.values()]
    assert len(PAIRS) >= 60
    for group in ("alike-faster", "alike-not-faster", "subtly-wrong", "cheating"):
        assert groups.count(group) >= 10


@pytest.mark.parametrize("name", PAIRS)
def test_verdict(name: str) -> None:
    pair: dict[str, Any] = PAIRS[name]
    for module in pair.get("needs", ()):
        if find_spec(module) is None:
            pytest.skip(f"needs {module}")
    candidate = next((CORPUS / name).glob("candidate.*"))
    found = compare(
        candidate,
        function=pair["function"],
        root=CORPUS / name / "project",
        **pair.get("options", {}),
    )
    reasons = {reason.code for reason in found.reasons if reason.rejects}
    said = "\n".join(f"{reason.code}: {reason.text}" for reason in found.reasons)
    assert found.verdict == pair["verdict"], said
    # A machine that is too loaded to decide says so; it must never say the contrary. What speaks
    # against a gain is asked only where there is one.
    by_speed = {"not-faster", "slower", "remembers-calls", "works-elsewhere"}
    unsure = by_speed if "undecided" in reasons else set()
    assert set(pair["reasons"]) - unsure <= reasons, said
    assert not pair.get("any_of") or reasons & set(pair["any_of"]), said
    assert found.accepted or reasons, found
