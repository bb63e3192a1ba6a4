"""Programs of known growth get their classes, by the whole pipeline, on small inputs."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from _pytest.mark import ParameterSet

from steelyard.profiling import Input, Parameter, Point, profile
from steelyard.profiling.fitting import same_class
from steelyard.sandbox import Blob, CellPool
from steelyard.schemas import ProfileReport

CORPORA = Path(__file__).parents[1] / "corpus"
CORPUS = CORPORA / "complexity"
SMALL = {
    "cpp_subset_sum": 18,
    "py_list_pop0": 20_000,
    "py_const": 100_000,
}
"""With these as the largest n, what shows the class takes no second."""
MORE_SMALL = {
    "cpp_fast_pow": 10**18,
    "cpp_sort_random": 60_000,
    "cpp_lcs_two_rows": 2_000,
    "cpp_floyd": 300,
    "cpp_mo": 20_000,
    "cpp_output_bound": 60_000,
    "py_merge_sort": 10_000,
    "py_sort_sorted": 50_000,
    "py_fib_naive": 22,
}
NOISY = {"cpp_rooms": 5_000}
"""Programs whose counts chance moves, among `complexity-noisy`."""
MORE_NOISY = {
    "cpp_closest_pair": 20_000,
    "cpp_quickselect": 250_000,
    "cpp_balanced_part": 250_000,
}


def programs(usual: dict[str, int], more: dict[str, int]) -> Iterator[ParameterSet]:
    """Yield each program with its largest n."""
    for name, max_n in usual.items():
        yield pytest.param(name, max_n)
    for name, max_n in more.items():
        yield pytest.param(name, max_n, marks=pytest.mark.exhaustive)


@pytest.fixture(scope="module")
def cells() -> Iterator[CellPool]:
    with CellPool(1) as pool:
        yield pool


def label_of(folder: Path) -> dict[str, Any]:
    label: dict[str, Any] = json.loads((folder / "label.json").read_text())
    return label


def is_any(said: str, names: list[str]) -> bool:
    return said != "unsure" and any(same_class(said, name) for name in names)


@pytest.mark.parametrize(
    ("corpus", "programs"), [("complexity", 72), ("complexity-fresh", 40), ("complexity-noisy", 9)]
)
def test_every_program_of_the_corpora_is_whole(corpus: str, programs: int) -> None:
    folders = sorted(path for path in (CORPORA / corpus).iterdir() if path.is_dir())
    assert len(folders) == programs
    for folder in folders:
        label = label_of(folder)
        assert (folder / label["source"]).is_file()
        assert (folder / "gen.py").is_file()
        assert label["n_min"] < label["n_max"]


@pytest.mark.parametrize(("name", "max_n"), [*programs(SMALL, MORE_SMALL)])
def test_a_program_gets_its_class(name: str, max_n: int, cells: CellPool) -> None:
    folder = CORPUS / name
    label = label_of(folder)
    report = profile(
        folder / label["source"],
        inputs=folder / "gen.py",
        min_n=label["n_min"],
        max_n=max_n,
        budget_s=2,
        pool=cells,
    )
    assert is_any(report.time.complexity, label["time_accept"]), report.time
    assert is_any(report.space.complexity, label["space_accept"]), report.space
    assert report.time.terms
    assert report.prediction.n == max_n
    counted = [size.work for size in report.measurements if size.work is not None]
    assert len(counted) >= 6
    assert counted == sorted(counted) or is_any(report.time.complexity, ["O(1)", "O(log n)"])


@pytest.mark.parametrize(("name", "max_n"), [*programs(NOISY, MORE_NOISY)])
def test_chance_is_told_from_growth(name: str, max_n: int, cells: CellPool) -> None:
    folder = CORPORA / "complexity-noisy" / name
    label = label_of(folder)
    report = profile(
        folder / label["source"],
        inputs=folder / "gen.py",
        min_n=label["n_min"],
        max_n=max_n,
        budget_s=2,
        pool=cells,
    )
    assert is_any(report.time.complexity, label["time_accept"]), report.time
    assert len(report.method.seeds) >= 3


NUMBERS = """
import random
def generate(n, seed):
    numbers = random.Random(seed)
    return " ".join(str(numbers.randint(10**8, 10**9)) for _ in range(n))
