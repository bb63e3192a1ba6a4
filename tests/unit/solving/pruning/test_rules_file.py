"""The file of rules is read again when it changes, and a broken one changes nothing."""

from __future__ import annotations

import os
from pathlib import Path
from types import SimpleNamespace

from steelyard.solving.pruning import Pruner

_CUBE = "for i in 1..n:\n  for j in 1..n:\n    for k in 1..n:\n      s += 1"
_STRICT = "[loop-depth]\nmin_n = 10\n"


def _broken(pruner: Pruner) -> set[str]:
    plan = SimpleNamespace(
        problem_statement="p",
        algorithm="a",
        input_bounds={"n": 100},
        pseudocode=_CUBE,
        expected_complexity=None,
        constraints=SimpleNamespace(runtime_limit=2_000, memory_limit=256),
    )
    return {finding.rule for finding in pruner.check_plan(plan)}


def _write(path: Path, text: str, at: int) -> None:
    path.write_text(text)
    os.utime(path, ns=(at, at))


def test_a_changed_file_holds_at_the_next_use(tmp_path: Path) -> None:
    path = tmp_path / "rules.toml"
    _write(path, _STRICT, 1_000_000_000)
    pruner = Pruner(path)
    assert _broken(pruner) == {"loop-depth"}
    _write(path, "[loop-depth]\nmin_n = 10\nenabled = false\n", 2_000_000_000)
    assert _broken(pruner) == set()
    assert pruner.problems == ()


def test_a_broken_file_leaves_the_last_good_rules(tmp_path: Path) -> None:
    path = tmp_path / "rules.toml"
    _write(path, _STRICT, 1_000_000_000)
    pruner = Pruner(path)
    assert _broken(pruner) == {"loop-depth"}
    _write(path, "[loop-depth", 2_000_000_000)
    assert _broken(pruner) == {"loop-depth"}
    assert len(pruner.problems) == 1
    assert "not valid TOML" in pruner.problems[0]
    path.unlink()
    assert _broken(pruner) == {"loop-depth"}
    assert "No such file" in pruner.problems[0]
    _write(path, "", 2_000_000_000)
    assert pruner.problems == ()
    assert _broken(pruner) == set()


def test_a_file_broken_from_the_start_leaves_the_packaged_rules(tmp_path: Path) -> None:
    path = tmp_path / "rules.toml"
    path.write_bytes(b"\xff\xfe")
    pruner = Pruner(path)
    assert _broken(pruner) == set()
    assert "not UTF-8" in pruner.problems[0]
    assert "No such file" in Pruner(tmp_path / "none.toml").problems[0]


def test_unknown_keys_and_wrong_types_are_named_with_their_line(tmp_path: Path) -> None:
    path = tmp_path / "rules.toml"
    path.write_text(
        '[loop-depth]\nmin_m = 5\nmax_depth = "2"\n\n[no-such-rule]\nenabled = true\n\n'
        "[sort-in-loop]\nenabled = 1\nmin_n = -1\n"
    )
    problems = Pruner(path).problems
    assert len(problems) == 5
    assert all(str(path) in problem and "\n" not in problem for problem in problems)
    text = "\n".join(problems)
    assert "line 2: loop-depth.min_m is unknown" in text
    assert "line 3: loop-depth.max_depth should be a valid number" in text
    assert "line 5: no-such-rule is unknown" in text
    assert "line 9: sort-in-loop.enabled should be a valid boolean" in text
    assert "line 10: sort-in-loop.min_n should be greater than or equal to 0" in text


def test_a_table_that_is_no_table_is_named(tmp_path: Path) -> None:
    path = tmp_path / "rules.toml"
    path.write_text("budget = 5\n")
    assert "line 1: budget" in Pruner(path).problems[0]


def test_the_packaged_rules_are_good() -> None:
    assert Pruner().problems == ()
