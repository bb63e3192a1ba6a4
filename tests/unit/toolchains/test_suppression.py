"""A source that turns its warnings off is found out, and an honest one is not accused."""

import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from steelyard.toolchains._diagnostics import silences_warnings

UNUSED = b"\nint main() { int unused; }\n"
SILENCERS = {
    "pragma": b'#pragma GCC diagnostic ignored "-Wunused-variable"',
    "clang's pragma": b'#pragma clang diagnostic ignored "-Wunused-variable"',
    "spliced": b'#pra\\\ngma GCC diag\\\nnostic ignored "-Wunused-variable"',
    "comments between": b'#/**/pragma GCC /*\n*/ diagnostic /* */ignored "-Wunused-variable"',
    "digraph": b'%:pragma GCC diagnostic ignored "-Wunused-variable"',
    "operator": b'_Pragma("GCC diagnostic ignored \\"-Wunused-variable\\"")',
    "built operator": b"#define P(x) _Pragma(#x)\n#define Q(x) P(x)\n#define I ignored\n"
    b'Q(GCC diagnostic I "-Wunused-variable")',
    "pasted operator": b"#define CAT(a, b) a##b\n#define P CAT(_Pra, gma)\n"
    b'P("GCC diagnostic ignored \\"-Wunused-variable\\"")',
    "line marker": b'# 1 "header.h" 3',
    "line marker as a digraph": b'%: 1 "header.h" 1 3',
    "system header": b"#ifndef A\n#define A\n#include __FILE__\n#else\n#pragma GCC system_header\n",
    "behind a raw string": b'const char *s = R"a(/* )a";\n'
    b'#pragma GCC diagnostic ignored "-Wunused-variable"\n//*/',
    "behind a quote in a raw string": b'const char *s = R"x(/* "\n/* )x";\n'
    b'#pragma GCC diagnostic ignored "-Wunused-variable"\n//*/',
    "behind a character": b"char c = '\"'; /* */\n"
    b'#pragma GCC diagnostic ignored "-Wunused-variable"\n//"',
    "behind a digit separator": b"int n = 1'0; const char *s = \"a'/*\";\n"
    b'#pragma GCC diagnostic ignored "-Wunused-variable"\n//*/',
}
HONEST = [
    b"#include <bits/stdc++.h>\n#define N 100003\nint main() {}",
    b'#pragma GCC optimize("O3,unroll-loops")\n#pragma GCC target("avx2")\nint main() {}',
    b"// #pragma GCC diagnostic ignored\nint main() {}",
    b"/* diagnostic ignored\n system_header */ int main() {}",
    b'#line 3 "three.h"\nint main() {}',
    b'# 3 "three.h"\nint main() {}',
    b"int ignored, diagnostic;",
    b'_Pragma("omp parallel") int ignored;',
    b"int a = 1'000'000; // system_header",
    b"",
    b"\xff\xfe\x00",
]


@pytest.mark.parametrize("source", SILENCERS.values(), ids=SILENCERS.keys())
def test_a_silencing_directive_is_found_however_it_is_spelt(source: bytes) -> None:
    assert silences_warnings(source + UNUSED)


@pytest.mark.parametrize("source", HONEST)
def test_an_honest_source_is_not_accused(source: bytes) -> None:
    assert not silences_warnings(source)


@pytest.mark.skipif(shutil.which("g++") is None, reason="g++ is not installed")
@pytest.mark.parametrize("name", sorted(set(SILENCERS) - {"clang's pragma", "system header"}))
def test_the_attacks_here_do_silence_a_real_compiler(name: str, tmp_path: Path) -> None:
    (tmp_path / "main.cpp").write_bytes(SILENCERS[name] + UNUSED)
    argv = ["g++", "-std=c++17", "-Wall", "-fsyntax-only", "main.cpp"]
    done = subprocess.run(argv, cwd=tmp_path, capture_output=True, check=True)
    assert b"unused variable" not in done.stderr


PARTS = [
    b"//",
    b"/*",
    b"*/",
    b'"',
    b"'",
    b'R"x(',
    b')x"',
    b"\\\n",
    b"\n",
    b"#",
    b" 3",
    b"1'0",
    b"system_header",
    b"ignored ",
    b"\xff",
]


@given(st.lists(st.sampled_from(PARTS)))
def test_any_text_at_all_is_read_to_its_end(parts: list[bytes]) -> None:
    text = b"".join(parts)
    assert silences_warnings(text) in (True, False)
    if b"system_header" not in text and b"ignored" not in text and b"3" not in text:
        assert not silences_warnings(text)
