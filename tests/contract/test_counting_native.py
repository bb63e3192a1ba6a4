"""Counts and heap peaks of C and C++ programs are exact, the same each time, and never made up."""

import importlib.util
import shutil
import subprocess
from pathlib import Path

import pytest

from steelyard.profiling import CountedRun, Input, Point
from steelyard.profiling.counting import (
    CountingUnavailable,
    NativeCounter,
    heap_library,
    native_counter,
)
from steelyard.profiling.counting._gcov import GcovJson
from steelyard.sandbox import Blob, CellPool
from steelyard.schemas import Limits, StopReason
from steelyard.toolchains import CompileCache, find_toolchain

CORPUS = Path(__file__).parents[1] / "corpus" / "complexity"


def links_counters(program: str) -> bool:
    """Clang's runtime for counters is a package of its own."""
    command = [program, "-fprofile-arcs", "-x", "c++", "-", "-o", "/dev/null"]
    done = subprocess.run(command, input=b"int main() {}", capture_output=True, check=False)
    return done.returncode == 0


COMPILERS = [
    (name, program)
    for name, program in (("gcc", "g++"), ("g++-11", "g++-11"), ("clang", "clang++"))
    if shutil.which(program) and links_counters(program)
]
INSTALLED = [name for name, _ in COMPILERS]
each_compiler = pytest.mark.parametrize("compiler", INSTALLED)
LOOPS = b"""#include <cstdio>
int main() {
  int n; if (scanf("%d", &n) != 1) return 1;
  long sum = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      if ((i ^ j) & 1)
        sum += j;
  printf("%ld", sum);
}
"""
SUM = "long s = 0; for (int i = 0; i < 1000; i++) s += i;"
ENDS = {
    "_exit": f"#include <unistd.h>\nint main() {{ {SUM} if (s > 5) _exit(3); }}",
    "_Exit": f"#include <stdlib.h>\nint main() {{ {SUM} if (s > 5) _Exit(3); }}",
    "quick_exit": f"#include <stdlib.h>\nint main() {{ {SUM} if (s > 5) quick_exit(3); }}",
    "exit": f"#include <stdlib.h>\nint main() {{ {SUM} if (s > 5) exit(3); }}",
}
RAW = (
    "#include <unistd.h>\n#include <sys/syscall.h>\n"
    f"int main() {{ {SUM} syscall(SYS_exit_group, s > 5); }}"
)
OWN = (
    "#include <fcntl.h>\n#include <initializer_list>\n"
    "#include <unistd.h>\n#include <sys/syscall.h>\n"
    'static int made() { for (const char *name : {"main.gcda", "main-main.gcda"}) '
    "{ int f = open(name, O_CREAT | O_RDWR, 0644); WRITE } return 0; }\n"
    "int main() { made(); syscall(SYS_exit_group, 0); }"
)
HEAP = """#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
void *volatile kept;
int main() {
  kept = malloc(1000000); kept = realloc(kept, 3000000); free(kept);
  void *p; if (posix_memalign(&p, 4096, 5000000)) return 1; kept = p; free(p);
  kept = calloc(1000, 4000); free(kept);
  FORK
  for (int i = 0; i < 1000; i++) { kept = malloc(100000); free(kept); }
  END
}
"""


def counter_of(source: str | bytes, pool: CellPool, compiler: str, *flags: str) -> NativeCounter:
    toolchain = find_toolchain("cpp", compiler=compiler, flags=("-O2", "-std=c++17", *flags))
    text = source.encode() if isinstance(source, str) else source
    counter = native_counter(toolchain, text, pool)
    assert isinstance(counter, NativeCounter), counter
    return counter


def run(counter: NativeCounter, text: bytes = b"", **limits: int) -> CountedRun:
    return counter.run(Input(Point(1), Blob(text)), Limits(**limits))


def heaviest(counts: CountedRun, counter: NativeCounter) -> tuple[int, int | None]:
    assert counts.work is not None, counts.note
    key = max(counts.work, key=lambda each: (counts.work or {})[each])
    return counts.work[key], counter.lines.get(key)


@each_compiler
def test_a_loop_is_counted_to_the_last_turn_and_has_its_line(pool: CellPool, compiler: str) -> None:
    counter = counter_of(LOOPS, pool, compiler)
    for n in (10, 200):
        counted = run(counter, b"%d" % n)
        count, line = heaviest(counted, counter)
        assert n * n // 2 <= count <= n * (n + 1)
        assert line in (6, 7, 8)
        assert counted.execution.exit_code == 0
        assert counted.note == ""
        assert not counted.threads


