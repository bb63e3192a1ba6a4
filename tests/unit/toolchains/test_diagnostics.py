"""Compilers' own words become records, and no text that a source smuggles in hides a warning."""

import json
import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from steelyard.schemas import Execution, Isolation, Limits, StopReason
from steelyard.toolchains._detect import find_tool
from steelyard.toolchains._diagnostics import read_diagnostics
from steelyard.toolchains._diagnostics_text import (
    MAX_DIAGNOSTICS,
    MAX_MESSAGE_CHARS,
    DiagnosticsSoFar,
)
from steelyard.toolchains._harness import harness_text
from steelyard.toolchains._languages import DiagnosticsFormat, language_table, report_options

FORMS: list[DiagnosticsFormat] = ["gcc", "clang", "rustc", "javac", "node", "go", "python"]
NATIVE: list[DiagnosticsFormat] = ["gcc", "clang"]
LIKE_LD = (
    b"#line 7 \"x: warning: Using 'f' in statically linked applications requires at runtime\"\n"
)
ISOLATION = Isolation(backend="cell", level="none")


def read(
    form: DiagnosticsFormat,
    text: bytes,
    *,
    status: int = 1,
    source: str = "main.cpp",
    stop: StopReason = StopReason.EXITED,
) -> DiagnosticsSoFar:
    execution = Execution(
        stop=stop,
        exit_code=status if stop is StopReason.EXITED else None,
        signal=None,
        cpu_ms=1,
        wall_ms=1,
        memory_mib=1,
        max_rss_mib=1,
        stdout=text if form == "python" else b"",
        stderr=b"" if form == "python" else text,
        isolation=ISOLATION,
    )
    return read_diagnostics(form, execution, source, Limits())


def compiled(form: DiagnosticsFormat, source: bytes, folder: Path, *flags: str) -> DiagnosticsSoFar:
    """What a real compiler says of a source (these sources are this file's own)."""
    language, name = (
        ("cpp", form)
        if form in NATIVE
        else {
            "rustc": ("rust", "rustc"),
            "javac": ("java", "javac"),
            "node": ("javascript", "node"),
            "python": ("python", "cpython"),
        }[form]
    )
    row = language_table().row(language)
    tool = find_tool(row.name, name)
    if tool is None:
        pytest.skip(f"{name} is not installed")
    (folder / row.source).write_bytes(source)
    compiler = next(each for each in row.compilers if each.name == name)
    argv = {
        "rustc": [tool.executable, "--edition=2021", "--error-format=json", "--force-warn=unused"],
        "javac": [tool.executable, "-Xlint:all", "-d", "classes"],
        "node": [tool.executable, "--check"],
        "python": [tool.executable, "-I", "-S", "-c", harness_text(), "run", "0", "check"],
    }.get(form, [tool.executable, *report_options(compiler, tool.version)])
    done = subprocess.run([*argv, *flags, row.source], cwd=folder, capture_output=True, check=False)
    text = done.stdout if form == "python" else done.stderr
    return read(form, text, status=done.returncode, source=row.source)


@pytest.mark.parametrize("form", NATIVE)
def test_errors_and_warnings_come_with_line_and_column(
    form: DiagnosticsFormat, tmp_path: Path
) -> None:
    source = b"int main() {\n #warning careful\n  return undefined;\n}\n"
    findings = compiled(form, source, tmp_path)
    (error,) = findings.errors
    assert (error.line, error.column) == (3, 10)
    assert "undefined" in error.message
    (warning,) = findings.warnings
    assert (warning.line, warning.column) == (2, 3)
    assert "careful" in warning.message


@pytest.mark.parametrize("form", NATIVE)
def test_a_linker_s_complaint_has_no_line(form: DiagnosticsFormat, tmp_path: Path) -> None:
    findings = compiled(form, b"int absent(); int main() { return absent(); }", tmp_path)
    assert findings.errors[0].line is None
    assert findings.errors[0].message == "undefined reference to `absent()'"
    assert all("/tmp" not in error.message for error in findings.errors)


