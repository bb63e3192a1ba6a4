"""Every hostile program meets its end, and the run after it finds nothing of it."""

import math
import tomllib
from pathlib import Path
from typing import Any

import pytest
from _pytest.mark import ParameterSet

from steelyard.schemas import Execution, Isolation
from tests.hostile.arena import LEVELS, PROGRAMS, Arena, Job, Level, alive
from tests.hostile.conftest import AtLevel, Unchanged

ATTACKS: dict[str, dict[str, Any]] = tomllib.loads(
    Path(__file__).with_name("attacks.toml").read_text()
)
TIGHT = {"cpu_ms": 200, "wall_ms": 400}
"""For what only a limit on time ends; everything else has time in plenty, on any machine."""
HONEST = {"honest", "inspector", "open_by_name", "hog"}


def is_for(attack: dict[str, Any], level: Level) -> bool:
    """Return if an attack is one at this level; attacks.toml says why others are not."""
    return level.name not in attack.get("not_at", ()) and (
        level.namespaces or not attack.get("only_view")
    )


def attack_at(level: Level, name: str) -> ParameterSet:
    """Return the case of an attack: exhaustive if more than one outcome is right at the level."""
    attack = ATTACKS[name]
    is_strict = (level.counts or "uncounted" not in attack) and (
        level.namespaces or "host" not in attack
    )
    marks = [pytest.mark.xdist_group(level.name)]
    return pytest.param(
        level,
        name,
        marks=marks if is_strict else [*marks, pytest.mark.exhaustive],
        id=f"{name}-{level.name}",
    )


def test_the_table_names_every_program() -> None:
    assert {path.stem for path in PROGRAMS.glob("*.c")} == set(ATTACKS) | HONEST


def test_every_program_says_what_it_tries_and_what_must_happen() -> None:
    for name in ATTACKS:
        comment = (PROGRAMS / f"{name}.c").read_text().partition("*/")[0]
        assert comment.startswith("/* Tries: "), name
        assert " Must: " in comment.replace("\n *", ""), name


@pytest.mark.parametrize(
    ("arena", "name"),
    [
        attack_at(level, name)
        for level in LEVELS
        for name in ATTACKS
        if is_for(ATTACKS[name], level)
    ],
    indirect=["arena"],
)
def test_attack_fails_and_leaves_nothing(arena: Arena, unchanged: Unchanged, name: str) -> None:
    attack = ATTACKS[name]
    isolation = arena.isolation()
    counted = isolation.cpu_counter != "rusage"
    stops = _stops(attack, counted=counted, host=not isolation.namespaces)
    cells = arena.cells()

    execution = arena.run(Job(name, tuple(attack.get("args", ())), limits=_limits(attack, stops)))

    assert execution.stop in stops
    if execution.stop == "exited":
        assert execution.exit_code == attack.get("exit_code", 0)
    if "signal" in attack:
        assert execution.signal == attack["signal"]
    if "wall_factor" in attack:
        assert execution.wall_ms < attack["wall_factor"] * attack["limits"]["wall_ms"]
    _check_output(attack, execution, isolation)
    if counted:
        assert execution.cpu_ms >= attack.get("cpu_ms", 0)
    assert execution.cpu_ms <= attack.get("cpu_ms_most", math.inf)
    unchanged()
    if not attack.get("loses_cell"):
        assert arena.cells() == cells
    assert not alive(arena.owner())


@AtLevel
def test_after_all_attacks_the_pool_is_as_before(arena: Arena, unchanged: Unchanged) -> None:
    counted = arena.isolation().cpu_counter != "rusage"
    for name, attack in ATTACKS.items():
        if arena.level.name in attack.get("not_at", ()):
            continue
        if counted or not attack.get("loses_cell"):
            arena.run(
                Job(name, tuple(attack.get("args", ())), limits={"cpu_ms": 15, "wall_ms": 30})
            )

    unchanged()
    assert not alive(arena.owner())


def _limits(attack: dict[str, Any], stops: list[str]) -> dict[str, int]:
    limits: dict[str, int] = attack.get("limits", {})
    if "wall_limit" in stops:
        return TIGHT | limits
    if "cpu_limit" in stops:
        return {"cpu_ms": TIGHT["cpu_ms"], **limits}
    return limits


def _stops(attack: dict[str, Any], *, counted: bool, host: bool) -> list[str]:
    if attack.get("burns"):
        return ["cpu_limit"] if counted else ["cpu_limit", "wall_limit"]
    stops: list[str] = attack.get("stops", ["exited"])
    if not counted:
        stops = attack.get("uncounted", stops)
    if host:
        stops = attack.get("host", stops)
    return stops


def _check_output(attack: dict[str, Any], execution: Execution, isolation: Isolation) -> None:
    if attack.get("refused"):
        assert execution.stdout == b"all refused\n"
    if "output" in attack:
        assert execution.stdout == attack["output"].encode()
    if "at_most" in attack:
        shares_its_limit = not (isolation.namespaces or isolation.separate_user)
        least = 0 if shares_its_limit else 1  # the user's other processes count, too
        assert least <= int(execution.stdout) <= attack["at_most"]
