"""In which order to build things."""


class CycleError(ValueError):
    """Some nodes wait for each other."""


def topological(nodes: list[str], edges: list[tuple[str, str]]) -> list[str]:
    """The nodes, each after those that it needs, else in the given order.

    Args:
        nodes: All nodes.
        edges: Pairs of a node and one that needs it.

    Raises:
        CycleError: There is no such order.
    """
    waiting = {node: 0 for node in nodes}
    for _, target in edges:
        waiting[target] += 1
    ready = [node for node in waiting if waiting[node] == 0]
    order = []
    while ready:
        node = ready.pop(0)
        order.append(node)
        for source, target in edges:
            if source == node:
                waiting[target] -= 1
                if waiting[target] == 0:
                    ready.append(target)
    if len(order) != len(waiting):
        raise CycleError("a cycle")
    return order
