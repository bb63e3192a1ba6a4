"""What `judge` and `ajudge` promise of Python programs, and what they refuse."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

import steelyard
from steelyard.errors import LanguageError, TestsError, UsageError
from steelyard.sandbox import CellPool
from tests.contract.python_judging import CASES, PATIENT


class TestInOneCall:
    async def test_without_blocking_the_loop(self, pool: CellPool) -> None:
        sources = ["def f(x): return x", "def f(x): return 0"]
        results = await asyncio.gather(
            *(
                steelyard.ajudge(source, CASES, entry="function:f", limits=PATIENT, pool=pool)
                for source in sources
            )
        )
        assert [result.success for result in results] == [True, False]

    def test_a_file_tells_its_language(self, pool: CellPool, tmp_path: Path) -> None:
        path = tmp_path / "a.py"
        path.write_text("def f(x): return x")
        assert steelyard.judge(path, CASES, entry="function:f", limits=PATIENT, pool=pool).success
        with pytest.raises(UsageError, match="cannot be read"):
            steelyard.judge(tmp_path / "none.py", CASES, entry="function:f", pool=pool)

    @pytest.mark.parametrize(
        ("options", "error", "said"),
        [
            (
                {"entry": "method:f"},
                UsageError,
                "unknown entry 'method:f'; use stdio, function:NAME",
            ),
            ({"entry": 5}, UsageError, "unknown entry 5"),
            ({"entry": "function:f", "match_mode": "tokens"}, UsageError, "compares no values"),
            ({"entry": "function:f", "isolation": "none"}, UsageError, "'per_case' or 'per_cand"),
            (
                {"entry": "asserts", "match_mode": "numeric"},
                UsageError,
                "assertions compare by themselves",
            ),
            (
                {"entry": "stdio", "sequences_alike": True},
                UsageError,
                "sequences_alike is for calls",
            ),
            ({"entry": "function:f", "language": "cpp"}, UsageError, "is for Python; "),
            ({"entry": "function:f", "language": "klingon"}, LanguageError, "klingon"),
            ({"entry": "asserts"}, TestsError, "for the entry function:NAME"),
        ],
    )
    def test_what_does_not_fit_together_is_refused(
        self, pool: CellPool, options: dict[str, Any], error: type[Exception], said: str
    ) -> None:
        with pytest.raises(error) as raised:
            steelyard.judge("def f(x): return x", CASES, pool=pool, **options)
        assert said in str(raised.value)


def test_the_label_of_a_reply_s_block_names_the_language(pool: CellPool) -> None:
    squares = '#include <stdio.h>\nint main() { int n; scanf("%d", &n); printf("%d", n * n); }\n'
    cases = [{"input": "5", "expected": "25"}]
    result = steelyard.judge(f"Here it is:\n```c\n{squares}```\n", cases, pool=pool)
    assert result.passed, result
    text = "```\nprint(int(input()) ** 2)\n```\n"
    assert steelyard.judge(text, cases, pool=pool).passed
    wrong = steelyard.judge(f"```cpp\n{squares}```\n", cases, language="python", pool=pool)
    assert not wrong.compile.ok
