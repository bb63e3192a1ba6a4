"""Whatever a project or a candidate is like: one clear line and an honest verdict."""

import difflib
import os
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from steelyard._installation import install_command
from steelyard.comparing import (
    CompareBaseline,
    CompareOptions,
    compare_candidate,
    rank_candidates,
)
from steelyard.comparing import _reasons as reasons
from steelyard.comparing.function import Candidate, read_candidate
from steelyard.errors import IsolationError, LanguageError, SubjectError, TestsError, UsageError
from steelyard.sandbox import CellPool
from steelyard.schemas import Limits
from tests.contract.bad_projects import (
    CANDIDATE,
    DISTURBING,
    DROPPED,
    FAULTY_CANDIDATES,
    LAYOUTS,
    LOST,
    MODULE,
    TESTS,
    UNKNOWN,
    UNUSABLE_SUITES,
)
from tests.contract.compare_projects import compare_behaviour
from tests.hostile.arena import Level

SUBJECT = "shop.goods:total"


def project(root: Path, **files: str | None) -> Path:
    """A project with a function and its tests; None leaves a file out."""
    common = {"shop/__init__.py": "", "shop/goods.py": MODULE, "tests/test_goods.py": TESTS}
    for name, text in (common | files).items():
        if text is not None:
            path = root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
    return root


def baseline_of(root: Path, function: str = SUBJECT, **options: object) -> CompareBaseline:
    return CompareBaseline(
        function, root, CompareOptions.of(**{"generate": 0, "least_cases": 2, **options})
    )


def one_line(text: str) -> bool:
    return bool(text) and text.isprintable() and len(text) < 600


# --------------------------------------------------------------------------------- what is asked


@pytest.mark.parametrize(
    ("function", "line"),
    [
        ("shop.goods:totl", "'totl' is not defined; similar names: total"),
        ("shop.good:total", "no module 'shop.good' .* did you mean shop.goods"),
        ("total", "write pkg.module:function"),
        ("", "is not the name of a function"),
    ],
)
def test_a_function_that_is_not_there_is_told_with_one_that_is(
    tmp_path: Path, function: str, line: str
) -> None:
    with pytest.raises(SubjectError, match=line) as told:
        baseline_of(project(tmp_path), function)
    assert one_line(str(told.value))


def test_a_root_that_is_no_folder_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for root in (tmp_path / "file", tmp_path / "nowhere", Path("\0")):
        with pytest.raises(SubjectError, match="is not a folder; give the project's root"):
            baseline_of(root)


@pytest.mark.parametrize("python", ["/nowhere/python", "/etc/passwd", "/bin/false", "/tmp"])
def test_what_is_no_interpreter_is_told(tmp_path: Path, python: str) -> None:
    line = f"{python} is not a usable Python interpreter; choose another with --python"
    with pytest.raises(LanguageError, match=line):
        baseline_of(project(tmp_path), python=Path(python))


def test_an_environment_of_the_project_that_is_broken_is_told(tmp_path: Path) -> None:
    root = project(tmp_path, **{".venv/bin/python": "#!/bin/sh\nexit 1\n"})
    (root / ".venv/bin/python").chmod(0o755)
    with pytest.raises(
        LanguageError, match=r"\.venv/bin/python is not a usable Python interpreter"
    ):
        baseline_of(root)


@pytest.mark.usefixtures("file_view")
def test_an_interpreter_without_pytest_is_named_with_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = project(tmp_path)
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", root / ".venv"], check=True)
    monkeypatch.setattr("steelyard.project_runs._runs.tools", lambda: ())  # none to lend
    with pytest.raises(TestsError, match="cannot be run") as told:
        baseline_of(root).prepare()
    hint = f"pytest is not installed for {root}/.venv/bin/python; run: {install_command('compare')}"
    assert str(told.value).endswith(hint)


def test_an_interpreter_that_is_too_old_is_told(tmp_path: Path) -> None:
    found = Path.home().glob(".pyenv/versions/3.[0-9].*/bin/python")
    old = next(found, None) or next(Path("/usr/bin").glob("python3.[0-9]"), None)
    if old is None:
        pytest.skip("no old interpreter here")
    with pytest.raises(LanguageError, match=r"is too old: 3\.11 or later is needed"):
        baseline_of(project(tmp_path), python=old)


