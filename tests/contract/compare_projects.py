"""Small projects to compare functions of, and one comparison's steps."""

from collections.abc import Callable
from functools import cache
from pathlib import Path
from textwrap import dedent
from typing import Any

from steelyard.comparing import CompareBaseline, CompareOptions
from steelyard.comparing import _reasons as reasons
from steelyard.comparing._behaving import behaviour_of
from steelyard.comparing.function import Candidate, read_candidate
from steelyard.comparing.recording._versions import Version
from steelyard.schemas import Behaviour, Reason

BaselineOf = Callable[[str], CompareBaseline]


def make_project(root: Path, module: str, tests: str, **others: str) -> Path:
    """A project with `shop/goods.py`, `tests/test_goods.py`, and whatever else is named."""
    files = {"shop/__init__.py": "", "shop/goods.py": module, "tests/test_goods.py": tests}
    for name, text in {**files, **{key.replace("__", "/"): v for key, v in others.items()}}.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(dedent(text), encoding="utf-8")
    return root


def baseline_of(root: Path, qualname: str, **options: Any) -> CompareBaseline:
    """The baseline of a function of `shop/goods.py`; to generate calls takes most of a second."""
    baseline = CompareBaseline(
        f"shop.goods:{qualname}",
        root,
        CompareOptions.of(**{"generate": 0, "least_cases": 2, **options}),
    )
    baseline.prepare()
    return baseline


def baselines_in(root: Path) -> BaselineOf:
    """Give the baseline of a function by its name, measured once for all of its candidates."""
    return cache(lambda qualname: baseline_of(root, qualname))


def version_of(baseline: CompareBaseline, candidate: str) -> Version:
    """A candidate in its module."""
    read = read_candidate(baseline.subject, dedent(candidate))
    assert isinstance(read, Candidate), read
    return Version({baseline.subject.path: read.module_bytes})


def behaviour(baseline: CompareBaseline, candidate: str) -> Behaviour:
    """What a candidate did, without its speed."""
    return behaviour_of(baseline, version_of(baseline, candidate))[0]


def compare_behaviour(
    baseline: CompareBaseline, candidate: str
) -> tuple[Behaviour | None, list[Reason]]:
    """A comparison without its speed: what a candidate did, and the reasons found until there."""
    read = read_candidate(baseline.subject, candidate)
    if isinstance(read, Reason):
        return None, [read]
    others = {path: text.encode() for path, text in read.other_files.items()}
    baseline.prepare()
    known = [*reasons.of_text(baseline, read), *reasons.of_calls(baseline)]
    version = Version({**others, baseline.subject.path: read.module_bytes})
    behaviour, found = behaviour_of(baseline, version)
    return behaviour, [*known, *found]


def first_difference(found: Behaviour) -> str:
    """The first difference of values, as a reader sees it."""
    return next(str(case.differences[0]) for case in found.cases if case.differences)
