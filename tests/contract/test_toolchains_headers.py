"""A precompiled header is really used, made once, and changes nothing else."""

import os
import shutil
import threading
from dataclasses import replace
from pathlib import Path

import pytest

from steelyard.errors import LanguageError
from steelyard.sandbox import CellPool
from steelyard.schemas import Limits
from steelyard.toolchains import CompileCache, Toolchain, find_toolchain
from steelyard.toolchains._headers import precompiled_header

BODY = b"int main() { std::map<int, int> m; m[1] = 2; std::cout << m.at(1); }\n"
SOURCES = {
    "plain": b"#include <bits/stdc++.h>\n" + BODY,
    "after a macro": b"#define _GLIBCXX_DEBUG 1\n#include <bits/stdc++.h>\n" + BODY,
    "after a pragma": b'#pragma GCC optimize("O3")\n#include <bits/stdc++.h>\n' + BODY,
    "after another header": b"#include <vector>\n#include <bits/stdc++.h>\n" + BODY,
    "with a warning": b"#include <bits/stdc++.h>\n#warning careful\n" + BODY,
    "with an error": b"#include <bits/stdc++.h>\nint x = y;\n" + BODY,
}
WHERE_COMPILERS_DIFFER = ("after a macro", "after another header", "with an error")
"""Each has rules of its own for when a header may be taken, and messages of its own."""


@pytest.fixture(params=["gcc", "clang"])
def toolchain(request: pytest.FixtureRequest) -> Toolchain:
    try:
        return find_toolchain("cpp", compiler=request.param)
    except LanguageError as error:
        pytest.skip(str(error))


@pytest.mark.parametrize(
    ("toolchain", "name"),
    [("gcc", name) for name in SOURCES] + [("clang", name) for name in WHERE_COMPILERS_DIFFER],
    indirect=["toolchain"],
)
def test_the_result_is_the_same_with_and_without(
    name: str, toolchain: Toolchain, pool: CellPool, compile_cache: CompileCache
) -> None:
    with_header, _ = toolchain._compile(
        SOURCES[name], pool, toolchain.compile_limits, compile_cache, None
    )
    without, _ = toolchain._compile(SOURCES[name], pool, toolchain.compile_limits, None, None)
    assert with_header.result == without.result
    assert with_header.outputs == without.outputs


def test_the_compiler_really_takes_it(
    toolchain: Toolchain, pool: CellPool, compile_cache: CompileCache
) -> None:
    told = replace(toolchain, flags=("-O0", "-H"))  # names each header as it is read
    header = told._header(SOURCES["plain"], pool, compile_cache)
    assert header is not None
    _, execution = told._run(SOURCES["plain"], pool, told.compile_limits, header)
    assert execution.exit_code == 0
    if toolchain.compiler == "gcc":
        assert f"! {header.shown_at}/".encode() in execution.stderr
    else:
        assert b"bits/stdc++.h" in execution.stderr
        assert b"bits/stl_map.h" not in execution.stderr


def test_it_is_made_once_though_several_ask(
    pool: CellPool, compile_cache: CompileCache, tmp_path: Path
) -> None:
    toolchain = find_toolchain("cpp", flags=["-O0", "-std=c++20"])
    cache = CompileCache(tmp_path)
    found: list[str] = []

    def ask() -> None:
        header = toolchain._header(SOURCES["plain"], pool, cache)
        assert header is not None
        found.append(header.shown_at)

    threads = [threading.Thread(target=ask) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 3
    (folder,) = cache.headers.iterdir()
    made = [path for path in folder.rglob("*") if path.stat().st_size > 1 << 20]
    assert len(made) == 1
    assert not list(folder.rglob("tmp-*"))
    shutil.rmtree(tmp_path)


def test_flags_that_no_header_can_take_cost_only_the_header(pool: CellPool, tmp_path: Path) -> None:
    toolchain = find_toolchain("cpp", flags=["-O2", "-std=c++17", "-DNDEBUG", "-include", "vector"])
    result = toolchain.compile(
        SOURCES["plain"], pool, cache=CompileCache(tmp_path), limits=Limits(cpu_ms=30_000)
    ).result
    assert result.ok


def test_a_folder_that_another_user_planted_is_not_used(pool: CellPool, tmp_path: Path) -> None:
    if os.geteuid() != 0:
        pytest.skip("only root can give files away")
    toolchain = find_toolchain("cpp", flags=["-O0"])
    cache = CompileCache(tmp_path)
    arguments = (
        toolchain.row, toolchain.compiler_row, toolchain.tool, toolchain.flags,
        toolchain._view(), pool, cache,
    )  # fmt: skip
    assert precompiled_header(*arguments) is not None
    (folder,) = cache.headers.iterdir()
    os.chown(folder, 12_345, -1)
    assert precompiled_header(*arguments) is None


def test_a_small_cache_holds_no_header(pool: CellPool, tmp_path: Path) -> None:
    toolchain = find_toolchain("cpp")
    cache = CompileCache(tmp_path, max_mib=64)
    assert toolchain.compile(SOURCES["plain"], pool, cache=cache).result.ok
    assert not list(cache.headers.iterdir())