@pytest.mark.parametrize("form", NATIVE)
def test_an_error_in_a_header_says_which(form: DiagnosticsFormat, tmp_path: Path) -> None:
    source = b"#include <set>\nstruct S {};\nint main() { std::set<S> s;\ns.insert(S{}); }\n"
    findings = compiled(form, source, tmp_path)
    error = findings.errors[0]
    if form == "clang":
        assert error.line == 4
    else:
        assert error.line is None
        assert "(in /usr/include/" in error.message


@pytest.mark.parametrize("form", NATIVE)
@pytest.mark.parametrize(
    "source",
    [
        b'#line 7 "x.cpp:1:1: note: y"\n#warning shown\nint main() {}\n',
        LIKE_LD + b"#warning shown\nint main() {}\n",
        b'#line 7 "x: note: [{"\n#warning shown\nint main() {}\n',
        b'#pragma message "]"\n#warning shown\nint main() {}\n',
        b'#pragma message "\\n[]\\n{}"\n#warning shown\nint main() {}\n',
        b'#warning shown \\"}]\xff\x1b[2K\r\nint main() {}\n',
        b'#warning shown\nint main() { asm(".print \\"[]\\""); }\n',
        b'int main() { asm(".warning \\"shown\\""); }\n',
    ],
)
def test_no_text_of_a_source_hides_its_warning(
    form: DiagnosticsFormat, source: bytes, tmp_path: Path
) -> None:
    findings = compiled(form, source, tmp_path)
    assert findings.succeeded
    assert not findings.errors
    assert any("shown" in warning.message for warning in findings.warnings)
    for warning in findings.warnings:
        assert warning.message.isprintable()


@pytest.mark.parametrize("form", NATIVE)
def test_clean_is_clean(form: DiagnosticsFormat, tmp_path: Path) -> None:
    source = b'#include <cstdio>\nint main() { puts("error: warning: x"); }\n'
    findings = compiled(form, source, tmp_path, "-Wall", "-Wextra")
    assert (findings.errors, findings.warnings) == ([], [])


@pytest.mark.parametrize("form", NATIVE)
def test_what_static_linking_by_default_brings_up_is_not_the_source_s(
    form: DiagnosticsFormat, tmp_path: Path
) -> None:
    source = b"#include <netdb.h>\nint main() { getaddrinfo(0, 0, 0, 0); }\n"
    assert compiled(form, source, tmp_path, "-static").warnings == []


def test_gcc_s_grouped_warning_is_not_lost(tmp_path: Path) -> None:
    findings = compiled("gcc", b'#warning one "two\nint main() {}\n', tmp_path)
    assert any("#warning" in warning.message for warning in findings.warnings)


