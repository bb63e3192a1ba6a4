class Solution:
    def solve(self, order):
        goal = tuple(range(len(order)))
        level, seen, steps = {tuple(order)}, set(), 0
        while goal not in level:
            seen |= level
            nearer = set()
            for state in level:
                for i in range(len(state)):
                    for j in range(i):
                        if state[i] == j or state[j] == i:
                            new = list(state)
                            new[i], new[j] = new[j], new[i]
                            nearer.add(tuple(new))
            level, steps = nearer - seen, steps + 1
        return steps
