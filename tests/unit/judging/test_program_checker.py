"""Checker programs, by both conventions, in a real cell."""

import pytest

from steelyard.errors import CheckerError, UsageError
from steelyard.judging import CHECKER_LIMITS, Convention, Outcome, ProgramChecker
from steelyard.sandbox import CellPool
from steelyard.schemas import TestCase
from steelyard.toolchains import Artifact, CompileCache, find_toolchain

# Does what the candidate's output says: `STATUS MESSAGE`, or one of the words below.
OBEDIENT = rb"""
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char said[4096], input[4096], answer[4096];

static void take(const char *name, FILE *from, char *into) {
    if (!from) from = fopen(name, "rb");
    if (!from) exit(99);
    into[fread(into, 1, 4095, from)] = 0;
}

int main(int count, char **names) {
    int icpc = count == 4 && !strcmp(names[3], "./");
    FILE *message = stderr;
    if (count != 4) return 98;
    take(names[1], NULL, input);
    take(names[icpc ? 2 : 3], NULL, answer);
    take(names[2], icpc ? stdin : NULL, said);
    if (icpc) {
        message = fopen("./judgemessage.txt", "w");
        if (!message) return 97;
    }
    if (!strncmp(said, "crash", 5)) abort();
    if (!strncmp(said, "loop", 4)) for (;;) ;
    if (!strncmp(said, "flood", 5)) for (;;) fputs("all is well\n", stdout);
    if (!strncmp(said, "shout", 5)) {
        fputs("\n \x1b[2J\xff", message);
        for (int i = 0; i < 100000; i++) fputc('a', message);
        return 1;
    }
    if (!strncmp(said, "list", 4)) {
        DIR *here = opendir(".");
        struct dirent *entry;
        int files = 0, known = 0;
        while ((entry = readdir(here))) {
            if (entry->d_name[0] == '.') continue;
            files++;
            known += !strcmp(entry->d_name, "input.txt") || !strcmp(entry->d_name, "output.txt")
                || !strcmp(entry->d_name, "answer.txt");
        }
        fprintf(message, "%d files, %d known", files, known);
        return 1;
    }
    if (!strncmp(said, "files", 5)) {
        fprintf(message, "%s|%s", input, answer);
        return icpc ? 43 : 1;
    }
    char *rest;
    int status = (int)strtol(said, &rest, 10);
    if (*rest == ' ') fputs(rest + 1, message);
    return status;
}
"""


@pytest.fixture(scope="session")
def artifact(pool: CellPool, compile_cache: CompileCache) -> Artifact:
    compilation = find_toolchain("c").compile(OBEDIENT, pool, cache=compile_cache)
    assert compilation.artifact, compilation.result
    return compilation.artifact


def run(
    pool: CellPool, artifact: Artifact, output: bytes, convention: Convention = "testlib"
) -> Outcome:
    checker = ProgramChecker(
        artifact,
        pool,
        convention=convention,
        limits=CHECKER_LIMITS.replace(cpu_ms=500, wall_ms=60_000),
    )
    return checker.check(TestCase(name="one", input="in", expected="ans"), output)