@pytest.mark.parametrize(
    ("compiler", "name"),
    [
        ("gcc", "cpp_hash_distinct"),
        ("clang", "cpp_hash_distinct"),
        pytest.param("gcc", "cpp_heap", marks=pytest.mark.exhaustive),
        pytest.param("gcc", "cpp_bfs", marks=pytest.mark.exhaustive),
        pytest.param("clang", "cpp_string_erase_front", marks=pytest.mark.exhaustive),
    ],
)
def test_the_same_input_gives_the_same_figures(pool: CellPool, compiler: str, name: str) -> None:
    if compiler not in INSTALLED:
        pytest.skip(f"{compiler} is not installed")
    text = generated(name, 300)
    counter = counter_of((CORPUS / name / "main.cpp").read_bytes(), pool, compiler)
    runs = [run(counter, text) for _ in range(3)]
    assert runs[0].work
    assert all(each.work == runs[0].work for each in runs)
    assert runs[0].heap_bytes is not None
    assert len({each.heap_bytes for each in runs}) == 1


def test_the_work_of_a_library_is_that_of_the_line_that_calls_it(pool: CellPool) -> None:
    source = b"""#include <algorithm>
#include <vector>
int main() {
  std::vector<unsigned> all;
  for (unsigned i = 0, x = 1; i < 3000; i++, x = x * 1664525 + 1013904223)
    all.push_back(x);
  std::sort(all.begin(), all.end());
  return all[0] > all[1];
}
"""
    counter = counter_of(source, pool, "gcc")
    count, line = heaviest(run(counter), counter)
    assert count > 3_000
    assert line == 7


