"""Every installed language keeps the same contract: compile in a cell, run, say what is wrong."""

from dataclasses import replace
from pathlib import Path

import pytest

from steelyard.errors import LanguageError, ToolchainError
from steelyard.sandbox import CellPool, View
from steelyard.schemas import Limits, StopReason
from steelyard.toolchains import (
    CompileCache,
    LanguageStatus,
    Toolchain,
    find_toolchain,
    languages,
)

SQUARES = {
    "c": b"#include <stdio.h>\n#include <math.h>\nint main(void) { double n; "
    b'if (scanf("%lf", &n) != 1) return 1; printf("%.0f\\n", floor(sqrt(n * n * n * n))); }',
    "cpp": b"#include <iostream>\nint main() { int n; std::cin >> n; std::cout << n * n << '!'; }",
    "python": b"print(int(input()) ** 2)",
    "javascript": b'const n = +require("fs").readFileSync(0); console.log(n * n);',
    "java": b"import java.util.Scanner;\npublic class Squares { public static void main("
    b"String[] args) { int n = new Scanner(System.in).nextInt(); System.out.println(n * n); } }",
    "rust": b"use std::io;\nfn main() { let mut s = String::new(); io::stdin().read_line(&mut s)"
    b'.unwrap(); let n: i64 = s.trim().parse().unwrap(); println!("{}", n * n); }',
    "go": b'package main\n\nimport "fmt"\n\nfunc main() { var n int; fmt.Scan(&n); '
    b"fmt.Println(n * n) }",
}
BROKEN = {
    "c": b"int main(void) {\n  return nothing;\n}",
    "cpp": b"int main() {\n  return nothing;\n}",
    "python": b"x = 1\nx = = 2",
    "javascript": b"let x = 1\nlet y = ;",
    "java": b"class Main {\n int x = nothing; }",
    "rust": b"fn main() {\n  nothing(); }",
    "go": b"package main\nfunc main() { nothing() }",
}
DEEP = {
    "python": b"import sys\nsys.setrecursionlimit(10**6)\n"
    b"def f(n): return n and 1 + f(n - 1)\nprint(f(50000))",
    "javascript": b"function f(n) { return n ? 1 + f(n - 1) : 0 }\nconsole.log(f(50000))",
    "java": b"class Main { static int f(int n) { return n == 0 ? 0 : 1 + f(n - 1); }\n"
    b"public static void main(String[] args) { System.out.println(f(50000)); } }",
    "cpp": b"#include <cstdio>\nint f(int n) { volatile char pad[999]; pad[0] = 1; "
    b'return n ? pad[0] + f(n - 1) : 0; }\nint main() { printf("%d\\n", f(50000)); }',
}
MODERN = {
    "c": b"""
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
    char *line = NULL, *copy; size_t size = 0;
    if (getline(&line, &size, stdin) < 0 || !(copy = strdup(line))) return 1;
    printf("%.0f %d\\n", M_PI, (int)strnlen(copy, 9));
}
""",
    "cpp": b"""
#include <algorithm>
#include <cmath>
#include <compare>
#include <cstdio>
#include <cstring>
#include <span>
#include <vector>
struct Point { int x; auto operator<=>(const Point &) const = default; };
template <typename T> concept Number = requires(T a) { a + a; };
int sum(Number auto a, Number auto b) { return a + b; }
int main() {
    std::vector<Point> points{{.x = 2}, {.x = 1}};
    std::sort(points.begin(), points.end());
    char *copy = strdup("ab");
    std::printf("%.0f %d\\n", M_PI, sum(points[0].x, (int)std::span(points).size() - 1));
    return !copy;
}
""",
}
STATUSES = languages()
INSTALLED = [each for each in STATUSES if each.installed]
PREFERRED = {each.language: each for each in reversed(INSTALLED) if each.runnable}


def of_each(statuses: list[LanguageStatus]) -> pytest.MarkDecorator:
    names = [f"{each.language}-{each.compiler}" for each in statuses]
    return pytest.mark.parametrize("status", statuses, ids=names)


each_compiler = of_each(INSTALLED)
each_with_programs = of_each([each for each in INSTALLED if each.language in SQUARES])


def toolchain_of(status: LanguageStatus) -> Toolchain:
    return find_toolchain(status.language, compiler=status.compiler)


def preferred(language: str) -> Toolchain:
    if language not in PREFERRED:
        pytest.skip(f"{language} is not installed")
    return toolchain_of(PREFERRED[language])


