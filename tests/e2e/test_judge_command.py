"""`steelyard judge`: what it prints, and with which exit status it ends."""

import json
from pathlib import Path

import pytest

from tests.e2e.conftest import Run


def test_a_right_program_passes(steelyard: Run, square: Path, tmp_path: Path) -> None:
    done = steelyard("judge", square, "--tests", tmp_path / "tests")
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("passed  3 of 3 tests   reward 1.000\n")
    detailed = steelyard("-v", "judge", square, "--tests", tmp_path / "tests")
    assert "isolation: " in detailed.stdout
    assert "square.cpp: compiled by " in detailed.stdout


def test_json_is_one_object_of_the_documented_shape(
    steelyard: Run, square: Path, tmp_path: Path
) -> None:
    done = steelyard("judge", square, "--tests", tmp_path / "tests", "--json")
    assert done.returncode == 0, done.stderr
    result = json.loads(done.stdout)
    assert result["success"] is True
    assert result["reward"] == 1.0
    assert result["compile"] | {"ok": True, "warnings": [], "errors": []} == result["compile"]
    assert [case["name"] for case in result["cases"]] == ["3", "12", "1000000"]
    case = result["cases"][0]
    assert set(case) >= {
        "name",
        "verdict",
        "cpu_ms",
        "wall_ms",
        "memory_mib",
        "exit_code",
        "signal",
        "message",
    }
    assert case["verdict"] == "AC"
    assert case["exit_code"] == 0
    assert case["signal"] is None
    assert 0 < case["cpu_ms"] < 5_000
    assert result["isolation"]["level"] in ("full", "partial", "none")


def test_a_wrong_answer_shows_where_it_parts(steelyard: Run, square: Path, tmp_path: Path) -> None:
    square.write_text(square.read_text().replace("n * n", "n * 3"))
    done = steelyard("judge", square, "--tests", tmp_path / "tests")
    assert done.returncode == 1
    assert "1 of 3 tests" in done.stdout
    assert "first failure: 12" in done.stdout
    assert "144" in done.stdout
    assert "36" in done.stdout


def test_categories_are_counted_apart_where_there_is_more_than_one(
    steelyard: Run, square: Path, tmp_path: Path
) -> None:
    learned = tmp_path / "learned.py"
    learned.write_text("print({3: 9, 12: 144}.get(int(input()), 0))\n")
    cases = [
        {"input": str(n), "expected": str(n * n), "category": "visible" if n < 20 else "hidden"}
        for n in (3, 12, 30, 40)
    ]
    tests = tmp_path / "tests.json"
    tests.write_text(json.dumps(cases))
    done = steelyard("judge", learned, "--tests", tests)
    assert "by category: visible 2 of 2, hidden 0 of 2" in done.stdout
    done = steelyard("judge", learned, "--tests", tests, "--json")
    assert json.loads(done.stdout)["categories"] == {
        "visible": {"passed": 2, "total": 2},
        "hidden": {"passed": 0, "total": 2},
    }
    done = steelyard("judge", square, "--tests", tmp_path / "tests", "--json")
    assert json.loads(done.stdout)["categories"] == {"": {"passed": 3, "total": 3}}


def test_a_program_that_does_not_compile(steelyard: Run, square: Path, tmp_path: Path) -> None:
    square.write_text("int main() { return undeclared; }")
    done = steelyard("judge", square, "--tests", tmp_path / "tests", "--json")
    assert done.returncode == 1
    result = json.loads(done.stdout)
    assert result["reward"] == 0
    assert result["compile"]["ok"] is False
    error = result["compile"]["errors"][0]
    assert error["line"] == 1
    assert "undeclared" in error["message"]
    assert {case["verdict"] for case in result["cases"]} == {"CE"}


def test_compiling_alone_passes_if_it_compiles(steelyard: Run, square: Path) -> None:
    done = steelyard("judge", square, "--compile-only")
    assert (done.returncode, "compiles" in done.stdout) == (0, True)
    square.write_text("int main() {")
    done = steelyard("judge", square, "--compile-only", "--json")
    assert (done.returncode, json.loads(done.stdout)["passed"]) == (1, False)


def test_the_language_is_told_by_the_ending(steelyard: Run, square: Path, tmp_path: Path) -> None:
    done = steelyard("judge", tmp_path / "square.py", "--tests", tmp_path / "tests", "--json")
    assert done.returncode == 0, done.stderr + done.stdout


def test_fail_fast_skips_the_rest(steelyard: Run, square: Path, tmp_path: Path) -> None:
    square.write_text("int main() { return 3; }")
    done = steelyard("judge", square, "--tests", tmp_path / "tests", "--fail-fast", "--json")
    cases = json.loads(done.stdout)["cases"]
    assert [case["verdict"] for case in cases] == ["RTE", "SK", "SK"]
    assert cases[0]["exit_code"] == 3


