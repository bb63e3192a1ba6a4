"""What a run under its supervisor's own id, with nothing else between them, must not do to it."""

import os

import pytest

from tests.hostile.arena import LEVELS, Job, Level, can_become_ordinary
from tests.hostile.conftest import OpenAt, at_level, inspect

SAME_USER = [at_level(level) for level in LEVELS if level.name in ("landlock-ordinary", "docker")]


@pytest.mark.parametrize("level", SAME_USER)
def test_priorities_of_the_supervisor_and_its_user_stay(level: Level, open_at: OpenAt) -> None:
    if not can_become_ordinary():
        pytest.skip("this test would lower the priority of its own user's processes for good")
    arena = open_at(level)
    before = inspect(arena)
    execution = arena.run(Job("schedule"))
    after, niceness = inspect(arena), os.getpriority(os.PRIO_PROCESS, arena.owner())
    arena.close()
    assert execution.stdout == b"all refused\n"
    assert niceness == os.getpriority(os.PRIO_PROCESS, 0)
    assert after == before