def test_a_flood_that_was_cut_still_gives_its_first_errors(tmp_path: Path) -> None:
    source = b"int main() {\n" + b"".join(b"f%d();\n" % i for i in range(300)) + b"}\n"
    tool = find_tool("cpp", "gcc")
    if tool is None:
        pytest.skip("g++ is not installed")
    (compiler,) = (c for c in language_table().row("cpp").compilers if c.name == "gcc")
    options = report_options(compiler, tool.version)
    if options != ("-fdiagnostics-format=json",):
        pytest.skip("GCC 15 and later write one document, of which nothing is read if it was cut")
    (tmp_path / "main.cpp").write_bytes(source)
    argv = [tool.executable, *options, "main.cpp"]
    text = subprocess.run(argv, cwd=tmp_path, capture_output=True, check=False).stderr
    whole = read("gcc", text)
    assert len(whole.errors) == MAX_DIAGNOSTICS
    cut = read("gcc", text[: len(text) // 30], stop=StopReason.OUTPUT_LIMIT)
    assert cut.errors[0].message == "the compiler printed more than 50 MiB"
    assert cut.errors[1] == whole.errors[0]
    assert len(cut.errors) > 5


def test_unreadable_json_of_a_compile_that_worked_is_a_warning_and_not_clean() -> None:
    cut = b'[{"kind": "warning", "message": "x'
    assert read("gcc", cut, status=0).warnings
    assert read("rustc", b'{"level": "warn', status=0, source="main.rs").warnings


def test_sarif_from_gcc_15_is_read() -> None:
    def place(line: int, file: str = "main.cpp") -> object:
        region = {"startLine": line, "startColumn": 5, "endColumn": 9}
        return {"physicalLocation": {"artifactLocation": {"uri": file}, "region": region}}

    results = [
        {
            "ruleId": "error",
            "level": "error",
            "message": {"text": "'x' was not declared"},
            "locations": [place(3)],
        },
        {
            "ruleId": "-Wunused-variable",
            "level": "warning",
            "message": {"text": "unused 'y'"},
            "locations": [place(2)],
        },
        {"ruleId": "note", "level": "note", "message": {"text": "a note"}, "locations": [place(1)]},
    ]
    document = {"version": "2.1.0", "runs": [{"tool": {}, "results": results}]}
    text = json.dumps(document, indent=2) + "\n/usr/bin/ld: warning: odd\n"
    findings = read("gcc", text.encode())
    (error,) = findings.errors
    assert (error.line, error.column, error.message) == (3, 5, "'x' was not declared")
    assert [warning.line for warning in findings.warnings] == [2, None]
    assert read("gcc", b'{"version": "2.1.0", "runs": []}', status=0).warnings == []


def test_an_include_line_in_sarif_is_not_the_error_s_line() -> None:
    def place(file: str, line: int, kind: str) -> object:
        location = {"artifactLocation": {"uri": file}, "region": {"startLine": line}}
        return {"physicalLocation": location, "relationships": [{"target": 1, "kinds": [kind]}]}

    header = place("/usr/include/c++/16/set", 64, "isIncludedBy")
    result = {"level": "error", "message": {"text": "no match"}, "locations": [header]}
    for called, line in (([], None), ([place("main.cpp", 4, "relevant")], 4)):
        related = [place("main.cpp", 1, "includes"), *called]
        document = {"runs": [{"results": [{**result, "relatedLocations": related}]}]}
        (error,) = read("gcc", json.dumps(document).encode()).errors
        assert error.line == line


def test_rustc_s_warnings_are_seen_through_allow(tmp_path: Path) -> None:
    source = b"#![allow(unused)]\nfn main() {\n    let x = 1;\n}\n"
    findings = compiled("rustc", source, tmp_path)
    # A linker may have warnings of its own, with no place in the source.
    seen = [(each.line, each.column, each.message) for each in findings.warnings]
    assert (3, 9, "unused variable: `x`") in seen


def test_rustc_s_errors_have_places_and_no_summary(tmp_path: Path) -> None:
    findings = compiled("rustc", b'fn main() {\n    let y: i32 = "a";\n}\n', tmp_path)
    (error,) = findings.errors
    assert (error.message, error.line, error.column) == ("mismatched types", 2, 18)


def test_rustc_passes_on_the_linker_s_own_words(tmp_path: Path) -> None:
    source = b'fn main() { extern "C" { fn absent(); } unsafe { absent() } }'
    findings = compiled("rustc", source, tmp_path)
    assert any("absent" in error.message for error in findings.errors)


def test_javac_s_column_is_the_caret_s_and_source_text_is_no_diagnostic(tmp_path: Path) -> None:
    source = (
        "class Main {\n"
        "  /* Main.java:9: error: forged */ int é = undefined;\n"
        "  Integer five = new Integer(5);\n"
        "}\n"
    ).encode()
    findings = compiled("javac", source, tmp_path)
    (error,) = findings.errors
    assert error.line == 2
    assert error.column == source.splitlines()[1].index(b"undefined") + 1
    assert error.message == "cannot find symbol (symbol: variable undefined)"
    assert [warning.line for warning in findings.warnings] == [3]


def test_node_s_syntax_error_has_its_place(tmp_path: Path) -> None:
    (error,) = compiled("node", b"\nlet x = ;\n", tmp_path).errors
    assert (error.line, error.column) == (2, 9)
    assert error.message == "SyntaxError: Unexpected token ';'"


def test_node_s_own_failure_is_its_last_line() -> None:
    (error,) = read("node", b"node: cannot start:\nno such thing\n\n\n", source="main.js").errors
    assert (error.line, error.message) == (None, "no such thing")


def test_go_s_lines_are_errors() -> None:
    text = b'# command-line-arguments\n./main.go:3:8: "os" imported and not used\n'
    (error,) = read("go", text, source="main.go").errors
    assert (error.line, error.column, error.message) == (3, 8, '"os" imported and not used')


@pytest.mark.parametrize(
    ("source", "line", "text"),
    [
        (b"x = 1\ny = = 2\n", 2, "SyntaxError: invalid syntax"),
        (b"if True:\nx = 1\n", 2, "IndentationError: expected an indented block"),
        (b"x = '\xff'\n", None, "SyntaxError"),
        (b"x = 1\x00\n", None, "null byte"),
        (b"# coding: no-such\n", None, "SyntaxError: unknown encoding"),
        (b"(" * 500 + b")" * 500, None, "too many nested parentheses"),
    ],
)
def test_python_s_errors_are_told(
    source: bytes, line: int | None, text: str, tmp_path: Path
) -> None:
    findings = compiled("python", source, tmp_path)
    (error,) = findings.errors
    assert text in error.message
    assert line is None or error.line == line


def test_python_s_syntax_warning_is_a_warning_and_nothing_is_run(tmp_path: Path) -> None:
    source = b"import os\nif 1 is 1:\n    open('ran', 'w')\nopen('ran', 'w')\n"
    findings = compiled("python", source, tmp_path)
    assert not findings.errors
    assert [warning.line for warning in findings.warnings] == [2]
    assert not (tmp_path / "ran").exists()


@pytest.mark.parametrize(
    ("stop", "words"),
    [
        (StopReason.CPU_LIMIT, "5000 ms of CPU time"),
        (StopReason.WALL_LIMIT, "5250 ms"),
        (StopReason.MEMORY_LIMIT, "512 MiB of memory"),
        (StopReason.OUTPUT_LIMIT, "printed more than 50 MiB"),
    ],
)
@pytest.mark.parametrize("form", FORMS)
def test_the_limit_that_ended_a_compile_is_named_first(
    form: DiagnosticsFormat, stop: StopReason, words: str
) -> None:
    findings = read(form, b"main.cpp:1:1: error: x", stop=stop)
    assert words in findings.errors[0].message


@pytest.mark.parametrize("form", FORMS)
def test_a_failure_without_a_word_still_has_an_error(form: DiagnosticsFormat) -> None:
    assert read(form, b"").errors[0].message == "the compiler ended with status 1"


@pytest.mark.parametrize("form", FORMS)
@given(
    st.binary(max_size=300)
    | st.lists(
        st.sampled_from(
            [
                b"[",
                b"{",
                b"]",
                b'"kind"',
                b'"warning"',
                b":",
                b",",
                b"\n",
                b"main.cpp:",
                b"1:",
                b" warning: ",
                b" error: ",
                b" note: ",
                b"^",
                b"9" * 30,
                b"{}",
                b"[{}]",
                b"null",
                b'{"runs":[{"results":[{"level":"error"}]}]}',
                b"\x1b",
                b"\xff",
                b"\x00",
            ]
        )
    ).map(b"".join)
)
def test_any_bytes_at_all_give_bounded_records(form: DiagnosticsFormat, text: bytes) -> None:
    for status in (0, 1):
        findings = read(form, text, status=status)
        assert bool(findings.errors) is (status == 1)
        for each in (*findings.errors, *findings.warnings):
            assert 0 < len(each.message) <= MAX_MESSAGE_CHARS
            assert each.message.isprintable()


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(
    "text",
    [
        b"[" * 200_000,
        b'[{"children":' * 50_000,
        b"{" * 200_000,
        b"9" * 200_000,
        b"main.cpp:1:1: warning: x\n" * 50_000,
        b"a:" * 200_000,
        b"\n" * 200_000,
        b'[{"kind":"warning","message":"' + b"x" * 200_000 + b'"}]',
        b"/tmp/" * 100_000,
    ],
    ids=range(9),
)
def test_floods_are_cut(form: DiagnosticsFormat, text: bytes) -> None:
    for status in (0, 1):
        findings = read(form, text, status=status)
        assert len(findings.warnings) <= MAX_DIAGNOSTICS
        assert len(findings.errors) <= MAX_DIAGNOSTICS