def test_limits_on_the_command_line_hold(steelyard: Run, square: Path, tmp_path: Path) -> None:
    square.write_text("int main() { for (;;) {} }")
    options = ("--time-limit", "100", "--jobs", "1", "--fail-fast", "--json")
    done = steelyard("judge", square, "--tests", tmp_path / "tests", *options)
    assert [c["verdict"] for c in json.loads(done.stdout)["cases"]] == ["TLE", "SK", "SK"]
    square.write_text(
        "#include <cstdlib>\n"
        "int main() { volatile char *p = (char *)malloc(80 << 20);"
        " for (long i = 0; i < 80 << 20; i += 4096) p[i] = 1; }"
    )
    done = steelyard(
        "judge", square, "--tests", tmp_path / "tests", "--memory-limit", "32", "--json"
    )
    assert {c["verdict"] for c in json.loads(done.stdout)["cases"]} == {"MLE"}


CHECKER = """\
#include <cstdio>
#include <cstdlib>
int main(int argc, char **argv) {
    FILE *in = fopen(argv[1], "r"), *out = fopen(argv[2], "r");
    long long n, got;
    if (fscanf(in, "%lld", &n) != 1) return 3;
    if (fscanf(out, "%lld", &got) != 1 || got != n * n) {
        fprintf(stderr, "not the square of %lld", n);
        return 1;
    }
    return 0;
}
"""


def test_a_checker_program_decides(steelyard: Run, square: Path, tmp_path: Path) -> None:
    checker = tmp_path / "checker.cpp"
    checker.write_text(CHECKER)
    for answer in (tmp_path / "tests").glob("*.ans"):
        answer.write_text("anything\n")
    done = steelyard("judge", square, "--tests", tmp_path / "tests", "--checker", checker)
    assert done.returncode == 0, done.stdout + done.stderr
    square.write_text(square.read_text().replace("n * n", "n * 3"))
    done = steelyard("judge", square, "--tests", tmp_path / "tests", "--checker", checker)
    assert done.returncode == 1
    assert "not the square of 12" in done.stdout


def test_a_checker_that_fails_is_no_verdict(steelyard: Run, square: Path, tmp_path: Path) -> None:
    checker = tmp_path / "checker.cpp"
    checker.write_text("int main() { return 3; }")
    done = steelyard("judge", square, "--tests", tmp_path / "tests", "--checker", checker, "--json")
    assert done.returncode == 3
    error = json.loads(done.stdout)["error"]
    assert (error["type"], error["exit_status"]) == ("CheckerError", 3)
    assert_one_line(done.stderr)
    assert done.stderr == f"steelyard: {error['message']}\n"


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (("--checker", "checker.cpp"), "the checker for tests does not compile: "),
        (("--checker", "absent.cpp"), "absent.cpp cannot be read: No such file or directory"),
        (("--checker", "tests"), "tests is not a file; name a source file"),
        (("--checker-convention", "icpc"), "--checker-convention needs a checker; name its"),
        (("--checker", "checker.cpp", "--match-mode", "exact"), "--match-mode: a checker decides"),
        (
            ("--checker", "checker.cpp", "--abs-tol", "1"),
            "--abs-tol: a checker decides this; leave",
        ),
        (("--checker", "checker.cpp", "--ignore-case"), "--ignore-case: a checker decides"),
    ],
)
def test_a_checker_that_cannot_be_used_is_one_line(
    steelyard: Run, square: Path, tmp_path: Path, options: tuple[str, ...], says: str
) -> None:
    (tmp_path / "checker.cpp").write_text("int main( {")
    done = steelyard("judge", square, "--tests", "tests", *options)
    assert (done.returncode, done.stdout) == (2, "")
    assert_one_line(done.stderr)
    assert says in done.stderr


@pytest.mark.parametrize(
    ("args", "kind", "says"),
    [
        (("judge", "--json"), "UsageError", "Missing"),
        (("judge", "absent.py", "--tests", "absent", "--json"), "UsageError", "absent.py"),
        (("profile", "--json", "--nonsense"), "UsageError", "--nonsense"),
        (("solve", "problem.json", "--seed", "x", "--json"), "UsageError", "--seed"),
        (("nothing", "--json"), "UsageError", "nothing"),
        (("show", "absent", "--json"), "UsageError", "absent"),
    ],
)
def test_an_error_is_an_object_too(
    steelyard: Run, args: tuple[str, ...], kind: str, says: str
) -> None:
    done = steelyard(*args)
    found = json.loads(done.stdout)
    assert list(found) == ["error"]
    assert (found["error"]["type"], found["error"]["exit_status"]) == (kind, 2)
    assert says in found["error"]["message"]
    assert done.returncode == 2
    assert done.stderr == f"steelyard: {found['error']['message']}\n"
    plain = steelyard(*(arg for arg in args if arg != "--json"))
    assert (plain.returncode, plain.stdout, plain.stderr) == (2, "", done.stderr)


def assert_one_line(text: str) -> None:
    assert text.startswith("steelyard: "), text
    assert text.count("\n") == 1, text


