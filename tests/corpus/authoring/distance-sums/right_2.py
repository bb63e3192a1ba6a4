class Solution:
    def solve(self, n, edges):
        near = [set() for _ in range(n)]
        for a, b in edges:
            near[a].add(b)
            near[b].add(a)
        size, inner, removed = [1] * n, [0] * n, []
        leaves = [node for node in range(n) if len(near[node]) == 1]
        for leaf in leaves:
            if not near[leaf]:
                continue
            up = near[leaf].pop()
            near[up].discard(leaf)
            removed.append((leaf, up))
            size[up] += size[leaf]
            inner[up] += inner[leaf] + size[leaf]
            if len(near[up]) == 1:
                leaves.append(up)
        for leaf, up in reversed(removed):
            inner[leaf] = inner[up] + n - 2 * size[leaf]
        return inner
