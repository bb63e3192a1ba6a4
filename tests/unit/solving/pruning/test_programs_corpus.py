"""Programs in C++ and Python: the hopeless are refused by the rule that fits, the good pass."""

from __future__ import annotations

from pathlib import Path

import pytest

from steelyard.schemas import Constraints
from steelyard.solving.pruning import Pruner

_PROGRAMS = Path(__file__).parents[3] / "corpus" / "prunable"
_RULES = {
    "hopeless-called-scan.cpp": "nested-loops",
    "hopeless-clear-per-query.cpp": "whole-array-per-round",
    "hopeless-cubic.cpp": "loop-depth",
    "hopeless-deep.py": "deep-recursion",
    "hopeless-erase-front.cpp": "front-of-array",
    "hopeless-fibonacci.cpp": "branching-recursion",
    "hopeless-list-search.py": "list-search",
    "hopeless-pairs.py": "nested-loops",
    "hopeless-permutations.py": "enumeration",
    "hopeless-range-scan.cpp": "nested-loops",
    "hopeless-sort-in-loop.cpp": "sort-in-loop",
    "hopeless-subsets.cpp": "enumeration",
    "hopeless-table.cpp": "table-memory",
}


@pytest.mark.parametrize("path", sorted(_PROGRAMS.iterdir()), ids=lambda path: path.name)
def test_a_program_is_judged_by_its_text(pruner: Pruner, path: Path) -> None:
    source = path.read_text()
    words = (word.split("=") for word in source.partition("\n")[0].split()[1:])
    bounds = {name: int(value) for name, value in words}
    limits = Constraints(runtime_limit=bounds.pop("ms"), memory_limit=bounds.pop("mib"))
    language = "cpp" if path.suffix == ".cpp" else "python"
    found = {each.rule for each in pruner.check_code(source, language, bounds, limits)}
    if path.name.startswith("good"):
        assert not found
    else:
        assert _RULES[path.name] in found


def test_every_hopeless_program_has_its_rule() -> None:
    assert {path.name for path in _PROGRAMS.glob("hopeless-*")} == set(_RULES)


def test_a_program_on_one_line_reads_as_any_other(pruner: Pruner) -> None:
    source = (
        "int main(){int n;cin>>n;long long s=0;for(int i=0;i<n;i++){s+=i;}"
        "for(int i=0;i<n;i++)for(int j=0;j<n;j++)s+=i*j;cout<<s;}"
    )
    limits = Constraints()
    assert pruner.check_code(source, "cpp", {"n": 1_000_000}, limits)
    assert not pruner.check_code(source, "cpp", {"n": 1_000}, limits)


def test_a_text_that_is_no_program_is_left_to_the_compiler(pruner: Pruner) -> None:
    limits = Constraints()
    assert pruner.check_code("def (:", "python", {"n": 10**6}, limits) == ()
    assert pruner.check_code("}}} int ((", "cpp", {"n": 10**6}, limits) == ()
    assert pruner.check_code("", "cpp", {"n": 10**6}, limits) == ()
    assert pruner.check_code("for i in range(10**18): pass", "python", {}, limits) == ()
