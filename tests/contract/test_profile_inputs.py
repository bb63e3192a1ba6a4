"""Inputs come from generators in cells and from folders, whole, kept, and the same every time."""

import json
import random
from pathlib import Path

import pytest

from steelyard.errors import GeneratorError
from steelyard.profiling import Point
from steelyard.profiling.inputs import FolderSource, GeneratorSource, Parameter, diagonal, grid
from steelyard.sandbox import CellPool
from steelyard.schemas import Limits, values
from steelyard.toolchains import EntryCache, find_toolchain

POINTS = tuple(Point(n) for n in (16, 32, 64, 128, 256))
NUMBERS = """\
import random
N_MIN, N_MAX = 16, 1e6
def generate(n, seed):
    r = random.Random(seed * 1000003 + n)
    return f"{n}\\n" + " ".join(map(str, r.choices(range(100), k=n))) + "\\n"
"""


class Counting(CellPool):
    """A pool that counts its runs."""

    runs = 0

    def run(self, command):  # type: ignore[no-untyped-def]
        self.runs += 1
        return super().run(command)


@pytest.fixture(scope="module")
def cells():
    with Counting(1) as pool:
        yield pool


def source(cells: CellPool, tmp_path: Path, text: str, **options: object) -> GeneratorSource:
    caching = EntryCache("inputs", tmp_path / "cache", 64)
    return GeneratorSource(text.encode(), cells, caching=caching, **options)


def fault_of(
    cells: CellPool,
    tmp_path: Path,
    text: str,
    points: tuple[Point, ...] = POINTS,
    **options: object,
) -> str:
    with pytest.raises(GeneratorError) as caught:
        source(cells, tmp_path, text, **options).check(points, seed=1)
    message = str(caught.value)
    assert "\n" not in message
    assert "; " in message  # what to do
    return message


def test_an_input_is_what_the_generator_returns(cells: CellPool, tmp_path: Path) -> None:
    given = source(cells, tmp_path, NUMBERS)
    for point in POINTS:
        r = random.Random(1_000_003 + point.n)
        expected = f"{point.n}\n" + " ".join(map(str, r.choices(range(100), k=point.n))) + "\n"
        assert given.get(point, seed=1).content.read() == expected.encode()
        assert given.get(point, seed=1).point == point
    assert given.get(POINTS[0], seed=2).content.read() != given.get(POINTS[0], 1).content.read()


def test_bytes_are_handed_over_as_they_are(cells: CellPool, tmp_path: Path) -> None:
    data = bytes(range(256)) * 3
    text = f"def generate(n, seed): return {data!r} * n"
    assert source(cells, tmp_path, text).get(Point(2), 1).content.read() == data * 2


def test_small_inputs_are_made_together_and_found_again_on_disk(
    cells: Counting, tmp_path: Path
) -> None:
    before = cells.runs
    first = source(cells, tmp_path, NUMBERS)
    first.plan(POINTS)
    made = [first.get(point, 1).content.read() for point in POINTS]
    assert cells.runs - before < len(POINTS)
    before = cells.runs
    second = source(cells, tmp_path, NUMBERS)
    assert [second.get(point, 1).content.read() for point in POINTS] == made
    assert cells.runs == before


def test_another_text_shares_no_input(cells: Counting, tmp_path: Path) -> None:
    one = source(cells, tmp_path, NUMBERS).get(POINTS[0], 1)
    changed = NUMBERS.replace("100", "900")
    other = source(cells, tmp_path, changed).get(POINTS[0], 1)
    assert one.content.read() != other.content.read()


@pytest.mark.parametrize("damage", [b"", b"half", None])
def test_a_damaged_entry_is_made_again(
    cells: CellPool, tmp_path: Path, damage: bytes | None
) -> None:
    whole = source(cells, tmp_path, NUMBERS).get(POINTS[3], 1).content.read()
    entries = [each for each in (tmp_path / "cache" / "inputs").iterdir() if each.is_file()]
    assert entries
    for entry in entries:
        entry.write_bytes(entry.read_bytes()[:-9] + b"123456789" if damage is None else damage)
    assert source(cells, tmp_path, NUMBERS).get(POINTS[3], 1).content.read() == whole


