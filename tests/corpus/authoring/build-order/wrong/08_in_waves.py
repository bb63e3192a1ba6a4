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
        for package in todo:
            for other in below[package] - ready:
                above[other].append(package)
                waits[package] += 1
        heap = [package for package in todo if not waits[package]]
        heapify(heap)
        order = []
        while heap:
            later = []
            for package in sorted(heap):
                order.append(package)
                for other in above[package]:
                    waits[other] -= 1
                    if not waits[other]:
                        later.append(other)
            heap = later
        return order if len(order) == len(todo) else [-1]