@each_with_programs
def test_a_right_program_compiles_clean_and_runs(status: LanguageStatus, pool: CellPool) -> None:
    toolchain = toolchain_of(status)
    compilation = toolchain.compile(SQUARES[status.language], pool)
    assert compilation.result.ok
    assert not compilation.result.warnings
    assert compilation.result.compiler == status.version
    assert compilation.artifact is not None
    assert compilation.artifact.runnable is status.runnable
    if not status.runnable:
        return
    command = compilation.artifact.command(stdin=b"12\n", limits=toolchain.run_limits(Limits()))
    execution = pool.run(command)
    assert (execution.stop, execution.exit_code) == (StopReason.EXITED, 0)
    assert execution.stdout.strip(b"\n!") == b"144"


@each_with_programs
def test_a_wrong_program_gives_an_error_at_its_line(status: LanguageStatus, pool: CellPool) -> None:
    compilation = toolchain_of(status).compile(BROKEN[status.language], pool)
    assert not compilation.result.ok
    assert compilation.artifact is None
    assert compilation.result.errors[0].line == 2


@each_with_programs
def test_the_second_answer_comes_from_the_cache_and_is_the_same(
    status: LanguageStatus, pool: CellPool, tmp_path: Path
) -> None:
    toolchain = toolchain_of(status)
    for source in (SQUARES[status.language], BROKEN[status.language]):
        first = toolchain.compile(source, pool, cache=CompileCache(tmp_path, max_mib=64))
        again = toolchain.compile(source, pool, cache=CompileCache(tmp_path, max_mib=64))
        # A check costs less than keeping its outcome, and what a program lacks may be installed.
        kept = first.result.ok and not (toolchain.harness and pool.forks)
        assert (first.result.cached, again.result.cached) == (False, kept)
        ignored = {"cached", "wall_ms"}
        assert first.result.model_dump(exclude=ignored) == again.result.model_dump(exclude=ignored)
        if first.artifact is None or again.artifact is None:
            assert first.artifact is again.artifact
            continue
        assert first.artifact.argv == again.artifact.argv
        assert first.artifact.view == again.artifact.view
        one, other = first.artifact.executable, again.artifact.executable
        assert (one and one.read()) == (other and other.read())


@pytest.mark.parametrize("language", sorted(DEEP))
def test_recursion_may_use_the_stack_that_the_limits_give(language: str, pool: CellPool) -> None:
    toolchain = preferred(language)
    artifact = toolchain.compile(DEEP[language], pool).artifact
    assert artifact is not None
    limits = toolchain.run_limits(Limits(memory_mib=1024))
    execution = pool.run(artifact.command(stdin=b"", limits=limits))
    assert execution.stdout.strip() == b"50000", execution.stderr


JUDGED = {
    "c": b"#include <stdio.h>\n#include <stdlib.h>\n#ifndef ONLINE_JUDGE\n#error none\n#endif\n"
    b'int main(void) { puts(getenv("ONLINE_JUDGE")); }',
    "cpp": b"#include <bits/stdc++.h>\n#ifndef ONLINE_JUDGE\n#error undefined\n#endif\n"
    b'int main() { std::puts(std::getenv("ONLINE_JUDGE")); }',
    "python": b"import os\nprint(os.environ['ONLINE_JUDGE'])",
    "javascript": b"console.log(process.env.ONLINE_JUDGE)",
    "java": b"class Main { public static void main(String[] a) { "
    b'System.out.println(System.getenv("ONLINE_JUDGE")); } }',
    "rust": b'fn main() { println!("{}", std::env::var("ONLINE_JUDGE").unwrap()); }',
    "go": b'package main\n\nimport ("fmt"; "os")\n\n'
    b'func main() { fmt.Println(os.Getenv("ONLINE_JUDGE")) }',
}


@each_with_programs
def test_a_program_can_tell_that_it_is_judged(
    status: LanguageStatus, pool: CellPool, tmp_path: Path
) -> None:
    flags = ["-O0"] if status.language in ("c", "cpp") else None  # in place of the table's
    toolchain = find_toolchain(status.language, compiler=status.compiler, flags=flags)
    cache = CompileCache(tmp_path)  # holds the precompiled header
    compilation = toolchain.compile(JUDGED[status.language], pool, cache=cache)
    assert compilation.artifact is not None, compilation.result
    if status.runnable:
        limits = toolchain.run_limits(Limits())
        execution = pool.run(compilation.artifact.command(stdin=b"", limits=limits))
        assert execution.stdout == b"1\n", execution.stderr


