from heapq import heapify, heappop, heappush


class Solution:
    def solve(self, n, needs, wanted, built):
        below = [set() for _ in range(n)]
        for a, b in needs:
            below[a].add(b)
        ready = set(built)
        todo = set(wanted) - ready
        stack = list(todo)
        while stack:
            for package in below[stack.pop()] - ready - todo:
                todo.add(package)
                stack.append(package)
        above = [[] for _ in range(n)]
        waits = [0] * n
        for package, other in needs:
            if package in todo and other not in ready:
                waits[package] += 1
        for package in todo:
            for other in below[package] - ready:
                above[other].append(package)
        heap = [package for package in todo if not waits[package]]
        heapify(heap)
        order = []
        while heap:
            package = heappop(heap)
            order.append(package)
            for other in above[package]:
                waits[other] -= 1
                if not waits[other]:
                    heappush(heap, other)
        return order if len(order) == len(todo) else [-1]
