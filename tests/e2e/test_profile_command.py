"""`assayer profile`: which calls it refuses, with which status and which one line."""

from pathlib import Path

import pytest

from tests.e2e.conftest import Run

_GENERATOR = "def generate(n, seed):\n    return f'{n}\\n'\n"


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ((), "either --generator FILE or --inputs FOLDER"),
        (("--generator", "absent.py"), "is not a file"),
        (("--inputs", "gen.py"), "is not a folder"),
        (("--generator", "gen.py", "--max-n", "0"), "--max-n is 0"),
        (("--generator", "gen.py", "--max-n", "8", "--min-n", "9"), "--min-n is 9"),
        (("--generator", "gen.py", "--param", "m"), "m=MIN:MAX:DEFAULT"),
        (("--generator", "gen.py", "--time-limit", "-5"), "--time-limit is -5"),
        (("--generator", "gen.py", "--budget", "0"), "--budget is 0"),
        (("--generator", "gen.py", "--plot", "plot.gif"), "must end in .png or .svg"),
        (("--generator", "gen.py", "--html", "absent/page.html"), "is not a folder"),
        (("--generator", "gen.py", "--flags", '"-O2'), "close the quote"),
        (("--generator", "gen.py", "--versus", "absent.cpp"), "cannot be read"),
    ],
)
def test_a_wrong_call_ends_with_two_and_one_line(
    assayer: Run, square: Path, tmp_path: Path, options: tuple[str, ...], said: str
) -> None:
    (tmp_path / "gen.py").write_text(_GENERATOR)
    done = assayer("profile", square, *options)
    assert done.returncode == 2, done.stderr
    assert said in done.stderr
    assert done.stderr.count("\n") == 1
    assert done.stdout == ""
