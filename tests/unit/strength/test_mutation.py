"""Mutants: each operator's changes, every one of them applied, and none of them twice."""

import ast
from typing import Any

import pytest

from steelyard.strength.incell.mutate import Mutator
from steelyard.strength.incell.operators import OPERATORS

ALL = 1 << 30


def mutants(source: str, most: int = ALL) -> list[tuple[str, str]]:
    """The operator and the text of each mutant."""
    text = source.encode()
    found: Any = Mutator(text).mutants(most)
    return [
        (operator, (text[:start] + after.encode() + text[end:]).decode())
        for operator, _, start, end, after in found["edits"]
    ]


def of(operator: str, source: str) -> set[str]:
    """The mutants of a function's last line by one operator, without its indentation."""
    body = "\n".join(f"    {line}" for line in source.splitlines())
    whole = f"def f(a, b, items):\n{body}\n"
    return {text.splitlines()[-1].strip() for name, text in mutants(whole) if name == operator}


@pytest.mark.parametrize(
    ("operator", "line", "changed"),
    [
        ("comparison", "return a < b", {"return a <= b", "return a >= b"}),
        (
            "comparison",
            "return 0 < a <= b",
            {
                "return 0 <= a <= b",
                "return 0 >= a <= b",
                "return 0 < a < b",
                "return 0 < a > b",
            },
        ),
        ("arithmetic", "return a // b", {"return a / b", "return -(-a // b)"}),
        ("arithmetic", "a += b", {"a -= b"}),
        ("constant", "return a + 10", {"return a + 11", "return a + 9"}),
        ("constant", "return True", {"return False"}),
        ("constant", "return 'yes'", {"return ''"}),
        (
            "condition",
            "return 1 if a else b",
            {
                "return 1 if True else b",
                "return 1 if False else b",
            },
        ),
        (
            "condition",
            "return [x for x in items if x > a]",
            {
                "return [x for x in items if True]",
                "return [x for x in items if False]",
            },
        ),
        ("delete", "items.clear()", {"pass"}),
        ("index", "return items[a]", {"return items[a + 1]", "return items[a - 1]"}),
        (
            "slice",
            "return items[a:]",
            {
                "return items[:]",
                "return items[a + 1:]",
                "return items[a - 1:]",
                "return items[a:-1]",
            },
        ),
        (
            "range",
            "return range(a)",
            {
                "return range(1, a)",
                "return range(a + 1)",
                "return range(a - 1)",
            },
        ),
        ("call", "return min(items)", {"return max(items)"}),
        ("call", "return abs(a)", {"return a"}),
        ("term", "return a * b", {"return a", "return b"}),
        ("term", "return sorted(items, reverse=True)", {"return sorted(items)"}),
        ("logic", "return a and b", {"return a or b"}),
        ("unary", "return not (a or b)", {"return a or b"}),
        (
            "jump",
            "for a in items: b += 1; break; b += 2",
            {
                "for a in items: b += 1; pass; b += 2",
                "for a in items: b += 1; continue; b += 2",
            },
        ),
        ("variable", "return b", {"return items"}),
    ],
)
def test_an_operator_changes_what_it_is_named_for(
    operator: str, line: str, changed: set[str]
) -> None:
    assert of(operator, line) == changed


def test_there_are_fourteen_operators() -> None:
    assert len(OPERATORS) == 14


WHOLE = '''
from typing import List

class Solution:
    """Not mutated: "text" - 1."""

    def solve(self, grid: List[List[int]], k: int = 3) -> int:
        """Nor this: 1 < 2."""
        best = -1; total = 0
        for row in range(1, len(grid) + 1):
            while not (k >= row or grid[row - 1][0] == 0) and k > 0:
                k -= 2 ** 1
                if k % 2: break
            total += sum(x // 2 for x in grid[row - 1][1:k] if x & 1) or max(best, 0)
            assert total >= 0, f"{total - 1}"
        return total if total != best else -best

if __name__ == "__main__":
    print(1 + 1)
'''