@pytest.mark.parametrize(
    ("change", "args", "says"),
    [
        ("no source", (), "square.cpp"),
        ("no tests", (), "tests"),
        ("empty tests", (), "no "),
        ("bad json", (), ".jsonl:2:"),
        ("", ("--language", "cobol"), "cobol"),
        ("", ("--language", "go", "--compiler", "gccgo-99"), "gccgo-99"),
        ("", ("--compiler", "icc"), "icc"),
        ("", ("--match-mode", "fuzzy"), "float_tokens"),
        ("", ("--time-limit", "0"), "--time-limit"),
        ("", ("--memory-limit", "-5"), "--memory-limit"),
        ("", ("--abs-tol", "-1", "--match-mode", "numeric"), "tol"),
        ("", ("--abs-tol", "1"), "numeric or float_tokens"),
        ("", ("--rel-tol", "0", "--match-mode", "tokens"), "numeric or float_tokens"),
        ("", ("--checker-convention", "icpc"), "--checker"),
        ("", ("--checker", "square.cpp", "--match-mode", "exact"), "--match-mode"),
        ("", ("--checker", "square.cpp", "--abs-tol", "1"), "--abs-tol"),
        ("", ("--jobs", "0"), "--jobs"),
        ("", ("--checker", "nowhere.cpp"), "nowhere.cpp"),
        ("", ("--match-mode", "program"), "'program' is not one of 'exact'"),
        ("unknown ending", (), ".xyz"),
        ("", ("--checker-convention", "spoj", "--checker", "square.cpp"), "testlib"),
        ("", ("--flags", '"unclosed'), "--flags"),
    ],
)
def test_a_wrong_call_is_one_line_and_status_2(
    steelyard: Run, square: Path, tmp_path: Path, change: str, args: tuple[str, ...], says: str
) -> None:
    source, tests = square, tmp_path / "tests"
    match change:
        case "no source":
            source.unlink()
        case "no tests":
            tests = tmp_path / "elsewhere" / "tests"
        case "empty tests":
            tests = tmp_path / "empty.json"
            tests.write_text("[]")
        case "bad json":
            tests = tmp_path / "bad.jsonl"
            tests.write_text('{"input": "1", "expected": "1"}\n{"input": \n')
        case "unknown ending":
            source = square.rename(tmp_path / "square.xyz")
    done = steelyard("judge", source, "--tests", tests, *args)
    assert done.returncode == 2, done.stdout + done.stderr
    assert_one_line(done.stderr)
    assert says in done.stderr
    assert done.stdout == ""


def test_isolation_that_is_not_to_be_had_is_status_3(
    steelyard: Run, square: Path, tmp_path: Path
) -> None:
    call = ("judge", square, "--tests", tmp_path / "tests")
    done = steelyard(*call, STEELYARD_SANDBOX__ACCOUNTING="cgroup-v3")
    assert done.returncode == 2
    assert_one_line(done.stderr)
    done = steelyard(*call, STEELYARD_SANDBOX__BACKEND="docker", DOCKER_HOST="unix:///nowhere.sock")
    assert done.returncode == 3
    assert_one_line(done.stderr)


def test_a_policy_rejects_before_anything_runs(
    steelyard: Run, square: Path, tmp_path: Path
) -> None:
    source = tmp_path / "square.py"
    options = ("--tests", tmp_path / "tests", "--policy")
    assert steelyard("judge", source, *options, "no-imports").returncode == 0
    source.write_text("import math\nprint(int(input()) ** 2)\n")
    assert steelyard("judge", source, *options, "math").returncode == 0
    done = steelyard("judge", source, *options, "no-imports")
    assert done.returncode == 1
    assert "import of math is not allowed (rule import)" in done.stdout
    for bad in ("no-such", "no-imports,math"):
        done = steelyard("judge", source, *options, bad)
        assert (done.returncode, done.stdout) == (2, "")
    assert steelyard("judge", square, *options, "no-imports").returncode == 2


def test_a_seed_starts_hashes_and_random_numbers(
    steelyard: Run, square: Path, tmp_path: Path
) -> None:
    source = tmp_path / "square.py"
    source.write_text("import random\nprint(random.random(), hash('text'))\n")
    tests = tmp_path / "tests.json"
    tests.write_text(json.dumps([{"input": "", "expected": "no number"}] * 3))
    options = ("--tests", tests, "--json")

    def printed(*seed: str) -> set[str]:
        """What its runs printed, as the verdicts tell."""
        done = steelyard("judge", source, *options, *seed)
        assert done.returncode == 1, done.stderr
        return {case["message"] for case in json.loads(done.stdout)["cases"]}

    usual = printed()
    assert len(usual) == 1
    assert "0." in min(usual)
    assert printed("--seed", "0") == usual
    other = printed("--seed", "5")
    assert len(other) == 1
    assert other != usual
    assert len(printed("--seed", "random")) > 1
    for program, seed in ((source, "five"), (source, "1.5"), (square, "5"), (square, "random")):
        done = steelyard("judge", program, *options, "--seed", seed)
        assert done.returncode == 2
        assert_one_line(done.stderr)
        assert "seed" in json.loads(done.stdout)["error"]["message"]
