"""`steelyard compare`: its verdicts' statuses and forms, and the calls that it refuses."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from steelyard.schemas import Comparison, TestType
from tests.e2e.conftest import Run
from tests.processes import children, still_running

EXAMPLE = Path(__file__).parents[2] / "examples" / "compare"
FUNCTION = "shop.invoices:totals_by_customer"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """The example's project, in the working folder."""
    folder = tmp_path / "project"
    shutil.copytree(EXAMPLE, folder, ignore=shutil.ignore_patterns("__pycache__"))
    return folder


@pytest.fixture
def call(project: Path) -> tuple[str | Path, ...]:
    return ("compare", "--root", "project", "--function", FUNCTION)


def comparison_in(text: str) -> Comparison:
    told = json.loads(text)
    accepted = told.pop("accepted")
    comparison = Comparison.model_validate(told)
    assert comparison.accepted is accepted
    return comparison


@pytest.mark.usefixtures("file_view")
@pytest.mark.xdist_group("timing")
def test_an_accepted_candidate_is_status_0_in_json_and_on_a_page(
    steelyard: Run, call: tuple[str | Path, ...], project: Path, tmp_path: Path
) -> None:
    before = files_of(project)
    done = steelyard(
        *call,
        "project/candidates/one_pass.patch",
        "--json",
        "--html",
        "page.html",
        "--threshold",
        "50%",
        "--generate",
        "20",
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    comparison = comparison_in(done.stdout)
    assert comparison.function == FUNCTION
    assert comparison.speed is not None
    assert comparison.speed.threshold == 0.5
    assert comparison.speed.verdict == "faster"
    assert comparison.behaviour is not None
    assert comparison.behaviour.count("same", TestType.EXISTING_UNIT_TEST) == 5
    assert 0 < comparison.behaviour.count("same", TestType.GENERATED_REGRESSION) <= 2 * 20
    page = (tmp_path / "page.html").read_text()
    assert "<title>one_pass.patch" in page
    for said in ("ACCEPTED", FUNCTION, "totals.get(line.customer, 0)", "test_a_busy_month"):
        assert said in page
    assert "<script" not in page
    assert files_of(project) == before


def files_of(folder: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.usefixtures("file_view")
def test_a_rejected_candidate_from_standard_input_is_status_1(
    project: Path, tmp_path: Path
) -> None:
    text = (project / "candidates" / "sorted_first.py").read_text()
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "steelyard",
            "compare",
            "--root",
            "project",
            "--function",
            FUNCTION,
            "-",
            "--tests",
            "project/tests/test_invoices.py",
            "--generate",
            "0",
            "--html",
            "page.html",
        ],
        cwd=tmp_path,
        env={**os.environ, "COLUMNS": "200", "TMPDIR": str(scratch)},
        input=text,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 1, done.stderr
    assert done.stdout.startswith(f"REJECTED  {FUNCTION}")
    assert "keys in order 'Grace', 'Ada' != keys in order 'Ada', 'Grace'" in done.stdout
    assert "generated calls" not in done.stdout
    assert list(scratch.iterdir()) == []
    assert "<title>standard input" in (tmp_path / "page.html").read_text()


@pytest.mark.exhaustive
@pytest.mark.usefixtures("file_view")
@pytest.mark.xdist_group("timing")
def test_keys_in_any_order_are_alike_where_that_is_asked_for(
    steelyard: Run, call: tuple[str | Path, ...]
) -> None:
    done = steelyard(
        *call,
        "project/candidates/sorted_first.py",
        "--no-dict-order",
        "--tests",
        "tests/test_invoices.py",
        "--generate",
        "0",
        "--accept",
        "not-slower",
        "--json",
    )
    assert done.returncode == 0, done.stdout
    behaviour = comparison_in(done.stdout).behaviour
    assert behaviour is not None
    assert behaviour.verdict == "same"


@pytest.mark.usefixtures("file_view")
def test_calls_of_a_script_count(
    steelyard: Run, call: tuple[str | Path, ...], project: Path
) -> None:
    (project / "month.py").write_text(
        "import sys\nfrom shop.invoices import Line, totals_by_customer\n"
        "for i in range(int(sys.argv[1])):\n"
        "    totals_by_customer([Line('x', i), Line('Alan', 7 * i)])\n"
    )
    done = steelyard(
        *call,
        "project/candidates/sorted_first.py",
        "--script",
        "month.py 3",
        "--tests",
        "tests/test_invoices.py::test_a_refund",
        "--generate",
        "0",
        "--json",
    )
    assert done.returncode == 1, done.stderr
    behaviour = comparison_in(done.stdout).behaviour
    assert behaviour is not None
    outcomes = [case.outcome for case in behaviour.cases if case.test_type is TestType.REPLAY_TEST]
    assert outcomes == ["same", *3 * ["different"]]


@pytest.mark.usefixtures("file_view")
def test_a_candidate_that_does_not_parse_is_a_verdict(
    steelyard: Run, call: tuple[str | Path, ...], tmp_path: Path
) -> None:
    (tmp_path / "broken.py").write_text("def totals_by_customer(lines:\n")
    done = steelyard(*call, "broken.py")
    assert done.returncode == 1, done.stderr
    assert "does-not-parse" in done.stdout


@pytest.mark.usefixtures("file_view")
def test_what_was_found_is_kept_where_the_page_cannot_be_written(
    steelyard: Run, call: tuple[str | Path, ...], tmp_path: Path
) -> None:
    (tmp_path / "other.py").write_text("def other(lines): return {}\n")
    done = steelyard(*call, "other.py", "--html", "/dev/full", "--json")
    assert done.returncode == 2
    assert done.stderr.startswith("steelyard: /dev/full cannot be written: ")
    assert done.stderr.count("\n") == 1
    assert comparison_in(done.stdout).reasons[0].code == "function-missing"


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--root", "absent"), "--root: absent is not a folder"),
        (("absent.py",), "absent.py cannot be read"),
        (("project",), "project is not a file"),
        (("bytes.py",), "bytes.py is not text"),
        (("--function", "shop.invoices:totals_by_custmer"), "similar names: totals_by_customer"),
        (("--function", "shop.invoice:totals_by_customer"), "did you mean shop.invoices?"),
        (("--function", "totals_by_customer"), "write pkg.module:function"),
        (("--kind", "text"), "'--kind': 'text' is not one of 'auto'"),
        (("--tests", "absent"), "--tests: there is no absent"),
        (("--tests", "bytes.py"), "--tests: there is no bytes.py"),
        (("--script", "absent.py 1"), "--script: there is no absent.py"),
        (("--script", "'x"), "close the quote"),
        (("--script", ""), "--script is empty"),
        (("--python", "absent/python"), "--python: absent/python is not a file"),
        (("--python", "python9"), "python9 is not a usable Python interpreter"),
        (("--python", "bytes.py"), "bytes.py is not a usable Python interpreter"),
        (("--threshold", "5"), "--threshold: is '5'; write 5% if that is meant"),
        (("--threshold", "much"), "--threshold: is 'much'; give a share"),
        (("--threshold", "0.5%"), "--threshold: input should be greater than or equal to 0.01"),
        (
            ("--accept", "best"),
            "'--accept': 'best' is not one of 'faster', 'not-slower'",
        ),
        (
            ("--method", "once"),
            "'--method': 'once' is not one of 'paired', 'loops'",
        ),
        (("--coverage", "200%"), "--coverage: input should be less than or equal to 1"),
        (("--rel-tol", "-1"), "--rel-tol: input should be greater than or equal to 0"),
        (("--abs-tol", "-1"), "--abs-tol: input should be greater than or equal to 0"),
        (("--generate", "-1"), "--generate: input should be greater than or equal to 0"),
        (("--concolic", "-1"), "--concolic: input should be greater than or equal to 0"),
        (("--time-limit", "0"), "--time-limit: input should be greater than or equal to 1"),
        (("--memory-limit", "1"), "--memory-limit: give at least 64, got 1"),
        (("--html", "project"), "project cannot be written"),
        (("--html", "absent/page.html"), "absent is not a folder"),
    ],
)
def test_a_wrong_call_ends_with_two_and_one_line(
    steelyard: Run,
    call: tuple[str | Path, ...],
    tmp_path: Path,
    options: tuple[str, str],
    said: str,
) -> None:
    (tmp_path / "bytes.py").write_bytes(b"\xff\xfe\x00")
    program = () if options[0].endswith((".py", "project")) else ("project/candidates/one_pass.py",)
    done = steelyard(*call, *program, *options)
    assert done.returncode == 2, done.stderr
    assert said in done.stderr
    assert done.stderr.count("\n") == 1
    assert done.stdout == ""


