class Solution:
    def solve(self, n, cables):
        near = {}
        for a, b, price in cables:
            near.setdefault(a, []).append((price, b))
            near.setdefault(b, []).append((price, a))
        here, seen, total = 0, {0}, 0
        while len(seen) < n:
            options = [edge for edge in near[here] if edge[1] not in seen]
            if not options:
                options = [edge for node in seen for edge in near[node] if edge[1] not in seen]
            price, here = min(options)
            seen.add(here)
            total += price
        return total