def test_cells_without_a_file_view_are_refused(tmp_path: Path) -> None:
    with Level("landlock", namespaces=False).open_pool() as pool:
        baseline = baseline_of(project(tmp_path), pool=pool)
        with pytest.raises(IsolationError, match=r"file view.*filesystem=.*`steelyard doctor`"):
            baseline.prepare()


@pytest.mark.usefixtures("file_view")
@pytest.mark.parametrize(
    ("text", "line"),
    [
        (None, "run.py fails: FileNotFoundError"),
        ("raise SystemExit('out of paper')", "run.py fails: out of paper"),
        ("import os\nos._exit(0)", "run.py fails: its process exited"),
    ],
)
def test_a_script_that_fails_is_told(tmp_path: Path, text: str | None, line: str) -> None:
    root = project(tmp_path, **{"run.py": text})
    with pytest.raises(TestsError, match=line):
        baseline_of(root, script=("run.py",)).prepare()


@pytest.mark.usefixtures("file_view")
def test_calls_of_a_script_stand_in_for_tests(tmp_path: Path) -> None:
    script = "from shop.goods import total\nfor n in range(4):\n    total([n, 1])\n"
    root = project(tmp_path, **{"run.py": script, "tests/test_goods.py": None})
    behaviour, found = compare_behaviour(baseline_of(root, script=("run.py",)), CANDIDATE)
    assert behaviour is not None
    assert (behaviour.verdict, behaviour.count("same")) == ("same", 4)
    assert [reason.code for reason in found if reason.rejects] == []


@pytest.mark.usefixtures("file_view")
def test_tests_that_are_not_there_are_told(tmp_path: Path) -> None:
    with pytest.raises(TestsError, match=r"file or directory not found: tests/none\.py"):
        baseline_of(project(tmp_path), tests=("tests/none.py",)).prepare()


# -------------------------------------------------------------------------------- the candidate


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> CompareBaseline:
    return baseline_of(project(tmp_path_factory.mktemp("plain")))


@pytest.mark.usefixtures("file_view")
@pytest.mark.xdist_group("compare_plain")
@pytest.mark.parametrize("name", FAULTY_CANDIDATES)
def test_a_candidate_that_cannot_be_put_in_place_is_rejected(
    plain: CompareBaseline, name: str
) -> None:
    text, code, named = FAULTY_CANDIDATES[name]
    comparison = compare_candidate(plain, text)
    assert comparison.verdict == "rejected"
    first = comparison.reasons[0]
    assert first.code == code
    assert named in first.text
    assert one_line(first.text)
    assert not any(reason.code == "tampers" for reason in comparison.reasons)


@pytest.mark.usefixtures("file_view")
def test_what_a_candidate_changes_beside_the_function_is_a_warning(tmp_path: Path) -> None:
    module = f"{MODULE}\n\ndef fmt(value):\n    return str(value)\n"
    baseline = baseline_of(project(tmp_path, **{"shop/goods.py": module}))
    read = read_candidate(baseline.subject, module.replace("str(value)", "str(abs(value))"))
    assert isinstance(read, Candidate)
    (reason,) = reasons.of_text(baseline, read)
    assert (reason.code, reason.rejects) == ("changes-others", False)
    assert reason.text.startswith("it also changes fmt, ")


@pytest.mark.usefixtures("file_view")
def test_other_files_are_judged_by_what_is_new_in_them(tmp_path: Path) -> None:
    helper, spec = "import sys\nKNOWN = sys.modules\nSTEP = 1\n", "def test_it():\n    assert 1\n"
    files = {"shop/steps.py": helper, "specs/goods_spec.py": spec}
    options = "[pytest]\npython_files = *_spec.py test_*.py\n"
    baseline = baseline_of(project(tmp_path, **files, **{"pytest.ini": options}))
    baseline.prepare()

    def said(path: str, old: str, new: str) -> list[str]:
        own = difflib.unified_diff(
            MODULE.splitlines(),
            [*MODULE.splitlines(), "# faster"],
            "a/shop/goods.py",
            "b/shop/goods.py",
            lineterm="",
        )
        other = difflib.unified_diff(
            old.splitlines(), new.splitlines(), f"a/{path}", f"b/{path}", lineterm=""
        )
        read = read_candidate(baseline.subject, "\n".join([*own, *other, ""]))
        assert isinstance(read, Candidate), read
        return [each.text for each in reasons.of_text(baseline, read) if each.rejects]

    assert said("shop/steps.py", helper, helper.replace("STEP = 1", "STEP = 2")) == []
    (found,) = said("shop/steps.py", helper, helper + "import gc\ngc.disable()\n")
    assert "gc.disable" in found
    (found,) = said("specs/goods_spec.py", spec, spec.replace("assert 1", "pass"))
    assert found == "it changes specs/goods_spec.py, which is used to judge it"


