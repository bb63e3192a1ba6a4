class Solution:
    def solve(self, n, needs, wanted, built):
        below = [[] for _ in range(n)]
        for a, b in needs:
            below[a].append(b)
        todo = []
        stack = list(wanted)
        seen = set()
        while stack:
            package = stack.pop()
            if package not in seen:
                seen.add(package)
                if package not in built:
                    todo.append(package)
                stack.extend(below[package])
        todo.sort()
        ready = set(built)
        order = []
        while todo:
            for package in todo:
                if all(other in ready for other in below[package]):
                    break
            else:
                return [-1]
            todo.remove(package)
            ready.add(package)
            order.append(package)
        return order