"""


def profiled(folder: Path, program: str, max_n: int, cells: CellPool) -> ProfileReport:
    (folder / "main.py").write_text(program, encoding="utf-8")
    (folder / "gen.py").write_text(NUMBERS, encoding="utf-8")
    return profile(
        folder / "main.py", inputs=folder / "gen.py", min_n=1, max_n=max_n, budget_s=2, pool=cells
    )


def test_what_no_time_could_check_is_less_sure(tmp_path: Path, cells: CellPool) -> None:
    report = profiled(tmp_path, "print(sum(map(int, input().split())))", 1_000, cells)
    assert report.time.complexity == "O(n)"
    assert report.time.confidence <= 0.9
    assert any("to check the counted work" in note for note in report.notes)


def test_work_in_a_library_is_not_below_its_memory(tmp_path: Path, cells: CellPool) -> None:
    pytest.importorskip("numpy")
    program = """
import numpy
d = numpy.array(input().split(), dtype=numpy.int64)
print((d[:, None] < d[None, :]).sum())
"""
    report = profiled(tmp_path, program, 4_000, cells)
    assert report.space.complexity == "O(n^2)"
    assert report.time.complexity in ("O(n^2)", "unsure"), report.time
    assert report.time.candidates[0][0] != "O(n)"
    assert "hidden-library-work" in report.flags


def test_two_parameters_have_a_class_of_both(cells: CellPool) -> None:
    folder = CORPUS / "cpp_bellman_ford"
    label = label_of(folder)
    report = profile(
        folder / "main.cpp",
        inputs=folder / "gen.py",
        min_n=label["n_min"],
        max_n=1_000,
        parameter=Parameter("m", 16, 40_000, "4*n"),
        budget_s=2,
        pool=cells,
    )
    assert is_any(report.time.complexity, ["O(n*m)"]), report.time
    assert is_any(report.space.complexity, ["O(n+m)"]), report.space
    assert report.parameters == ("n", "m")


def test_the_same_program_gets_the_same_work(cells: CellPool) -> None:
    folder = CORPUS / "cpp_heap"
    reports = [
        profile(
            folder / "main.cpp",
            inputs=folder / "gen.py",
            min_n=16,
            max_n=4_000,
            budget_s=2,
            pool=cells,
        )
        for _ in range(2)
    ]
    works = [
        [(size.n, size.work, size.heap_bytes) for size in report.measurements] for report in reports
    ]
    assert works[0] == works[1]


def test_the_budget_decides_neither_the_counted_sizes_nor_the_class(cells: CellPool) -> None:
    folder = CORPUS / "py_list_pop0"
    reports = [
        profile(
            folder / "main.py",
            inputs=folder / "gen.py",
            min_n=16,
            max_n=20_000,
            budget_s=budget_s,
            pool=cells,
        )
        for budget_s in (0.01, 2)
    ]
    counted = [
        [(size.n, size.work) for size in report.measurements if size.work is not None]
        for report in reports
    ]
    assert counted[0] == counted[1]
    assert [report.time.complexity for report in reports] == ["O(n^2)", "O(n^2)"]
    cut = reports[0]
    assert "cut-short" in cut.flags
    assert any(note.startswith("timing ended at n = ") for note in cut.notes)
    timed = {size.n for size in cut.measurements if size.cpu_ms is not None}
    assert {n for n, _ in counted[0]} <= timed


@pytest.mark.exhaustive
def test_work_that_is_not_counted_ends_counting_by_cpu_time_and_says_so(cells: CellPool) -> None:
    source = "import time\nn = int(input())\nend = time.process_time() + 2.2 * n\n"
    source += "exec('while time.process_time() < end: pass')\n"
    report = profile(source, inputs=Seconds(), min_n=0, max_n=60, budget_s=0.01, pool=cells)
    assert "cut-short" in report.flags
    assert any(note.startswith("counting ended at n = ") for note in report.notes), report.notes
    assert [size.n for size in report.measurements if size.work is not None] == [0, 1]


class Seconds:
    """Inputs that hold nothing but their size."""

    description = "sizes"

    def get(self, point: Point, seed: int) -> Input:
        return Input(point, Blob(f"{point.n}\n".encode()))
