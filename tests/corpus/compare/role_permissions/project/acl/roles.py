"""Who may do what."""

from dataclasses import dataclass, field


@dataclass
class Role:
    name: str
    grants: list[str] = field(default_factory=list)
    parents: list[str] = field(default_factory=list)


def permissions_of(name: str, roles: dict[str, Role]) -> list[str]:
    """All that a role may do, its parents' rights included, sorted; unknown roles may nothing."""
    visited: list[str] = []
    found: list[str] = []
    waiting = [name]
    while waiting:
        current = waiting.pop()
        if current in visited or current not in roles:
            continue
        visited.append(current)
        role = roles[current]
        for grant in role.grants:
            if grant not in found:
                found.append(grant)
        for parent in role.parents:
            waiting.append(parent)
    return sorted(found)


def may(name: str, right: str, roles: dict[str, Role]) -> bool:
    return right in permissions_of(name, roles)