@pytest.mark.usefixtures("file_view")
def test_a_conftest_that_loads_a_broken_candidate_does_not_hide_it(tmp_path: Path) -> None:
    root = project(tmp_path, **{"conftest.py": "import shop.goods"})
    behaviour, found = compare_behaviour(
        baseline_of(root), f"{CANDIDATE}raise RuntimeError('broken')\n"
    )
    assert behaviour is not None
    assert behaviour.verdict == "different"
    assert found[0].code == "does-not-import"
    assert "RuntimeError: broken" in found[0].text


@pytest.mark.usefixtures("file_view")
@pytest.mark.xdist_group("compare_plain")
def test_one_text_is_not_taken_for_many_candidates(plain: CompareBaseline) -> None:
    with pytest.raises(UsageError, match="put it in a list"):
        rank_candidates(plain, CANDIDATE)
    with pytest.raises(UsageError, match="program must be str, bytes or a Path, got int"):
        rank_candidates(plain, [3])  # type: ignore[list-item]
    with pytest.raises(UsageError, match="program is not text"):
        rank_candidates(plain, [b"\xff\x00"])
    with pytest.raises(UsageError, match="files or folders, not options"):
        CompareOptions.of(tests=["-x"])


# ------------------------------------------------------------------------------------ the suite


@pytest.mark.usefixtures("file_view")
@pytest.mark.parametrize("name", UNUSABLE_SUITES)
def test_a_suite_that_cannot_be_used_is_told(tmp_path: Path, name: str) -> None:
    files, line = UNUSABLE_SUITES[name]
    baseline = baseline_of(project(tmp_path, **files))
    with pytest.raises(TestsError, match=line) as told:
        baseline.prepare()
    assert one_line(str(told.value))


@pytest.mark.usefixtures("file_view")
def test_tests_that_say_nothing_are_dropped_and_the_others_used(
    tmp_path: Path, pool: CellPool
) -> None:
    other = "from shop.goods import total\n\n\ndef through(values):\n    return total(values)\n"
    root = project(tmp_path, **{"tests/test_goods.py": DISTURBING, "shop/other.py": other})
    expected = {**DROPPED}
    if not pool.isolation.separate_user:  # a cell ignores a signal of its own user
        del expected["test_kills_its_parent"]
    baseline = baseline_of(root)
    behaviour, found = compare_behaviour(baseline, CANDIDATE)
    assert behaviour is not None
    dropped = {name.partition("::")[2]: why for name, why in baseline.dropped_tests.items()}
    assert dropped.keys() == expected.keys()
    for name, why in expected.items():
        assert dropped[name].startswith(why)
        assert one_line(dropped[name])
    outcomes = {case.name.partition("::")[2]: case.outcome for case in behaviour.cases}
    assert {name for name, outcome in outcomes.items() if outcome == "dropped"} >= expected.keys()
    assert "different" not in outcomes.values()
    for test in baseline.tests.tests:
        name = test.partition("::")[2]
        if name not in {*expected, "test_skipped", "test_fails_as_marked"}:
            assert outcomes[name] == "same", name
    assert {case.name.partition("::")[2] for case in behaviour.cases if case.differences} == UNKNOWN
    told = [reason for reason in found if reason.code == "tests-dropped"]
    assert [reason.rejects for reason in told] == [False]
    assert f"{len(expected)} of " in told[0].text


