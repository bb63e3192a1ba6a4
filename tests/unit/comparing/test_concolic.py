"""What CrossHair works out, in a process of its own; and what is said where there is none."""

import json
import subprocess
import sys
from importlib.util import find_spec

import pytest

needs_crosshair = pytest.mark.skipif(
    find_spec("crosshair") is None, reason="crosshair-tool is not installed"
)
_RUN = """
import json
from steelyard.comparing.calls.incell.concolic import witnesses
{source}
made = witnesses({pair}, seconds={seconds}, recorded={recorded})
shown = [[repr(args), repr(kwargs)] for args, kwargs in made.calls]
print(json.dumps([shown, made.notes]))
"""


def _witnesses(
    source: str, pair: str, *, recorded: str = "()", seconds: float = 6
) -> tuple[list, list]:
    script = _RUN.format(source=source, pair=pair, recorded=recorded, seconds=seconds)
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    calls, notes = json.loads(done.stdout)
    return [(eval(args), eval(kwargs)) for args, kwargs in calls], notes


_RARE = """
def original(x: int, y: int) -> int:
    if x == 77123 and y < -4:
        return 5
    if y == 0:
        raise ValueError("zero")
    return x % y
def candidate(x: int, y: int) -> int:
    if y == 0:
        raise ValueError("zero")
    return x % y
"""


@needs_crosshair
class TestWitnesses:
    def test_a_difference_that_no_chance_would_find(self) -> None:
        calls, _ = _witnesses(_RARE, "original, candidate")
        (x, y), kwargs = calls[0]
        assert (x, kwargs) == (77123, {})
        assert y < -4
        assert x % y != 5

    def test_each_path_of_the_original_has_a_call(self) -> None:
        calls, _ = _witnesses(_RARE, "original, original")
        assert any(y == 0 for (_, y), _ in calls)
        assert any(y != 0 for (_, y), _ in calls)
        assert len({str(call) for call in calls}) == len(calls)

    def test_recorded_values_give_the_types(self) -> None:
        source = (
            "def original(items):\n    if len(items) != 2:\n        return items\n"
            "    kept = []\n    for item in items:\n"
            "        if item not in kept:\n            kept.append(item)\n    return kept\n"
            "def candidate(items):\n"
            "    return sorted(set(items)) if len(items) == 2 else items\n"
        )
        calls, _ = _witnesses(source, "original, candidate", recorded="[(([1, 2],), {})]")
        assert {type(item) for (items,), _ in calls for item in items} == {int}
        pairs = [items for (items,), _ in calls if len(items) == 2]
        assert any(list(dict.fromkeys(items)) != sorted(set(items)) for items in pairs)

    def test_arguments_without_a_type_give_a_note(self) -> None:
        calls, notes = _witnesses("def f(x):\n    return x\n", "f, f")
        assert calls == []
        assert "the type of argument x is unknown" in notes[0]


def test_without_crosshair_it_says_so() -> None:
    script = "import sys\nsys.modules['crosshair'] = None\ndef f(x: int): return x\n"
    calls, notes = _witnesses(script, "f, f")
    assert calls == []
    assert notes == ["CrossHair is not installed: no concolic calls were generated"]
