"""A precompiled header is really used, made once, and changes nothing else."""

import os
import shutil
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from steelyard.errors import LanguageError
from steelyard.sandbox import CellPool
from steelyard.schemas import Limits
from steelyard.toolchains import CompileCache, Toolchain, find_toolchain
from steelyard.toolchains._prepared import PreparedFolder
from tests.rights import can_give_to

BODY = b"int main() { std::map<int, int> m; m[1] = 2; std::cout << m.at(1); }\n"
SOURCES = {
    "plain": b"#include <bits/stdc++.h>\n" + BODY,
    "after a macro": b"#define _GLIBCXX_DEBUG 1\n#include <bits/stdc++.h>\n" + BODY,
    "after a pragma": b'#pragma GCC optimize("O3")\n#include <bits/stdc++.h>\n' + BODY,
    "after another header": b"#include <vector>\n#include <bits/stdc++.h>\n" + BODY,
    "with a warning and an error": b"#include <bits/stdc++.h>\n#warning careful\nint x = y;\n"
    + BODY,
}
STRANGER = 12_345
"""Another user, to whom files are given."""
WHERE_COMPILERS_DIFFER = ("after a macro", "with a warning and an error")
"""Each has rules of its own for when a header may be taken, and messages of its own."""


FLAGS = ("-O0", "-std=c++17", "-Wl,--as-needed")
"""The fastest ones: the rules for headers do not depend on how well the compiler optimises.
A flag for the linker is among them, as counting gives some: it must not cost the header."""
pytestmark = pytest.mark.xdist_group("precompiled headers")  # one worker makes them


@dataclass(frozen=True)
class Headers:
    """A compiler, and a cache in which three threads have asked for its header at once."""

    toolchain: Toolchain
    cache: CompileCache
    given: tuple[PreparedFolder | None, ...]


@pytest.fixture(scope="module", params=["gcc", pytest.param("clang", marks=pytest.mark.exhaustive)])
def headers(
    request: pytest.FixtureRequest, pool: CellPool, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Headers]:
    try:
        toolchain = find_toolchain("cpp", compiler=request.param, flags=FLAGS)
    except LanguageError as error:
        pytest.skip(str(error))
    folder = tmp_path_factory.mktemp("headers")
    cache = CompileCache(folder)
    with ThreadPoolExecutor(3) as threads:
        asked = [threads.submit(toolchain.header, SOURCES["plain"], pool, cache) for _ in range(3)]
    yield Headers(toolchain, cache, tuple(each.result() for each in asked))
    shutil.rmtree(folder)  # a header takes tens of MiB


def test_it_is_made_once_though_several_ask(headers: Headers) -> None:
    assert len({given and given.shown_at for given in headers.given}) == 1
    assert None not in headers.given
    (folder,) = headers.cache.headers.iterdir()
    made = [path for path in folder.rglob("*") if path.stat().st_size > 1 << 20]
    assert len(made) == 1
    assert not list(folder.rglob(".steelyard-*"))


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=[] if name in WHERE_COMPILERS_DIFFER else pytest.mark.exhaustive)
        for name in SOURCES
    ],
)
def test_the_result_is_the_same_with_and_without(
    headers: Headers, pool: CellPool, name: str
) -> None:
    toolchain, limits = headers.toolchain, headers.toolchain.compile_limits
    with_header = toolchain._compile(SOURCES[name], pool, limits, headers.cache, None, {})
    without = toolchain._compile(SOURCES[name], pool, limits, None, None, {})
    assert with_header.result == without.result
    assert with_header.outputs == without.outputs


@pytest.mark.usefixtures("file_view")
def test_the_compiler_really_takes_it(headers: Headers, pool: CellPool) -> None:
    header = headers.given[0]
    assert header is not None
    naming = replace(headers.toolchain, flags=(*FLAGS, "-H"))  # names each header as it is read
    _, execution = naming._run(SOURCES["plain"], pool, naming.compile_limits, header)
    assert execution.exit_code == 0
    if naming.compiler == "gcc":
        assert f"! {header.shown_at}/".encode() in execution.stderr
    else:
        assert b"bits/stdc++.h" in execution.stderr
        assert b"bits/stl_map.h" not in execution.stderr


def test_a_folder_that_another_user_planted_is_not_used(
    headers: Headers, pool: CellPool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not can_give_to(STRANGER):
        pytest.skip("files cannot be given to another user here")
    monkeypatch.setattr("steelyard.toolchains._prepared._unusable", set())  # other tests use it
    (folder,) = headers.cache.headers.iterdir()
    os.chown(folder, STRANGER, -1)
    try:
        assert headers.toolchain.header(SOURCES["plain"], pool, headers.cache) is None
    finally:
        os.chown(folder, os.geteuid(), -1)


@pytest.mark.exhaustive
def test_flags_that_no_header_can_take_cost_only_the_header(pool: CellPool, tmp_path: Path) -> None:
    toolchain = find_toolchain("cpp", flags=[*FLAGS, "-DNDEBUG", "-include", "vector"])
    limits = Limits(cpu_ms=30_000)
    cache = CompileCache(tmp_path)
    assert toolchain.compile(SOURCES["plain"], pool, cache=cache, limits=limits).result.ok


def test_a_small_cache_holds_no_header(pool: CellPool, tmp_path: Path) -> None:
    toolchain = find_toolchain("cpp", flags=FLAGS)
    cache = CompileCache(tmp_path, max_mib=64)
    assert toolchain.compile(SOURCES["plain"], pool, cache=cache).result.ok
    assert not list(cache.headers.iterdir())
