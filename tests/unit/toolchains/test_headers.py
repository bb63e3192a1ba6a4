"""A precompiled header is used only where it cannot change what a source means."""

import pytest

from steelyard.toolchains._prepared import is_header_usable

INCLUDE = b"#include <bits/stdc++.h>\nint main() {}\n"
FIRST = [b"", b"\n \t\n", b"// comment\n", b"/* one\n * more **/\n", b"// a\n/* b */ // c\n"]


@pytest.mark.parametrize("before", FIRST)
def test_both_compilers_take_it_where_the_include_comes_first(before: bytes) -> None:
    assert is_header_usable("gcc", before + INCLUDE)
    assert is_header_usable("clang", before + INCLUDE)


@pytest.mark.parametrize(
    "before", [b"#define N 3\n", b"#include <cassert>\n", b"int x;\n", b"#if 0\n", b"/* open\n"]
)
def test_only_gcc_checks_for_itself_what_stands_before(before: bytes) -> None:
    assert is_header_usable("gcc", before + INCLUDE)
    assert not is_header_usable("clang", before + INCLUDE)


@pytest.mark.parametrize(
    "before",
    [
        b'#pragma GCC optimize("O3")\n',
        b'#pragma GCC target("avx2")\n',
        b'_Pragma("GCC optimize(3)")\n',
        b"#prag\\\nma GCC optimize(3)\n",
        b"// a comment goes on \\\n",
        b"// by trigraph ??/\n",
    ],
)
def test_nothing_that_a_header_would_undo_may_stand_before(before: bytes) -> None:
    assert not is_header_usable("gcc", before + INCLUDE)
    assert not is_header_usable("clang", before + INCLUDE)


@pytest.mark.parametrize("source", [b"", b"#include <vector>\nint main() {}\n"])
def test_a_source_without_the_header_does_without(source: bytes) -> None:
    assert not is_header_usable("gcc", source)
    assert not is_header_usable("clang", source)
