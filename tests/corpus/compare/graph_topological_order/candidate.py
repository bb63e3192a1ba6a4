from collections import deque


def topological(nodes: list[str], edges: list[tuple[str, str]]) -> list[str]:
    """The nodes, each after those that it needs, else in the given order.

    Args:
        nodes: All nodes.
        edges: Pairs of a node and one that needs it.

    Raises:
        CycleError: There is no such order.
    """
    waiting = {node: 0 for node in nodes}
    after: dict[str, list[str]] = {}
    for source, target in edges:
        waiting[target] += 1
        after.setdefault(source, []).append(target)
    ready = deque(node for node, count in waiting.items() if count == 0)
    order = []
    while ready:
        node = ready.popleft()
        order.append(node)
        for target in after.get(node, ()):
            waiting[target] -= 1
            if waiting[target] == 0:
                ready.append(target)
    if len(order) != len(waiting):
        raise CycleError("a cycle")
    return order
