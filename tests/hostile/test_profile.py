"""A program or generator that tampers with its own profile gains nothing by it."""

from pathlib import Path

import pytest

from steelyard.errors import GeneratorError
from steelyard.profiling import Input, Point, profile
from steelyard.sandbox import Blob, CellPool
from steelyard.schemas import Limits

STEERING = ("\x1b", "\x07", "\x9b", "\u202e", "\n")
SPIN_CPP = """\
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <initializer_list>
#include <unistd.h>
#include <sys/syscall.h>
extern "C" void __gcov_reset(void) __attribute__((weak));
int main() {
  long n; if (scanf("%ld", &n) != 1) return 1;
  for (volatile long i = 0; i < n * 2000000; i = i + 1) {}
  TAMPER
}
"""
GARBAGE = """
  for (const char *name : {"main.gcda", "main-main.gcda"}) {
    int f = open(name, O_CREAT | O_WRONLY, 0644);
    if (f < 0 || write(f, "DATA", sizeof "DATA" - 1) < 0) return 2;
  }
  syscall(SYS_exit_group, 0);
"""
FORGERIES = {
    "nonsense": GARBAGE.replace("DATA", "adcgjunk"),
    "huge": 'for (const char *name : {"main.gcda", "main-main.gcda"}) '
    "if (truncate(name, 0), ftruncate(open(name, O_CREAT | O_WRONLY, 0644), 1 << 22)) return 2; "
    "syscall(SYS_exit_group, 0);",
    "a link": 'for (const char *name : {"main.gcda", "main-main.gcda"}) '
    'if (symlink("/proc/self/exe", name)) return 2; syscall(SYS_exit_group, 0);',
}
PYTHON = """\
import os
n = int(input())
for i in range(100 * n): pass
for name in os.listdir("."):
    if "steelyard" in name:
        os.unlink(name)
for name in (".steelyard-counts", ".steelyard-heap"):
    with open(name, "wb") as file:
        file.write(b"\\xff" * 4096)
os._exit(0)
"""


class Sizes:
    """Inputs that hold nothing but their size."""

    description = "sizes"

    def get(self, point: Point, seed: int) -> Input:
        return Input(point, Blob(f"{point.n}\n".encode()))


@pytest.mark.parametrize("forgery", FORGERIES)
def test_counts_that_are_none_are_refused_and_told(pool: CellPool, forgery: str) -> None:
    source = SPIN_CPP.replace("2000000", "100").replace("TAMPER", FORGERIES[forgery])
    report = profile(source, language="cpp", inputs=Sizes(), max_n=128, budget_s=2, pool=pool)
    assert all(size.work is None for size in report.measurements)
    assert report.time.basis != "work"
    refused = ("are not valid", "without writing its counts")
    assert any(text in note for note in report.notes for text in refused), report.notes


def test_counts_that_are_forged_in_form_change_no_verdict(pool: CellPool) -> None:
    tamper = "if (__gcov_reset) __gcov_reset();"
    source = SPIN_CPP.replace("TAMPER", tamper)
    report = profile(
        source,
        language="cpp",
        inputs=Sizes(),
        max_n=128,
        budget_s=1,
        limits=Limits(cpu_ms=20),
        pool=pool,
    )
    assert report.prediction.meets_time_limit is not True  # a busy machine may leave it unsure


def test_a_python_program_that_tampers_with_the_figures_gets_no_figures_of_its_own(
    pool: CellPool,
) -> None:
    report = profile(PYTHON, inputs=Sizes(), max_n=128, budget_s=3, pool=pool)
    for size in report.measurements:
        assert size.work is None or 0 < size.work < 10**6
        assert size.heap_bytes is None or size.heap_bytes < 1 << 30


def test_what_a_program_says_as_it_fails_steers_no_terminal(pool: CellPool) -> None:
    source = "import os\nos.write(2, b'\\x1b[2J\\x07\\xc2\\x9bpwn\\xe2\\x80\\xae')\nos._exit(3)\n"
    report = profile(source, inputs=Sizes(), max_n=128, budget_s=2, pool=pool)
    shown = "".join((*report.notes, report.time.reason, report.space.reason))
    assert "pwn" in shown
    assert not any(char in shown for char in STEERING)


def test_what_a_generator_says_as_it_fails_steers_no_terminal(
    pool: CellPool, tmp_path: Path
) -> None:
    generator = tmp_path / "gen.py"
    generator.write_text(
        "class Error(Exception): pass\nError.__name__ = '\\x1b[31mError'\n"
        "def generate(n, seed): raise Error('\\x07\\x9b pwn \\u202e')\n"
    )
    with pytest.raises(GeneratorError) as caught:
        profile("print(1)", inputs=generator, max_n=128, pool=pool)
    assert "pwn" in str(caught.value)
    assert not any(char in str(caught.value) for char in STEERING)
