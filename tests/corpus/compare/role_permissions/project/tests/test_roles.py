import pytest

from acl.roles import Role, may, permissions_of


@pytest.fixture(scope="module")
def roles():
    made = {}
    for i in range(30):
        grants = [f"item{(i * 7 + k) % 90}:read" for k in range(6)]
        made[f"r{i}"] = Role(f"r{i}", grants, [f"r{j}" for j in (2 * i + 1, 2 * i + 2, i - 3) if 0 <= j < 30])
    return made


def test_root(roles):
    assert len(permissions_of("r0", roles)) == 90


def test_sorted(roles):
    found = permissions_of("r4", roles)
    assert found == sorted(set(found))


def test_cycles():
    roles = {"a": Role("a", ["x"], ["b"]), "b": Role("b", ["y"], ["a"])}
    assert permissions_of("a", roles) == ["x", "y"]


def test_unknown(roles):
    assert permissions_of("nobody", roles) == []


@pytest.mark.parametrize("right, answer", [("item0:read", True), ("item0:write", False)])
def test_may(roles, right, answer):
    assert may("r1", right, roles) is answer