@pytest.mark.usefixtures("file_view")
def test_a_project_whose_tests_cannot_be_collected_is_a_wrong_call(
    steelyard: Run, call: tuple[str | Path, ...], project: Path
) -> None:
    (project / "tests" / "test_invoices.py").write_text("import absent_package\n")
    done = steelyard(*call, "project/candidates/one_pass.py")
    assert done.returncode == 2
    assert "tests/test_invoices.py cannot be collected" in done.stderr
    assert "absent_package" in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.usefixtures("file_view")
def test_a_comparison_that_is_interrupted_leaves_nothing_behind(
    call: tuple[str | Path, ...], project: Path, tmp_path: Path
) -> None:
    (project / "tests" / "test_invoices.py").write_text("def test_forever():\n    while 1: pass\n")
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    command = subprocess.Popen(
        [sys.executable, "-m", "steelyard", *call, "project/candidates/one_pass.py"],
        cwd=tmp_path,
        env={**os.environ, "TMPDIR": str(scratch)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    deadline = time.monotonic() + 120
    while not (cells := children(command.pid)) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert cells
    command.send_signal(signal.SIGINT)
    shown, said = command.communicate(timeout=45)
    assert command.returncode == 130
    assert (shown, said) == ("", "steelyard: interrupted\n")
    assert list(scratch.iterdir()) == []
    assert not still_running(cells)
