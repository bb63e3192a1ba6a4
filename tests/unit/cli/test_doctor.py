"""`steelyard doctor` asks only for compilers of languages that have none."""

from steelyard.cli._doctor import commands_for_languages
from steelyard.toolchains import LanguageStatus


def status(
    language: str, compiler: str, *, installed: bool, package: str = "", runnable: bool = True
) -> LanguageStatus:
    return LanguageStatus(
        language=language,
        title=language,
        compiler=compiler,
        aliases=(),
        extensions=(f".{language}",),
        installed=installed,
        executable="",
        version="",
        package=package,
        command="" if installed else f"apt-get install {package}",
        runnable=runnable,
        origin="",
        start_mib=2,
    )


def test_a_language_with_a_compiler_needs_no_other() -> None:
    found = (
        status("c", "gcc", installed=True),
        status("c", "clang", installed=False, package="clang"),
        status("c", "zig", installed=False, package="steelyard[zig]"),
        status("go", "go", installed=False, package="golang-go"),
    )
    assert commands_for_languages(found) == ("apt-get install golang-go",)


def test_a_language_without_a_compiler_gets_one_command() -> None:
    found = (
        status("c", "gcc", installed=False, package="gcc"),
        status("c", "clang", installed=False, package="clang"),
    )
    assert commands_for_languages(found) == ("apt-get install gcc",)


def test_a_compiler_whose_programs_cannot_run_does_not_count() -> None:
    found = (
        status("cpp", "gcc", installed=False, package="g++"),
        status("cpp", "mingw", installed=True, runnable=False),
    )
    assert commands_for_languages(found) == ("apt-get install g++",)