@pytest.mark.usefixtures("file_view")
def test_tests_that_end_the_session_are_dropped_and_the_others_used(tmp_path: Path) -> None:
    made = [
        f"def test_lost_{place}():\n    assert total([1]) == 1\n    {what}\n"
        for place, (what, _) in enumerate(LOST.values())
    ]
    text = "\n\n".join([f"import os\nimport signal\nimport time\n{TESTS}", *made])
    text += "\n\ndef test_after():\n    assert total([4, 5]) == 9\n"
    baseline = baseline_of(
        project(tmp_path, **{"tests/test_goods.py": text}), limits=Limits(cpu_ms=2_000)
    )
    behaviour, found = compare_behaviour(baseline, CANDIDATE)
    assert behaviour is not None
    assert behaviour.verdict == "same"
    assert list(baseline.dropped_tests.values()) == [
        f"with the original, {why}" for _, why in LOST.values()
    ]
    assert behaviour.count("dropped") == len(LOST)
    assert "tests/test_goods.py::test_after" in {
        case.name for case in behaviour.cases if case.outcome == "same"
    }
    assert any(reason.text.startswith(f"{len(LOST)} of 8 tests cannot be used") for reason in found)


@pytest.mark.usefixtures("file_view")
def test_a_suite_that_never_ends_is_told(tmp_path: Path) -> None:
    text = f"{TESTS}\n\n@pytest.mark.parametrize('n', range(5))\ndef test_on(n):\n"
    text += "    while True:\n        total([])\n"
    baseline = baseline_of(
        project(tmp_path, **{"tests/test_goods.py": text}), limits=Limits(cpu_ms=300)
    )
    with pytest.raises(TestsError, match="do not terminate: it did not finish in time, at "):
        baseline.prepare()


@pytest.mark.usefixtures("file_view")
def test_a_suite_that_takes_too_long_as_a_whole_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("steelyard.comparing._baseline._FIRST_RUN_S", 1.0)
    files = {"tests/test_goods.py": "while True:\n    pass\n"}
    baseline = baseline_of(project(tmp_path, **files), limits=Limits(cpu_ms=1_000))
    line = r"take more than 2 s, the last of them at tests/test_goods\.py; select fewer"
    with pytest.raises(TestsError, match=line):
        baseline.prepare()
    assert baseline.dropped_tests == {}


@pytest.mark.usefixtures("file_view")
@pytest.mark.parametrize(
    ("tests", "line"),
    [
        ("def test_one():\n    assert True\n", "none of 1 tests calls shop.goods:total"),
        (
            "from shop.goods import total\n\n\ndef test_one():\n    assert total([1]) == 2\n",
            "no test that calls it can be used: tests/test_goods.py::test_one: it fails with",
        ),
    ],
)
def test_tests_that_tell_nothing_of_the_function_accept_nothing(
    tmp_path: Path, tests: str, line: str
) -> None:
    root = project(tmp_path, **{"tests/test_goods.py": tests})
    behaviour, found = compare_behaviour(baseline_of(root), CANDIDATE)
    assert behaviour is not None
    assert behaviour.verdict == "unproved"
    assert found[0].code == "not-called"
    assert found[0].rejects
    assert found[0].text.startswith(line)
    generous = compare_candidate(baseline_of(root, generate=6, accept="not-slower"), CANDIDATE)
    assert generous.verdict == "rejected"
    assert "not-called" in {reason.code for reason in generous.reasons}


@pytest.mark.usefixtures("file_view")
@pytest.mark.parametrize("name", LAYOUTS)
def test_a_project_is_laid_out_as_it_likes(tmp_path: Path, name: str) -> None:
    files, function = LAYOUTS[name]
    behaviour, found = compare_behaviour(
        baseline_of(project(tmp_path, **files), function), CANDIDATE
    )
    assert behaviour is not None
    assert behaviour.verdict == "same"
    assert [reason.text for reason in found if reason.rejects] == []
    different, _ = compare_behaviour(
        baseline_of(tmp_path, function), "def total(values):\n    return sum(values) + 1\n"
    )
    assert different is not None
    assert different.verdict == "different"


