"""A compiler is a program that a candidate steers: it is held, and tells nothing of the host."""

import tomllib
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from steelyard.errors import LanguageError
from steelyard.sandbox import CellPool
from steelyard.schemas import CompileResult, Limits, StopReason
from steelyard.toolchains import Compilation, CompileCache, Toolchain, find_toolchain
from tests.hostile.arena import PROGRAMS, ROOT

SOURCES = PROGRAMS / "compile"
ATTACKS: dict[str, dict[str, Any]] = tomllib.loads(
    Path(__file__).with_name("compile.toml").read_text()
)
LIMITS = Limits(cpu_ms=1_500, wall_ms=15_000, memory_mib=192, file_mib=64, output_mib=4)
SECRET = "the_expected_output_is_42"
HONEST = b"""#include <cstdio>
int main() { int n; if (scanf("%d", &n) == 1) printf("%d", n + 1); }
"""
MAX_REPORT = 200_000


@pytest.fixture(scope="module")
def cpp() -> Toolchain:
    try:
        return find_toolchain("cpp", compiler="gcc")
    except LanguageError as error:
        pytest.skip(str(error))


@pytest.fixture(scope="module")
def cells() -> Iterator[CellPool]:
    with CellPool(1) as pool:
        yield pool


@pytest.fixture(scope="module")
def planted() -> Iterator[Path]:
    """A file of the host that no compile may read."""
    with TemporaryDirectory(prefix="hostile-", dir="/tmp") as name:
        folder = Path(name)
        folder.chmod(0o755)
        (folder / "expected.ans").write_text(SECRET + "\n")
        yield folder / "expected.ans"


def compile_in(cells: CellPool, cpp: Toolchain, source: bytes) -> Compilation:
    return cpp.compile(source, cells, limits=LIMITS, cache=None)


def check_report(result: CompileResult) -> None:
    """Bounded, and without anything of the host in it."""
    report = result.model_dump_json()
    assert len(report) < MAX_REPORT
    for secret in (SECRET, "root:x:", "root:*:", "daemon:", "PYTEST", str(ROOT)):
        assert secret not in report


def check_honest(cells: CellPool, cpp: Toolchain) -> None:
    compilation = compile_in(cells, cpp, HONEST)
    assert compilation.result.ok
    assert not compilation.result.warnings
    assert compilation.artifact
    assert cells.run(compilation.artifact.command(stdin=b"41", limits=Limits())).stdout == b"42"


def test_the_table_names_every_source() -> None:
    assert {path.stem for path in SOURCES.iterdir()} == set(ATTACKS)


@pytest.mark.parametrize("name", ATTACKS)
def test_compile_attack_fails(cells: CellPool, cpp: Toolchain, planted: Path, name: str) -> None:
    attack = ATTACKS[name]
    text = (SOURCES / f"{name}.cpp").read_text()
    assert text.startswith("// Tries: ")
    source = text.replace("@SECRET@", str(planted)).replace("@ROOT@", str(ROOT)).encode()

    compilation = compile_in(cells, cpp, source)

    result = compilation.result
    if "ok" in attack and not (attack.get("views_differ") and cells.isolation.filesystem != "view"):
        assert result.ok == attack["ok"]
    if attack.get("clean") is False:
        assert result.warnings or not result.ok
    assert result.ok or result.errors
    check_report(result)
    if "exit" in attack and compilation.artifact:
        execution = cells.run(
            compilation.artifact.command(
                stdin=b"", limits=Limits(cpu_ms=2_000, wall_ms=10_000, memory_mib=64)
            )
        )
        assert attack["exit"] in (execution.stop, execution.exit_code)


@pytest.mark.parametrize(
    "source",
    [
        b"\0",
        b"int main() {}\0",
        b"\xff\xfe\xfd int main() {}",
        b"int main() { return \xc3\x28; }",
        b'int main() { const char* s = "\xff\0\xfe"; return !s; }',
        b"\xef\xbb\xbfint main() {}",
        bytes(range(256)) * 16,
        b"int main() {" + b"{" * 20_000,
        b"int x = " + b"(" * 50_000 + b"1" + b")" * 50_000 + b"; int main() {}",
        b"int " + b"a" * 1_000_000 + b"; int main() {}",
        b"//" + b"x" * 3_000_000 + b"\nint main() {}",
        b"int main() { " + b"!" * 100_000 + b"0; }",
        b'#error \xff\xfe"}]\x1b[2J\r\n',
        b'#warning \xff\x00"}]\x1b[2J\nint main() {}',
        b"",
        b"\n" * 100_000,
        b"x" * (5 << 20),
    ],
    ids=range(17),
)
def test_odd_bytes_are_compiled_or_refused(cells: CellPool, cpp: Toolchain, source: bytes) -> None:
    result = compile_in(cells, cpp, source).result
    assert result.ok or result.errors
    check_report(result)


def test_no_failure_is_remembered(cells: CellPool, cpp: Toolchain, tmp_path: Path) -> None:
    cache = CompileCache(tmp_path, max_mib=64)
    for name in ("macro_bomb", "include_passwd"):
        source = (SOURCES / f"{name}.cpp").read_bytes()
        for _ in range(2):
            result = cpp.compile(source, cells, limits=LIMITS, cache=cache).result
            assert not result.ok
            assert not result.cached


def test_after_all_compile_attacks_the_pool_is_as_before(cells: CellPool, cpp: Toolchain) -> None:
    check_honest(cells, cpp)
    for name in ("macro_bomb", "giant_array", "include_zero", "assembler_flood", "error_flood"):
        limits = LIMITS.replace(cpu_ms=400)
        cpp.compile((SOURCES / f"{name}.cpp").read_bytes(), cells, limits=limits, cache=None)
        check_honest(cells, cpp)


@pytest.mark.parametrize("language", ["python", "javascript"])
@pytest.mark.parametrize(
    "source",
    [
        b"\0",
        b"\xff\xfe",
        b"(" * 100_000,
        b"x = " + b"-" * 100_000 + b"1",
        b"[" * 5_000,
        b"1" * 100_000,
        b"\xef\xbb\xbfprint(1)",
        b"# coding: rot13\ncevag(1)",
        b"# coding: \xff\nprint(1)",
        b"\n" * 100_000,
    ],
    ids=range(10),
)
def test_odd_bytes_of_other_languages_are_checked_or_refused(
    cells: CellPool, language: str, source: bytes
) -> None:
    try:
        toolchain = find_toolchain(language)
    except LanguageError as error:
        pytest.skip(str(error))
    compilation = toolchain.compile(source, cells)
    assert compilation.result.ok or compilation.result.errors
    check_report(compilation.result)
    if compilation.artifact:
        limits = toolchain.run_limits(Limits(cpu_ms=2_000, wall_ms=10_000))
        stop = cells.run(compilation.artifact.command(stdin=b"", limits=limits)).stop
        assert stop in (StopReason.EXITED, StopReason.SIGNALED)
