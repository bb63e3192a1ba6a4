"""A run of author that cannot be resumed."""

from pathlib import Path

import pytest

from tests.warm_command import WarmCommand


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (("--resume", "none"), "cannot be read"),
        (("--resume", "out", "--models", "x:y"), "--models is for a run that begins"),
        (("--resume", "out", "text"), "TEXT is for a run that begins"),
    ],
)
def test_what_cannot_be_resumed_is_one_line(
    args: tuple[str, ...], words: str, warm: WarmCommand, tmp_path: Path
) -> None:
    done = warm.run("author", *args, cwd=tmp_path)
    assert done.status == 2
    assert words in done.stderr
    assert len(done.said) == 1
