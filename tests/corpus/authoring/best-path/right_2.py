class Solution:
    def solve(self, parents, values):
        children = [[] for _ in parents]
        for node in range(1, len(parents)):
            children[parents[node]].append(node)
        arms, best, todo = {}, values[0], [(0, False)]
        while todo:
            node, ready = todo.pop()
            if not ready:
                todo.append((node, True))
                todo += [(child, False) for child in children[node]]
                continue
            longest = sorted((max(0, arms[child]) for child in children[node]), reverse=True)[:2]
            best = max(best, values[node] + sum(longest))
            arms[node] = values[node] + max(longest, default=0)
        return best