def test_every_mutant_is_applied_and_none_comes_twice() -> None:
    found = [text for _, text in mutants(WHOLE)]
    assert len(found) > 60
    trees = {ast.dump(ast.parse(text)) for text in (*found, WHOLE)}
    assert len(trees) == len(found) + 1
    for text in found:
        assert compile(text, "m", "exec").co_code != b""
        assert (
            sum(one != two for one, two in zip(text.splitlines(), WHOLE.splitlines(), strict=True))
            == 1
        )


def test_what_has_no_effect_on_the_answer_is_left_alone() -> None:
    kept = ('"""Not mutated', '"""Nor this', "assert total", "List[List[int]]", "print(1 + 1)")
    for _, text in mutants(WHOLE):
        assert all(part in text for part in kept)


def test_mutants_with_the_same_code_count_once() -> None:
    changed = [text for _, text in mutants("def f(a):\n    return a[0]\n")]
    assert len(changed) == len(set(changed))
    assert sum("a[1]" in text or "a[0 + 1]" in text for text in changed) == 1


def test_fewer_mutants_are_spread_over_operators_and_always_the_same() -> None:
    every, few = mutants(WHOLE), mutants(WHOLE, 14)
    assert len(few) == 14
    assert set(few) <= set(every)
    assert few == mutants(WHOLE, 14)
    assert len({operator for operator, _ in few}) >= 11


def test_text_beyond_ascii_is_cut_at_its_characters() -> None:
    source = "def f(a):\n    naïve = 'ß²'; return naïve + a  # ² ß\n"
    found = [text for _, text in mutants(source)]
    assert "def f(a):\n    naïve = ''; return naïve + a  # ² ß\n" in found
    assert "def f(a):\n    naïve = 'ß²'; return naïve - a  # ² ß\n" in found


def test_an_edit_that_python_would_read_otherwise_gets_parentheses() -> None:
    changed = of("unary", "return a and not (b or items)")
    assert changed == {"return a and (b or items)"}
    assert of("term", "return a * (b + items)") >= {"return a * (b)", "return a * (items)"}
    assert "return (a or b) and items" not in of("logic", "return a and b and items")


UNNOTICED = """\
import logging
import warnings
from enum import Enum, IntEnum
from typing import TYPE_CHECKING, TypeVar

__version__ = "1.0"
__all__ = ["f", "g"]
if TYPE_CHECKING:
    LIMIT: int = 3
T = TypeVar("T")
log = logging.getLogger("module")
warnings.filterwarnings("ignore", category=UserWarning)


class Colour(Enum):
    RED = 1
    BLUE = "b"


class Size(IntEnum):
    SMALL = 3


def f(a: "int" = 5) -> "int":
    \"\"\"Return it.\"\"\"
    return a


if __name__ == "__main__":
    print(f(7))
"""


def test_what_nothing_can_notice_in_a_module_is_not_mutated() -> None:
    found: Any = Mutator(UNNOTICED.encode()).mutants(ALL, imported=True)
    lines = UNNOTICED.splitlines()
    assert {lines[line - 1].strip() for _, line, *_ in found["edits"]} == {
        "RED = 1",  # only that the member is there
        'BLUE = "b"',
        "SMALL = 3",
        'def f(a: "int" = 5) -> "int":',
        "return a",
    }
    of_members = [edit[0] for edit in found["edits"] if lines[edit[1] - 1].strip() == "RED = 1"]
    assert of_members == ["delete"]


def test_the_values_of_an_enumeration_that_are_read_are_mutated() -> None:
    source = "from enum import Enum\nclass Colour(Enum):\n    RED = 1\nx = Colour.RED.value\n"
    found: Any = Mutator(source.encode()).mutants(ALL, imported=True)
    assert "constant" in {operator for operator, line, *_ in found["edits"] if line == 3}


def test_the_statements_of_a_program_are_mutated() -> None:
    source = "import sys\n__version__ = '1'\nsys.stdout.write(sys.stdin.read())\n"
    assert {text for _, text in mutants(source)} == {
        source.replace("sys.stdout.write(sys.stdin.read())", "pass")
    }
