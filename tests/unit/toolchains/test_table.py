"""The language table is whole, and its names find their rows."""

import ast
import shutil
import subprocess
from pathlib import Path

import pytest

import steelyard
from steelyard.errors import LanguageError
from steelyard.toolchains import language_of
from steelyard.toolchains._languages import LanguageRow, given_files, shipped_table

ROWS = shipped_table().languages
SOURCES = Path(steelyard.__file__).parent
_WITHOUT_EFFECT = "mkdir() { :; }; cp() { :; }; ln() { :; }; "
PLACEHOLDERS = {
    "{compiler}",
    "{root}",
    "{flags}",
    "{header}",
    "{report}",
    "{source}",
    "{output}",
    "{machine}",
    "{main_class}",
    "{stack_mib}",
    "{stack_kib}",
    "{heap_mib}",
    "{crash}",
}


def test_no_other_table_names_languages() -> None:
    """But for the numbers of CodeContests, and for rows of MultiPL-E that cannot be judged."""
    tables = {
        str(path.relative_to(SOURCES))
        for path in SOURCES.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_bytes()))
        if isinstance(node, ast.Constant) and node.value in ("javascript", "nodejs", "java", "rust")
    }
    assert tables == {"judging/forms/_code.py"}


def test_no_name_or_extension_belongs_to_two_languages() -> None:
    names = [name for row in ROWS for name in row.names]
    extensions = [extension for row in ROWS for extension in row.extensions]
    assert len(names) == len(set(names))
    assert len(extensions) == len(set(extensions))
    assert all(name == name.lower() for name in names)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_every_alias_finds_its_row_in_any_case(row: LanguageRow) -> None:
    for name in row.names:
        assert shipped_table().row(name.upper()) is row


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_every_extension_stands_for_its_language(row: LanguageRow) -> None:
    for extension in row.extensions:
        assert language_of(Path(f"some folder/name{extension}")) == row.name


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_templates_hold_known_placeholders_and_views_known_lists(row: LanguageRow) -> None:
    templates = [row.run, *(each.compile for each in row.compilers)]
    for part in (part for template in templates for part in template):
        if part.startswith("{") and part.endswith("}"):
            assert part in PLACEHOLDERS
    for compiler in row.compilers:
        assert row.name == "python" or "{source}" in compiler.compile
        assert shipped_table().paths(compiler.view)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_files_that_a_compile_is_given_are_shipped(row: LanguageRow) -> None:
    for compiler in row.compilers:
        assert all(given_files(compiler).values())


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_a_warmed_compile_still_runs_the_compiler_with_its_own_arguments(row: LanguageRow) -> None:
    for warm_up in (compiler.warm_up for compiler in row.compilers if compiler.warm_up):
        argv = ["/bin/sh", "-c", _WITHOUT_EFFECT + warm_up.lay_out, "sh", "/kept"]
        done = subprocess.run([*argv, "echo", "a b", "$c"], capture_output=True, check=True)
        assert done.stdout == b"a b $c\n"
        assert warm_up.folder in warm_up.lay_out


@pytest.mark.skipif(shutil.which("g++") is None, reason="g++ is not installed")
def test_the_header_for_zig_holds_what_the_original_does(tmp_path: Path) -> None:
    shipped = given_files(next(each for each in ROWS[1].compilers if each.name == "zig"))
    (tmp_path / "ours.hpp").write_bytes(shipped["include/bits/stdc++.h"])

    def included(text: str) -> set[str]:
        argv = ["g++", "-std=c++17", "-x", "c++", "-M", "-", "-I", str(tmp_path)]
        done = subprocess.run(argv, input=text.encode(), capture_output=True, check=True)
        return {name for name in done.stdout.decode().split() if "/bits/" not in name}

    missing = included("#include <bits/stdc++.h>") - included('#include "ours.hpp"')
    nothing_of_their_own = {"ccomplex", "ciso646", "cstdalign", "cstdbool", "ctgmath"}
    assert {Path(name).stem for name in missing} <= nothing_of_their_own | {"stdalign", "stdbool"}


def test_an_unknown_language_is_told_with_the_known_ones() -> None:
    with pytest.raises(LanguageError, match=r"unknown language 'cobol'.*cpp.*rust"):
        shipped_table().row("cobol")


def test_an_unknown_extension_is_told_with_the_known_ones() -> None:
    with pytest.raises(LanguageError, match=r"a\.txt: no language.*\.py"):
        language_of(Path("a.txt"))


def test_compile_limits_leave_wall_time_for_a_loaded_machine() -> None:
    for row in ROWS:
        limits = row.compile_limits.as_limits()
        assert limits.wall_ms >= limits.cpu_ms + 10_000
