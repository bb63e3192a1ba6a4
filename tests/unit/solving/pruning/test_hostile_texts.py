"""Texts made to be slow, deep or large end soon and break nothing."""

from __future__ import annotations

import pytest

from steelyard.schemas import Constraints
from steelyard.solving.pruning import Pruner

_DEEP = {
    "loops": "\n".join(" " * depth + "for i in 1..n:" for depth in range(2_000)),
    "braces": "for (;;) {" * 2_000,
    "parentheses": "for (i = 0; i < " + "(" * 10_000 + "n" + ")" * 10_000 + "; i++) x",
    "quotes": "'\"" * 9_000,
    "functions": "\n".join(f"f{number}(n):\n  f{number}(n-1)" for number in range(900)),
    "chains": "\n".join(f"a{number} = " + f"a{number + 1} + " * 40 for number in range(200))
    + "\nfor i in 1..a0:\n  x",
    "powers": "for i in 1..n^n^n^n^n^n:\n  x",
    "sorts": "\n".join(["for i in 1..n:", *["  sort(a)"] * 1_500]),
    "whiles": "\n".join(["for i in 1..n:", *["  while j < n:\n    j += 1"] * 600]),
    "controls": "for\x00 i\x1b[2J in 1..n:\n  sort(a)\n",
    "spaces": "for " + " " * 19_000,
    "commas": "O(" + "," * 9_000,
}


@pytest.mark.parametrize("kind", _DEEP)
def test_a_hostile_plan_is_read_to_its_end(rules_broken: object, kind: str) -> None:
    assert callable(rules_broken)
    text = _DEEP[kind][:20_000]
    rules_broken(text, algorithm=text, stated=text[:200], n=100_000, m=10**18)


@pytest.mark.parametrize("kind", _DEEP)
def test_a_hostile_program_is_read_to_its_end(pruner: Pruner, kind: str) -> None:
    for source in (_DEEP[kind], "int main() {" + _DEEP[kind] + "}", "x = " + "(" * 50_000):
        pruner.check_code(source, "cpp", {"n": 10**5}, Constraints())
        pruner.check_code(source, "python", {"n": 10**5}, Constraints())


def test_a_program_of_many_statements_is_bounded(pruner: Pruner) -> None:
    cpp = (
        "int main(){" + "for(int i=0;i<n;i++){while(j<n)j++;sort(a.begin(),a.end());}" * 1_000 + "}"
    )
    assert pruner.check_code(cpp, "cpp", {"n": 10**5}, Constraints())
    python = "for i in range(n):\n" + "    a.sort()\n    s = [x for x in a if x in b]\n" * 1_500
    assert pruner.check_code(python, "python", {"n": 10**5}, Constraints())


def test_controls_do_not_reach_the_evidence(pruner: Pruner) -> None:
    source = "for i in range(n):\n    for j in open('\x1b[2J', range(n)):\n        a.pop(0)\n"
    source += "a = []\nfor i in range(n):\n    a.sort(key='\x1b[2J')\n"
    found = pruner.check_code(source, "python", {"n": 10**5}, Constraints())
    assert {each.rule for each in found} >= {"sort-in-loop"}
    assert all(each.evidence.isprintable() and each.message.isprintable() for each in found)


def test_half_surrogates_are_read(pruner: Pruner) -> None:
    source = "for \ud800 in range(n):\n    a.sort('\udfff')\n"
    for language in ("cpp", "python"):
        pruner.check_code(source, language, {"n\ud800": 10**5}, Constraints())  # type: ignore[arg-type]