@pytest.mark.parametrize("compiler", ["gcc", "clang"])
@pytest.mark.parametrize(
    "source",
    [
        b'#include "/etc/passwd"\nint main() {}',
        b'#include "/root/.bashrc"\nint main() {}',
        b'#include "/etc/hostname"\nint main() {}',
        b'#include "/proc/self/environ"\nint main() { return 1 }',
        b'int main() { asm(".incbin \\"/etc/passwd\\""); }',
    ],
)
def test_no_compile_reads_outside_the_toolchain_s_files(
    compiler: str, source: bytes, pool: CellPool
) -> None:
    try:
        toolchain = find_toolchain("cpp", compiler=compiler)
    except LanguageError as error:
        pytest.skip(str(error))
    result = toolchain.compile(source, pool).result
    assert not result.ok
    text = " ".join(error.message for error in result.errors)
    assert "root:" not in text
    assert "PATH=/" not in text


def test_rust_includes_nothing_of_the_host_either(pool: CellPool) -> None:
    source = b'fn main() { print!("{}", include_str!("/etc/passwd")); }'
    assert not preferred("rust").compile(source, pool).result.ok


def test_a_static_program_sees_nothing_of_the_host(pool: CellPool) -> None:
    toolchain = preferred("cpp")
    static = toolchain.compile(SQUARES["cpp"], pool).artifact
    assert static is not None
    assert static.view.mounts == ()
    flags = [flag for flag in toolchain.flags if flag != "-static"]
    dynamic = replace(toolchain, flags=tuple(flags)).compile(SQUARES["cpp"], pool).artifact
    assert dynamic is not None
    assert dynamic.view != View()
    execution = pool.run(dynamic.command(stdin=b"3", limits=Limits()))
    assert execution.stdout == b"9!"


TEMPLATE_BOMB = (
    b"template<int N> struct S { S<N + 1> *a; S<N * 2 + 1> b; S<N * 2 + 2> c; };\n"
    b"S<0> s; int main() {}"
)
MACRO_BOMB = (
    b"#define A(x) x x x x x x x x x x\n#define B(x) A(A(A(A(x))))\nint main() { B(B(int y;)) }"
)


@pytest.mark.parametrize(
    ("source", "limits", "words"),
    [
        (TEMPLATE_BOMB, Limits(cpu_ms=300, wall_ms=20_000, memory_mib=4_096), "300 ms of CPU time"),
        (MACRO_BOMB, Limits(memory_mib=150), "150 MiB of memory"),
    ],
)
def test_a_compile_that_meets_a_limit_fails_by_name_and_is_not_cached(
    source: bytes, limits: Limits, words: str, pool: CellPool, tmp_path: Path
) -> None:
    toolchain = replace(preferred("cpp"), flags=("-std=c++17", "-ftemplate-depth=100000"))
    cache = CompileCache(tmp_path, max_mib=64)
    result = toolchain.compile(source, pool, limits=limits, cache=cache).result
    assert not result.ok
    assert words in result.errors[0].message
    assert not list((tmp_path / "compiled").iterdir())


def test_a_table_too_large_for_a_file_fails_and_is_not_cached(
    pool: CellPool, tmp_path: Path
) -> None:
    source = b"char table[1 << 26] = {1}; int main() { return table[5]; }"
    cache = CompileCache(tmp_path, max_mib=64)
    limits = Limits(file_mib=16, memory_mib=1024)
    assert not preferred("cpp").compile(source, pool, limits=limits, cache=cache).result.ok
    assert not list((tmp_path / "compiled").iterdir())


def test_a_source_beyond_all_measure_is_an_error_and_no_crash(pool: CellPool) -> None:
    result = preferred("cpp").compile(b"//" + bytes(5 << 20), pool).result
    assert [error.message for error in result.errors] == ["the source is larger than 4 MiB"]


@pytest.mark.parametrize(
    "source",
    [
        b"",
        b"int main() {}\x00\x00\xff\xfe\xfd",
        *(
            pytest.param(source, marks=pytest.mark.exhaustive)
            for source in (b"\x00", b"int main() {}\x00\x00", b"\xff\xfe\xfd", b"\r\n", b"#")
        ),
    ],
)
@each_compiler
def test_odd_bytes_are_compiled_or_refused_but_never_crash(
    status: LanguageStatus, source: bytes, pool: CellPool, compile_cache: CompileCache
) -> None:
    result = toolchain_of(status).compile(source, pool, cache=compile_cache).result
    assert result.ok is not bool(result.errors)