@pytest.mark.usefixtures("file_view")
@pytest.mark.xdist_group("timing")
def test_arguments_that_cannot_leave_their_test_are_timed_within_it(tmp_path: Path) -> None:
    module = """
        def total(values):
            result = 0
            for number in range(2_000):
                result += values(number)
            return result
    """
    tests = """
        from shop.goods import total


        def test_one():
            assert total(lambda number: 1) == 2_000


        def test_two():
            step = 3
            assert total(lambda number: step) == 6_000
    """
    files = {"shop/goods.py": _dedented(module), "tests/test_goods.py": _dedented(tests)}
    files["line_profiler.py"] = "raise ImportError('of another version')"
    baseline = baseline_of(project(tmp_path, **files))
    comparison = compare_candidate(baseline, "def total(values):\n    return values(0) * 2_000\n")
    assert comparison.behaviour is not None
    assert comparison.behaviour.verdict == "same"
    assert comparison.speed is not None
    assert (comparison.speed.method, comparison.speed.verdict) == ("in-test", "faster")
    assert "the time of each line is unknown: line_profiler cannot be loaded" in comparison.notes


def _dedented(text: str) -> str:
    return "\n".join(line.removeprefix("        ") for line in text.splitlines())


# ------------------------------------------------------------------------------- the user's tree


def _plain_root(root: Path) -> None:
    (root / "README").write_text("a", encoding="utf-8")


def _odd_links(root: Path) -> None:
    for name, target in {
        "broken": "nowhere",
        "absolute": "/etc/passwd",
        "outside": "../../etc/passwd",
        "itself": "itself",
    }.items():
        os.symlink(target, root / name)


def _odd_files(root: Path) -> None:
    os.mkfifo(root / "fifo")
    with socket.socket(socket.AF_UNIX) as bound:
        bound.bind(os.path.relpath(root / "socket"))


def _odd_names(root: Path) -> None:
    for name in (b"\xff\xfe.txt", b"new\nline", b"-x", b" ", b"\xe2\x80\xae"):
        Path(os.fsdecode(os.fsencode(root) + b"/" + name)).write_bytes(b"\xff")
    os.mkdir(os.fsencode(root) + b"/\xff folder")


def _read_only(root: Path) -> None:
    for folder, _, files in os.walk(root):
        for name in files:
            os.chmod(os.path.join(folder, name), 0o444)
        os.chmod(folder, 0o555)


def _tests_behind_a_link(root: Path) -> None:
    os.rename(root / "tests", root / "real")
    os.symlink("real", root / "tests")


ROOTS: list[Callable[[Path], None]] = [
    _plain_root,
    _odd_links,
    _odd_files,
    _odd_names,
    _read_only,
    _tests_behind_a_link,
]

LITTERING = f"""
import pathlib

{TESTS}


def test_litters(tmp_path):
    for path in (pathlib.Path("litter"), pathlib.Path(__file__).with_name("litter")):
        path.write_text("litter")
    for path in pathlib.Path("shop").iterdir():
        if path.suffix == ".py":
            path.chmod(0o644)
            path.write_text("nothing(")
    assert total([1]) == 1
"""


@pytest.fixture
def writable_again(tmp_path: Path) -> Iterator[Path]:
    yield tmp_path
    for folder, _, _ in os.walk(tmp_path):
        os.chmod(folder, 0o755)


@pytest.mark.usefixtures("file_view")
@pytest.mark.parametrize("odd", ROOTS, ids=lambda odd: odd.__name__.strip("_"))
def test_the_users_tree_is_only_read(
    writable_again: Path, monkeypatch: pytest.MonkeyPatch, odd: Callable[[Path], None]
) -> None:
    root = project(writable_again / "root", **{"tests/test_goods.py": LITTERING})
    monkeypatch.chdir(root)  # a socket's path must be short
    odd(root)
    before = _everything_in(root)
    behaviour, _ = compare_behaviour(baseline_of(root), CANDIDATE)
    assert behaviour is not None
    assert behaviour.verdict == "same"
    assert _everything_in(root) == before


def _everything_in(root: Path) -> dict[str, tuple[object, ...]]:
    found: dict[str, tuple[object, ...]] = {}
    for folder, folders, files in os.walk(root):
        for name in (*folders, *files):
            path = os.path.join(folder, name)
            seen = os.lstat(path)
            link = os.readlink(path) if os.path.islink(path) else ""
            is_plain = os.path.isfile(path) and not link
            content = Path(path).read_bytes() if is_plain else b""
            found[path] = seen.st_mode, seen.st_mtime_ns, seen.st_uid, link, content
    return found