def test_what_it_says_of_itself_is_read(cells: CellPool, tmp_path: Path) -> None:
    text = """\
n_min = 4
N_MAX = 1e5
M_MIN, M_MAX, M_DEFAULT = 3, 4000, "4*n"
def valid(n, m): return m >= n
def generate(n, seed, m=None): return "x" * n + "y" * (m or 1)
"""
    given = source(cells, tmp_path, text)
    says = given.says
    assert (says.n_min, says.n_max, says.m_min, says.m_max, says.m_default) == (
        4,
        100_000,
        3,
        4_000,
        "4*n",
    )
    assert says.takes_m
    assert not says.needs_m
    assert given.valid([Point(4, 3), Point(4, 4)]) == (False, True)
    points = grid(4, 900, Parameter("m", 3, 4_000, "n"), given.valid)
    assert points
    assert all(point.m >= point.n for point in points)
    given.check(points, 1)
    assert given.get(Point(5, 7), 1).content.read() == b"xxxxxyyyyyyy"


def test_where_it_says_nothing_nothing_is_known(cells: CellPool, tmp_path: Path) -> None:
    given = source(cells, tmp_path, "def generate(n, seed): return 'x' * n")
    assert given.says.n_max is None
    assert not given.says.takes_m
    assert given.valid([Point(1, 5)]) == (True,)


@pytest.mark.parametrize("form", ["m", "m=None", "*, m", "*, m=None", "**more"])
def test_m_is_passed_however_it_is_taken(cells: CellPool, tmp_path: Path, form: str) -> None:
    m = "more['m']" if "more" in form else "m"
    text = f"def generate(n, seed, {form}): return 'x' * n + 'y' * {m}"
    assert source(cells, tmp_path, text).get(Point(1, 2), 1).content.read() == b"xyy"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (
            "def generate(n, seed):\n  return 'x' * (n // (64 - n) + n)",
            "line 2, at n = 64 raises ZeroDivision",
        ),
        (
            "def generate(n, seed): return 'x' * n if n > 16 else 1 / 0",
            "correct this line of it, or start at a larger n with --min-n",
        ),
        ("def generate(n, seed): return 'x' * n if n > 16 else None", "a larger n with --min-n"),
        ("import nothing_such\ndef generate(n, seed): return 'x'", "line 1, raises ModuleNotFound"),
        ("def generate(n, seed): raise SystemExit(3)", "raises SystemExit: 3"),
        ("def generate(n, seed): return generate(n, seed)", "raises RecursionError"),
        ("def generate(n, seed):\n  return x = 3", "line 2, is not valid Python"),
        ("def generate(n, seed): print('x' * n)", "prints its input and returns nothing"),
        ("import sys\ndef generate(n, seed): sys.stdout.buffer.write(b'x')", "prints its input"),
        ("def generate(n, seed): return n", "returns int"),
        ("def generate(n, seed): pass", "returns None"),
        ("def generate(n, seed): return ''", "returns an empty input"),
        ("def generate(n, seed): return [n]", "returns list; return the input as str"),
        ("def generate(n, seed): return '\\ud800' * n", "not Unicode"),
        ("def generate(n, seed): return 'x'", "ignores n: the inputs at n = 16"),
        (
            "import random\ndef generate(n, seed): return 'x' * random.randrange(10**6)",
            "returns a different input at n = 128 each time",
        ),
        ("import time\ndef generate(n, seed): return f'{time.time_ns()} ' * n", "each time"),
        ("def make(n, seed): return 'x'", "defines no function generate"),
        ("generate = 3", "defines no function generate"),
        ("def generate(n): return 'x' * n", "generate(n), which cannot be called"),
        ("def generate(n, seed, m): return 'x' * m", "requires m"),
        ("N_MAX = 'many'\ndef generate(n, seed): return 'x' * n", "sets N_MAX = 'many'"),
        ("import os\ndef generate(n, seed): os._exit(3)", "ends the process (exit status 3)"),
        ("import os\ndef generate(n, seed): os.kill(os.getpid(), 11)", "ended by signal 11"),
        ("\0", "is not valid Python"),
        ("", "defines no function generate"),
    ],
)
def test_a_generator_error_is_one_line(
    cells: CellPool, tmp_path: Path, text: str, words: str
) -> None:
    assert words in fault_of(cells, tmp_path, text)


def test_m_for_a_generator_without_it_is_told(cells: CellPool, tmp_path: Path) -> None:
    points = diagonal((16, 32), Parameter("m", 1, 100, "n"))
    text = "def generate(n, seed): return 'x' * n"
    assert "has no parameter m" in fault_of(cells, tmp_path, text, points)


def test_a_generator_that_ignores_m_is_told(cells: CellPool, tmp_path: Path) -> None:
    points = grid(16, 900, Parameter("m", 1, 10_000, "n"))
    text = "def generate(n, seed, m=None): return 'x' * n"
    assert "ignores m" in fault_of(cells, tmp_path, text, points)