def generated(name: str, n: int) -> bytes:
    """An input of the corpus, which is ours; candidates' generators run in cells."""
    spec = importlib.util.spec_from_file_location(name, CORPUS / name / "gen.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return str(module.generate(n, 1)).encode()


@each_compiler
@pytest.mark.parametrize("end", ENDS)
def test_counts_outlive_every_ordinary_end(pool: CellPool, compiler: str, end: str) -> None:
    counter = counter_of(ENDS[end], pool, compiler)
    counted = run(counter)
    assert counted.execution.exit_code == 3
    count, _ = heaviest(counted, counter)
    assert 999 <= count <= 1001


@each_compiler
def test_a_raw_end_leaves_no_counts(pool: CellPool, compiler: str) -> None:
    counted = run(counter_of(RAW, pool, compiler))
    assert counted.work is None
    assert "without writing" in counted.note
    assert counted.heap_bytes is not None


@each_compiler
@pytest.mark.parametrize(
    "write",
    [
        'write(f, "adcgjunk", 8);',
        "if (ftruncate(f, 1 << 25)) return 1;",
        'write(f, "adcg*22B", 8); write(f, "1234567890123456789012345678901234567890", 40);',
        'write(f, "adcg*804", 8); write(f, "1234567890123456789012345678901234567890", 40);',
    ],
)
def test_counts_of_the_programs_own_making_are_refused(
    pool: CellPool, compiler: str, write: str
) -> None:
    counted = run(counter_of(OWN.replace("WRITE", write), pool, compiler))
    assert counted.execution.exit_code == 0
    assert counted.work is None
    assert "are not valid" in counted.note


@each_compiler
def test_a_killed_run_has_no_counts_but_the_heap_so_far(pool: CellPool, compiler: str) -> None:
    source = HEAP.replace("FORK", "").replace("END", "for (;;) kept = 0;")
    counted = run(counter_of(source, pool, compiler), cpu_ms=300, wall_ms=20_000)
    assert counted.execution.stop is StopReason.CPU_LIMIT
    assert counted.work is None
    assert "cpu limit" in counted.note
    assert 5_000_000 <= (counted.heap_bytes or 0) <= 5_400_000


@each_compiler
@pytest.mark.parametrize("end", ["return 0;", "_exit(0);", "syscall(231, 0);"])
def test_the_peak_of_the_heap_is_exact(pool: CellPool, compiler: str, end: str) -> None:
    source = HEAP.replace("FORK", "").replace("END", end)
    counted = run(counter_of(source, pool, compiler))
    assert counted.execution.exit_code == 0
    assert 5_000_000 <= (counted.heap_bytes or 0) <= 5_000_000 + (400 << 10)


@each_compiler
@pytest.mark.parametrize("end", ["return 0;", "_exit(0);"])
def test_writing_the_counts_hides_no_small_heap(pool: CellPool, compiler: str, end: str) -> None:
    counter = counter_of(
        "#include <stdlib.h>\n#include <unistd.h>\nint main() { char digits[8] = {0};\n"
        "  if (read(0, digits, 7) < 1) return 1;\n"
        f"  char *volatile kept = (char *)malloc(atoi(digits)); kept[0] = 1; free(kept); {end} }}",
        pool,
        compiler,
    )
    small, large = (run(counter, size).heap_bytes or 0 for size in (b"100", b"1100"))
    assert 1_000 <= large - small <= 1_000 + 16  # what the allocator rounds up


@each_compiler
def test_a_childs_heap_is_not_its_parents_but_its_work_counts(
    pool: CellPool, compiler: str
) -> None:
    child = (
        "if (!fork()) { kept = malloc(40000000); for (int i = 0; i < 7777; i++) kept = 0; "
        "_exit(0); } wait(0);"
    )
    counter = counter_of(HEAP.replace("FORK", child).replace("END", "return 0;"), pool, compiler)
    counted = run(counter)
    assert counted.execution.exit_code == 0
    assert heaviest(counted, counter)[0] >= 7_777
    assert (counted.heap_bytes or 0) < 6_000_000


@each_compiler
def test_threads_are_seen_and_counted_without_loss(pool: CellPool, compiler: str) -> None:
    source = """#include <thread>
    #include <vector>
    long volatile sums[4];
    int main() {
      std::vector<std::thread> all;
      for (int k = 0; k < 4; k++)
        all.emplace_back([k] { for (int i = 0; i < 100000; i++) sums[k] = i; });
      for (auto &each : all) each.join();
    }
    """
    counter = counter_of(source, pool, compiler, "-pthread")
    counted = run(counter)
    assert counted.threads
    count, line = heaviest(counted, counter)
    assert 400_000 <= count <= 400_004
    assert line == 7


@each_compiler
def test_a_program_that_leaves_its_folder_still_leaves_its_counts(
    pool: CellPool, compiler: str
) -> None:
    source = f'#include <unistd.h>\nint main() {{ {SUM} return s > 5 && chdir("/tmp"); }}'
    assert pool.isolation.filesystem != "view" or run(counter_of(source, pool, compiler)).work


def test_a_form_that_does_not_compile_is_a_reason_and_no_exception(pool: CellPool) -> None:
    source = b"#ifdef __OPTIMIZE__\nint main() { return nothing; }\n#endif"
    given = native_counter(find_toolchain("cpp", compiler="gcc"), source, pool)
    assert isinstance(given, CountingUnavailable)
    assert "nothing" in given.reason


def test_a_precompiled_header_changes_no_count(pool: CellPool, compile_cache: CompileCache) -> None:
    source = (CORPUS / "cpp_sort_random" / "main.cpp").read_bytes()
    toolchain = find_toolchain("cpp", compiler="gcc")
    counters = [native_counter(toolchain, source, pool, cache) for cache in (None, compile_cache)]
    text = generated("cpp_sort_random", 500)
    works = [run(each, text).work for each in counters if isinstance(each, NativeCounter)]
    assert len(works) == 2
    assert works[0] == works[1]
    assert works[0]


def test_gcov_itself_tells_the_same_where_the_format_is_not_known(
    pool: CellPool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("steelyard.profiling.counting._gcov._NEWEST_MAJOR", 8)
    counter = counter_of(LOOPS, pool, "gcc")
    assert isinstance(counter._form.reader, GcovJson)
    counted = run(counter, b"100")
    count, line = heaviest(counted, counter)
    assert 10_000 <= count <= 20_200
    assert line in (6, 7)
    forged = run(counter_of(OWN.replace("WRITE", 'write(f, "adcgjunk", 8);'), pool, "gcc"))
    assert forged.work is None
    assert "are not valid" in forged.note


def test_c_programs_are_counted_too(pool: CellPool) -> None:
    source = f"int main(void) {{ {SUM} return s > 5; }}".encode()
    counter = native_counter(find_toolchain("c"), source, pool)
    assert isinstance(counter, NativeCounter)
    assert 999 <= heaviest(run(counter), counter)[0] <= 1001


def test_a_program_that_is_started_by_the_program_leaves_the_figures_alone(pool: CellPool) -> None:
    source = HEAP.replace("FORK", 'if (system("/bin/true")) return 9;').replace("END", "return 0;")
    counted = run(counter_of(source, pool, "gcc"))
    assert 5_000_000 <= (counted.heap_bytes or 0) <= 5_400_000


def test_the_library_was_built() -> None:
    assert heap_library() is not None
