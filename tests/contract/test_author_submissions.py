"""A submission is judged on the current suite, stored, and shown as outdated by a newer suite."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from steelyard.authoring.challenges.submissions import list_submissions, repeat_outdated, submit
from steelyard.errors import LanguageError, TestsError, UsageError
from steelyard.sandbox import CellPool
from steelyard.schemas import SubmissionReport, Verdict
from steelyard.storage import Database, open_database
from tests import gap_problem as gap
from tests.stored_problems import an_input


@pytest.fixture
def empty(empty_database: Path, tmp_path: Path) -> Iterator[Database]:
    with open_database(shutil.copy(empty_database, tmp_path)) as database:
        yield database


@pytest.fixture
def database(empty: Database) -> Database:
    gap.store(empty)
    return empty


def submitted(database: Database, pool: CellPool, source: str | bytes) -> SubmissionReport:
    text = source.encode() if isinstance(source, str) else source
    return submit(database, gap.NAME, text, by="ann", pool=pool)


def test_a_right_program_passes_and_the_result_is_stored(
    database: Database, pool: CellPool
) -> None:
    report = submitted(database, pool, gap.BRUTE_FORCE)
    assert report.passed
    assert report.categories == {
        "basic": {"passed": 3, "total": 3},
        "edge": {"passed": 1, "total": 1},
    }
    assert str(report).startswith("gap: passed (suite 1): compiled; 4 of 4 tests passed")
    assert SubmissionReport.model_validate_json(report.to_json()) == report
    with database.read() as reader:
        (made,) = reader.submissions(gap.NAME)
        assert (made.digest, made.by) == (report.submission, "ann")
        assert reader.solution(made.solution).source == gap.BRUTE_FORCE
        (judged,) = reader.judgements(gap.NAME, solution=made.solution)
        assert judged.judgement.result == report.result
        assert judged.judgement.engine == report.engine
        assert not judged.outdated


def test_a_wrong_program_fails_with_the_case(database: Database, pool: CellPool) -> None:
    report = submitted(database, pool, gap.OPTIMISED.replace("default=0", "default=0) + (1"))
    assert not report.passed
    assert {case.verdict for case in report.result.cases} == {Verdict.WA}
    assert "expected 4, got 5" in report.result.cases[0].message


REFUSED = [
    ("import os\n" + gap.OPTIMISED, "import of os is not allowed"),
    ("class Solution: pass", "the class Solution has no method solve"),
    ("class Solution:\n    def solve(self): return 0", "takes fewer than 1 parameter"),
    ("def solve(nums): return 0", "Solution"),
    ("", "the program is empty"),
    ("(" * 5_000, "error"),
    ("x = '\0'", ""),
    ("nothing but words", "error"),
]


def test_a_program_that_the_gate_refuses_never_runs(database: Database, pool: CellPool) -> None:
    for number, (source, fault) in enumerate(REFUSED, 1):
        report = submitted(database, pool, source)
        assert not report.passed
        assert {case.verdict for case in report.result.cases} == {Verdict.CE}
        assert fault in report.result.details
        with database.read() as reader:
            assert len(reader.submissions(gap.NAME)) == number


def test_static_rules_of_the_specification_hold(empty: Database, pool: CellPool) -> None:
    spec = gap.SPEC.model_copy(update={"static_rules": ("no call sorted", "no import")})
    with empty.change() as change:
        change.store_problem(gap.NAME, spec, gap.suite(spec_digest=spec.digest))
    refused = submitted(empty, pool, gap.OPTIMISED)
    assert {case.verdict for case in refused.result.cases} == {Verdict.CE}
    assert "line 3: " in refused.result.details
    assert "'no call sorted'" in refused.result.details
    hidden = f"```\n{gap.OPTIMISED}\n```\n```python\nprint('nothing is sorted')\n```"
    assert "'no call sorted'" in submitted(empty, pool, hidden).result.details
    imports = submitted(empty, pool, "import math\n" + gap.BRUTE_FORCE)
    assert not imports.result.compile.ok
    assert submitted(empty, pool, gap.BRUTE_FORCE).passed


COMPARED: list[tuple[dict[str, str], object, str, bool]] = [
    ({"match_mode": "unordered", "returns": "list[int]"}, [1, 2], "[2, 1]", True),
    ({"match_mode": "unordered", "returns": "list[int]"}, [1, 2], "[2, 2]", False),
    ({"match_mode": "numeric", "returns": "float"}, 0.3, "0.1 + 0.2", True),
    ({"match_mode": "numeric", "returns": "float"}, 0.3, "0.31", False),
    ({"returns": "list[int]"}, [1, 2], "(1, 2)", True),
    ({"returns": "int"}, 1, "True", True),
    ({"returns": "list[int]", "output_type": "exact"}, [1, 2], "(1, 2)", False),
    ({"returns": "list[int]", "output_type": "exact"}, [1, 2], "[1, 2]", True),
    ({"returns": "int", "output_type": "exact"}, 1, "True", False),
    ({"returns": "int", "output_type": "exact"}, 1, "1.0", False),
    ({"returns": "tuple[int, str]", "output_type": "exact"}, [1, "a"], "(1, 'a')", True),
    ({"returns": "list[int]", "output_type": "in-place"}, [5], "nums.sort()", True),
    ({"returns": "list[int]", "output_type": "in-place"}, [5], "nums.append(6)", False),
    ({"returns": "list[int]", "output_type": "in-place"}, [5], "[5]", True),
]


def test_answers_are_compared_as_the_specification_asks(empty: Database, pool: CellPool) -> None:
    for changes, expected, returned, passes in COMPARED:
        spec = gap.SPEC.model_copy(update=changes | {"examples": ()})
        only = gap.case("one", expected=expected, input=an_input([5]))
        with empty.change() as change:
            change.store_problem(gap.NAME, spec, gap.suite(only, spec_digest=spec.digest))
        source = f"class Solution:\n    def solve(self, nums):\n        return {returned}\n"
        assert submitted(empty, pool, source).passed is passes, (changes, returned)


def test_a_program_that_loops_ends_at_the_suites_own_limit(empty: Database, pool: CellPool) -> None:
    with empty.change() as change:
        change.store_problem(gap.NAME, gap.SPEC, gap.suite(time_limit_ms=50))
    loops = gap.OPTIMISED.replace("        return", "        while nums: pass\n        return")
    report = submitted(empty, pool, loops)
    assert {case.verdict for case in report.result.cases} == {Verdict.TLE}


CPP = """
#include <algorithm>
#include <iostream>
#include <vector>
int main() {
    int n; std::cin >> n;
    std::vector<int> x(n);
    for (int& each : x) std::cin >> each;
    std::sort(x.begin(), x.end());
    int best = 0;
    for (int i = 1; i < n; i++) best = std::max(best, x[i] - x[i - 1]);
    std::cout << best << "\\n";
}
"""


def test_a_program_in_another_language_reads_text(database: Database, pool: CellPool) -> None:
    for source, passes in ((CPP, True), (CPP.replace("best = 0", "best = 3"), False)):
        report = submit(database, gap.NAME, source.encode(), by="ann", language="cpp", pool=pool)
        assert report.passed is passes
        assert len(report.result.cases) == len(gap.CASES)
        assert report.engine.startswith("steelyard ")
    with database.read() as reader:
        stored = reader.solution(report.solution)
        assert (stored.language, stored.entry) == ("cpp", "stdio")
    with pytest.raises(LanguageError, match="klingon"):
        submit(database, gap.NAME, b"", by="ann", language="klingon", pool=pool)


def test_an_equal_program_is_not_judged_twice(database: Database, pool: CellPool) -> None:
    first = submitted(database, pool, gap.OPTIMISED)
    again = submitted(database, pool, gap.OPTIMISED)
    assert not first.notes
    assert "did not run" in again.notes[0]
    assert again.result == first.result
    with database.read() as reader:
        assert len(reader.submissions(gap.NAME)) == 2
        assert len(reader.judgements(gap.NAME)) == 1


def test_a_judgement_on_an_older_suite_is_outdated_until_it_is_repeated(
    database: Database, pool: CellPool
) -> None:
    submitted(database, pool, gap.OPTIMISED)
    submitted(database, pool, gap.NEGATIVES_FORGOTTEN)
    with database.change() as change:
        change.add_suite(gap.NAME, gap.suite(*gap.CASES, gap.case("negative", -2, 1)))
    with database.read() as reader:
        before = list_submissions(reader, gap.NAME)
    assert [(each.passed, each.outdated, each.suite_version) for each in before] == [
        (True, True, 1),
        (True, True, 1),
    ]
    assert repeat_outdated(database, gap.NAME, pool=pool) == 2
    with database.read() as reader:
        after = list_submissions(reader, gap.NAME)
    assert [(each.passed, each.outdated, each.tests_passed) for each in after] == [
        (True, False, 5),
        (False, False, 4),
    ]
    assert repeat_outdated(database, gap.NAME, pool=pool) == 0


def test_disputed_cases_do_not_count(database: Database, pool: CellPool) -> None:
    wrong = gap.case("disputed", 4, 8, expected=99, trust="disputed")
    unknown = gap.case("unknown", 4, 9, expected=None, has_expected=False)
    with database.change() as change:
        change.add_suite(gap.NAME, gap.suite(*gap.CASES, wrong, unknown))
    report = submitted(database, pool, gap.OPTIMISED)
    assert report.passed
    assert len(report.result.cases) == len(gap.CASES)
    with database.change() as change:
        change.add_suite(gap.NAME, gap.suite(wrong))
    with pytest.raises(TestsError, match="no case of the suite has an expected output"):
        submitted(database, pool, gap.OPTIMISED)


UNFIT = [
    ("nothing", b"", "ann", "no problem 'nothing'"),
    ("../../etc/passwd", b"", "ann", "no problem"),
    ("\x1b[31m", b"", "ann", "no problem"),
    (gap.NAME, b"\xff", "ann", "not UTF-8 at byte 1"),
    (gap.NAME, b"#" * 2_000_001, "ann", "shorten it to 2,000,000"),
    (gap.NAME, b"x = 1", "", "by: "),
    (gap.NAME, b"x = 1", "a" * 201, "by: "),
]


def test_what_cannot_be_submitted_is_one_line_and_stores_nothing(
    database: Database, pool: CellPool
) -> None:
    before = database.status().records
    for problem, source, by, says in UNFIT:
        with pytest.raises(UsageError, match=says) as caught:
            submit(database, problem, source, by=by, pool=pool)
        assert "\n" not in str(caught.value)
    assert database.status().records == before