def test_sizes_that_are_clamped_from_below_are_no_fault(cells: CellPool, tmp_path: Path) -> None:
    text = "def generate(n, seed): return 'x' * max(n, 200)"
    source(cells, tmp_path, text).check(POINTS, 1)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("def generate(n, seed):\n  while True: pass", "did not finish within 1 s"),
        ("def generate(n, seed):\n  import time\n  time.sleep(99)", "did not finish within 2 s"),
        ("def generate(n, seed): return 'x' * (200 << 20)", "of memory"),
        ("def generate(n, seed): return 'x' * (9 << 20)", "returns more than 4 MiB"),
    ],
)
def test_a_limit_ends_a_generator(cells: CellPool, tmp_path: Path, text: str, words: str) -> None:
    limits = Limits(cpu_ms=1_000, wall_ms=2_000, memory_mib=128, output_mib=4, file_mib=4)
    assert words in fault_of(cells, tmp_path, text, limits=limits)


def test_sizes_that_nobody_asked_for_yet_fail_nobody(cells: CellPool, tmp_path: Path) -> None:
    text = "def generate(n, seed):\n    return 'x' * n if n < 100 else 1 / 0"
    given = source(cells, tmp_path, text)
    given.plan(POINTS)
    assert given.get(POINTS[0], 1).content.size == 16
    with pytest.raises(GeneratorError, match="line 2, at n = 256 raises ZeroDivisionError") as last:
        given.get(POINTS[-1], 1)
    assert "--min-n" not in str(last.value)


def test_what_it_prints_beside_its_input_is_noted(cells: CellPool, tmp_path: Path) -> None:
    text = "print('hello')\ndef generate(n, seed):\n  print('working')\n  return 'x' * n"
    given = source(cells, tmp_path, text)
    assert given.get(Point(3), 1).content.read() == b"xxx"
    assert given.notes == ("gen.py prints; its output is ignored",)
    assert source(cells, tmp_path, NUMBERS).notes == ()


def test_a_generator_leaves_no_trace_here(cells: CellPool, tmp_path: Path) -> None:
    target = tmp_path / "trace"
    text = f"""\
def generate(n, seed):
    try:
        open({str(target)!r}, "w").write("x")
    except OSError:
        pass
    return "x" * n
"""
    source(cells, tmp_path, text).check(POINTS, 1)
    assert not target.exists()


def test_a_large_input_comes_back_whole(cells: CellPool, tmp_path: Path) -> None:
    text = "def generate(n, seed): return '0123456789abcdef' * n"
    given = source(cells, tmp_path, text).get(Point(6 << 20), 1)
    assert given.content.size == 96 << 20


@pytest.mark.parametrize(
    ("returned", "request_of"),
    [
        ("[3, [1, 2]]", [[3, [1, 2]], None, 0]),
        ("([3, 1, 2],)", [[[3, 1, 2]], None, 0]),
        ("['[]']", [["[]"], None, 0]),
        ("'[1, [2]]'", [[1, [2]], None, 0]),
        ("{'args': [1, (2,)], 'kwargs': {'k': {3}}}", [[1, (2,)], {"k": {3}}, 0]),
        ("{'kwargs': {'k': 1}}", [[], {"k": 1}, 0]),
        ("[{'a': 1}]", [[{"a": 1}], None, 0]),
        ('\'{"args": [[1, 2], 3], "kwargs": {"k": {}}}\'', [[[1, 2], 3], {"k": {}}, 0]),
        ("[n << 70]", [[16 << 70], None, 0]),
    ],
)
def test_arguments_of_a_call_are_what_the_harness_reads(
    cells: CellPool, tmp_path: Path, returned: str, request_of: list[object]
) -> None:
    text = f"def generate(n, seed): return {returned}"
    content = source(cells, tmp_path, text, calls=True).get(Point(16), 1).content.read()
    assert values.decode(content) == request_of
    assert b"\n" not in content


def test_the_harness_makes_the_call(cells: CellPool, tmp_path: Path) -> None:
    text = "def generate(n, seed): return list(range(n)), {'k': (n,)}"
    content = source(cells, tmp_path, text, calls=True).get(Point(5), 1).content
    toolchain = find_toolchain("python")
    program = b"def f(xs, more): return [sum(xs), more]"
    artifact = toolchain.compile(program, cells).artifact
    assert artifact is not None
    assert artifact.harness is not None
    command = artifact.harness.command(
        ("function", artifact.source, "f"), stdin=content, limits=Limits(), sources=artifact.files
    )
    outcome = cells.run(command).stdout.partition(b"\t")[2].rstrip(b"\n")
    assert values.decode(outcome) == ["ok", [10, {"k": (5,)}]]