@pytest.mark.parametrize(
    "status",
    [each for each in INSTALLED if each.language in MODERN],
    ids=lambda each: f"{each.language}-{each.compiler}",
)
def test_what_contest_programs_take_for_granted_compiles_by_default(
    status: LanguageStatus, pool: CellPool
) -> None:
    compilation = toolchain_of(status).compile(MODERN[status.language], pool)

    assert compilation.result.ok, compilation.result.errors
    if status.runnable:
        assert compilation.artifact is not None
        run = pool.run(compilation.artifact.command(stdin=b"a\n", limits=Limits()))
        assert run.stdout == b"3 2\n"


def test_turning_warnings_off_counts_as_a_warning(pool: CellPool) -> None:
    toolchain = replace(preferred("cpp"), flags=("-Wall",))
    unused = b"int main() { int unused; }"
    silenced = b'#pragma GCC diagnostic ignored "-Wunused-variable"\n' + unused
    for source in (unused, silenced):
        result = toolchain.compile(source, pool).result
        assert result.ok
        assert len(result.warnings) == 1


def test_flags_that_compile_nothing_are_the_caller_s_mistake(pool: CellPool) -> None:
    toolchain = replace(preferred("cpp"), flags=("-std=c++99",))
    with pytest.raises(LanguageError, match=r"-std=c\+\+99.*fix the flags"):
        toolchain.compile(SQUARES["cpp"], pool)


def test_flags_that_leave_no_program_are_told(pool: CellPool) -> None:
    toolchain = replace(preferred("cpp"), flags=("-fsyntax-only",))
    with pytest.raises(LanguageError, match=r"wrote no program.*fix the flags"):
        toolchain.compile(SQUARES["cpp"], pool)


@pytest.mark.parametrize("language", ["python", "javascript"])
def test_flags_that_an_interpreter_does_not_know_are_the_callers_mistake(
    pool: CellPool, language: str
) -> None:
    usual = preferred(language)  # skipped if the language is missing
    assert find_toolchain(language, flags=usual.flags).compile(SQUARES[language], pool).artifact
    for flag in ("-O2", "--no-such-flag", "--help", "-", "nothing.txt"):
        toolchain = find_toolchain(language, flags=(flag,))
        with pytest.raises(LanguageError, match=rf"cannot run a program with the flags '{flag}'"):
            toolchain.compile(SQUARES[language], pool)


def test_flags_that_an_interpreter_knows_reach_the_program(pool: CellPool) -> None:
    toolchain = find_toolchain("python", flags=("-X", "utf8", "-OO"))
    artifact = toolchain.compile(b"import sys\nprint(sys.flags.optimize)", pool).artifact
    assert artifact is not None
    command = artifact.command(stdin=b"", limits=toolchain.run_limits(Limits()))
    assert pool.run(command).stdout == b"2\n"


def test_a_broken_toolchain_is_an_error_and_never_a_verdict(pool: CellPool) -> None:
    toolchain = preferred("cpp")
    tool = replace(toolchain.tool, identity="another")
    broken = replace(toolchain, tool=replace(tool, executable="/bin/false"))
    with pytest.raises(ToolchainError, match=r"/bin/false cannot compile an empty program"):
        broken.compile(SQUARES["cpp"], pool)
    absent = replace(toolchain, tool=replace(tool, executable="/no/such/compiler"))
    with pytest.raises(ToolchainError, match=r"/no/such/compiler cannot be started"):
        absent.compile(SQUARES["cpp"], pool)


def test_same_source_gives_the_same_program(pool: CellPool) -> None:
    source = b"#include <cstdio>\nint main() { puts(__DATE__ __TIME__); }"
    images = set()
    for _ in range(2):
        artifact = preferred("cpp").compile(source, pool).artifact
        assert artifact is not None
        assert artifact.executable is not None
        images.add(artifact.executable.read())
    assert len(images) == 1


def test_python_hashes_text_the_same_in_every_run(pool: CellPool) -> None:
    artifact = preferred("python").compile(b"print(hash('a'), {'a', 'b', 'c', 'd'})", pool).artifact
    assert artifact is not None
    command = artifact.command(stdin=b"", limits=Limits())
    assert pool.run(command).stdout == pool.run(command).stdout


def test_a_java_program_may_name_its_class_as_it_likes(pool: CellPool) -> None:
    toolchain = preferred("java")
    hello = b'{ public static void main(String[] a) { System.out.println("hi"); } }'
    for head in (b"public class Foo ", b"class Bar ", b"package p.q; public class Baz "):
        artifact = toolchain.compile(head + hello, pool).artifact
        assert artifact is not None
        command = artifact.command(stdin=b"", limits=toolchain.run_limits(Limits()))
        assert pool.run(command).stdout == b"hi\n"
