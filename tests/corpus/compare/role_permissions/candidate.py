def permissions_of(name: str, roles: dict[str, Role]) -> list[str]:
    """All that a role may do, its parents' rights included, sorted; unknown roles may nothing."""
    visited: set[str] = set()
    found: set[str] = set()
    waiting = [name]
    while waiting:
        current = waiting.pop()
        if current in visited or current not in roles:
            continue
        visited.add(current)
        role = roles[current]
        found.update(role.grants)
        waiting.extend(role.parents)
    return sorted(found)