@pytest.mark.parametrize(
    ("returned", "words"),
    [
        ("[object()]", "return plain values"),
        ("{'args': 3}", "int instead of arguments"),
        ("{'a': 3}", "dict instead of arguments"),
        ("n", "int instead of arguments"),
        ("'[1,'", "a text that is not JSON"),
        ("None", "returns None"),
        ("list(range(n))", "16 arguments at n = 16 and 128 at n = 128; if the list is the only"),
    ],
)
def test_arguments_that_cannot_cross_are_told(
    cells: CellPool, tmp_path: Path, returned: str, words: str
) -> None:
    text = f"def generate(n, seed): return {returned}"
    assert words in fault_of(cells, tmp_path, text, calls=True)


def test_a_generator_that_is_not_there_is_told(cells: CellPool, tmp_path: Path) -> None:
    with pytest.raises(GeneratorError, match=r"gen\.py cannot be read: No such file"):
        GeneratorSource.from_file(tmp_path / "gen.py", cells)
    with pytest.raises(GeneratorError, match="cannot be read: Is a directory"):
        GeneratorSource.from_file(tmp_path, cells)


def folder(tmp_path: Path, **files: str) -> Path:
    for name, content in files.items():
        (tmp_path / name.replace("__", ".")).write_text(content)
    return tmp_path


def test_a_folder_gives_the_sizes_of_its_names(tmp_path: Path) -> None:
    for name in ("1000.txt", "n=20.in", "n=30_m=5.in", "20.out", "README.md", ".40.txt"):
        (tmp_path / name).write_text(name)
    given = FolderSource(tmp_path)
    assert given.points == (Point(20), Point(30, 5), Point(1000))
    assert given.get(Point(30, 5), 1).content.read() == b"n=30_m=5.in"
    with pytest.raises(GeneratorError, match="the folder has no file for n = 7"):
        given.get(Point(7), 1)


def test_an_index_gives_the_sizes(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("one")
    (tmp_path / "b").write_text("two")
    (tmp_path / "sizes.csv").write_text("file, n, m\na, 5, 6\nb,7,\n")
    assert FolderSource(tmp_path).points == (Point(5, 6), Point(7))
    (tmp_path / "inputs.json").write_text(json.dumps({"a": 9, "b": {"n": 3, "m": 4}}))
    given = FolderSource(tmp_path)
    assert given.points == (Point(3, 4), Point(9))
    assert given.get(Point(3, 4), 1).content.read() == b"two"


def test_a_folder_of_arguments_is_what_the_harness_reads(tmp_path: Path) -> None:
    (tmp_path / "3.json").write_text('{"args": [[1, 2, 3], 4]}')
    (tmp_path / "2.json").write_text('[1, {"a": 2}]')
    given = FolderSource(tmp_path, calls=True)
    assert values.decode(given.get(Point(3), 1).content.read()) == [[[1, 2, 3], 4], None, 0]
    assert values.decode(given.get(Point(2), 1).content.read()) == [[1, {"a": 2}], None, 0]
    (tmp_path / "5.json").write_text('{"a": 1}')
    with pytest.raises(GeneratorError, match="does not hold a list of arguments"):
        FolderSource(tmp_path, calls=True).get(Point(5), 1)
    (tmp_path / "4.json").write_text("[1,")
    with pytest.raises(GeneratorError, match="does not hold arguments as JSON"):
        FolderSource(tmp_path, calls=True).get(Point(4), 1)


@pytest.mark.parametrize(
    ("files", "words"),
    [
        ({}, "has no inputs"),
        ({"README__md": "x"}, "has no inputs"),
        ({"5__txt": "x", "5__in": "y"}, "both for n = 5"),
        ({"inputs__json": "{"}, "is not JSON"),
        ({"inputs__json": "[1]"}, "does not hold an object"),
        ({"inputs__json": '{"a": 3}'}, "file a does not exist"),
        ({"inputs__json": '{"a": "many"}', "a": "x"}, "has no size"),
        ({"inputs__json": '{"a": -3}', "a": "x"}, "has no size"),
        ({"sizes__csv": "a,5\n"}, "has no inputs"),
        ({"sizes__csv": "a,5\nb,6\n"}, "no column named file"),
    ],
)
def test_what_is_wrong_with_a_folder_is_told_in_one_line(
    tmp_path: Path, files: dict[str, str], words: str
) -> None:
    with pytest.raises(GeneratorError) as caught:
        FolderSource(folder(tmp_path, **files))
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)
    assert "; " in str(caught.value)


def test_a_folder_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(GeneratorError, match="cannot be read: No such file"):
        FolderSource(tmp_path / "nowhere")