class TestTestlib:
    def test_status_0_passes(self, pool: CellPool, artifact: Artifact) -> None:
        assert run(pool, artifact, b"0") == Outcome(True)
        assert run(pool, artifact, b"0 ok 3 numbers\n") == Outcome(True, "ok 3 numbers")

    @pytest.mark.parametrize("status", [1, 2, 4, 8])
    def test_each_status_for_a_wrong_output_is_wrong(
        self, pool: CellPool, artifact: Artifact, status: int
    ) -> None:
        outcome = run(pool, artifact, b"%d wrong answer 1st differs\nsecond line" % status)
        assert outcome == Outcome(False, "wrong answer 1st differs")
        assert not run(pool, artifact, b"%d" % status).passed
        assert run(pool, artifact, b"%d" % status).message

    @pytest.mark.parametrize(
        ("said", "points"),
        [
            (b"points 0.5 half of it", 0.5),
            (b"points 0", 0.0),
            (b"points 1.0", 1.0),
            (b"0.25", 0.25),
        ],
    )
    def test_status_7_awards_points_and_only_all_of_them_pass(
        self, pool: CellPool, artifact: Artifact, said: bytes, points: float
    ) -> None:
        outcome = run(pool, artifact, b"7 " + said)
        assert (outcome.passed, outcome.points) == (points == 1, points)
        assert outcome.message == said.decode()

    @pytest.mark.parametrize("said", [b"points 50", b"points -1", b"points nan", b"points", b"x"])
    def test_points_that_are_none_are_the_checkers_failure(
        self, pool: CellPool, artifact: Artifact, said: bytes
    ) -> None:
        with pytest.raises(CheckerError, match=r"'one'.*points that are not a number in 0\.\.1"):
            run(pool, artifact, b"7 " + said)

    def test_it_is_given_the_three_files_and_sees_no_other(
        self, pool: CellPool, artifact: Artifact
    ) -> None:
        assert run(pool, artifact, b"files").message == "in|ans"
        assert run(pool, artifact, b"list").message == "3 files, 3 known"

    def test_its_message_is_one_bounded_printable_line(
        self, pool: CellPool, artifact: Artifact
    ) -> None:
        message = run(pool, artifact, b"shout").message
        assert message.startswith("\\x1b[2J\\xffaaa")
        assert message.isprintable()
        assert len(message) < 400


class TestIcpc:
    def test_42_passes_and_43_does_not(self, pool: CellPool, artifact: Artifact) -> None:
        assert run(pool, artifact, b"42", "icpc") == Outcome(True)
        assert run(pool, artifact, b"43 line 3 is off\n", "icpc") == Outcome(False, "line 3 is off")
        assert run(pool, artifact, b"43", "icpc").message

    def test_it_is_given_the_input_and_the_answer(self, pool: CellPool, artifact: Artifact) -> None:
        assert run(pool, artifact, b"files", "icpc").message == "in|ans"

    @pytest.mark.parametrize("status", [0, 1, 44])
    def test_any_other_status_is_the_checkers_failure(
        self, pool: CellPool, artifact: Artifact, status: int
    ) -> None:
        with pytest.raises(CheckerError, match=f"exit status {status} .*odd"):
            run(pool, artifact, b"%d odd" % status, "icpc")


@pytest.mark.parametrize("convention", ["testlib", "icpc"])
@pytest.mark.parametrize(
    ("output", "reason"),
    [
        (b"3 FAIL the jury is wrong", r"exit status 3 .*the jury is wrong"),
        (b"9", "exit status 9"),
        (b"crash", "signal 6"),
        (b"loop", "CPU limit"),
        (b"flood", "output limit"),
    ],
)
def test_a_checker_that_fails_is_an_error_and_no_verdict(
    pool: CellPool, artifact: Artifact, output: bytes, reason: str, convention: Convention
) -> None:
    with pytest.raises(CheckerError, match=f"'one'.*{reason}") as failed:
        run(pool, artifact, output, convention)
    assert str(failed.value).isprintable()


def test_files_larger_than_the_scratch_folder_and_the_memory_fit(
    pool: CellPool, artifact: Artifact
) -> None:
    checker = ProgramChecker(artifact, pool, limits=CHECKER_LIMITS.replace(memory_mib=64))
    case = TestCase(name="large", input=b"1 " * (60 << 20), expected=b"2 " * (60 << 20))
    assert checker.check(case, b"0" + b" " * (60 << 20)).passed


def test_an_input_serves_one_candidate_after_another(pool: CellPool, artifact: Artifact) -> None:
    checker = ProgramChecker(artifact, pool)
    for size in (10, 100_000, 100_000):
        case = TestCase(name="kept", input=b"i" * size, expected=b"a")
        for _ in range(2):
            message = checker.check(case, b"files").message
            assert message.startswith("iii")


def test_an_unknown_convention_is_refused(pool: CellPool, artifact: Artifact) -> None:
    with pytest.raises(UsageError, match=r"'kattis'.*testlib, icpc"):
        ProgramChecker(artifact, pool, convention="kattis")  # type: ignore[arg-type]


def test_a_program_for_another_system_is_refused(pool: CellPool) -> None:
    with pytest.raises(UsageError, match="cannot run on this system"):
        ProgramChecker(Artifact(argv=("a.exe",), runnable=False), pool)
