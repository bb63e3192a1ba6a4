"""Which machines reach each other."""


def components(links: list[tuple[str, str]]) -> list[list[str]]:
    """Groups of machines that are linked, each sorted, in the order of their first link."""
    near: dict[str, list[str]] = {}
    for a, b in links:
        near.setdefault(a, []).append(b)
        near.setdefault(b, []).append(a)
    seen: set[str] = set()
    groups = []
    for start in near:
        if start in seen:
            continue
        group = []
        waiting = [start]
        seen.add(start)
        while waiting:
            machine = waiting.pop()
            group.append(machine)
            for other in near[machine]:
                if other not in seen:
                    seen.add(other)
                    waiting.append(other)
        groups.append(sorted(group))
    return groups
