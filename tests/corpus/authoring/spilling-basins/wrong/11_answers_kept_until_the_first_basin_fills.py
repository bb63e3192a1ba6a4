class Solution:
    def solve(self, parents, capacity, soak, steps):
        level = [0] * len(parents)
        answers = []
        known = {}
        for kind, v, amount in steps:
            if kind == 1:
                answers.append(level[v])
            elif kind == 2:
                if v not in known:
                    x = v
                    while x >= 0 and level[x] == capacity[x]:
                        x = parents[x]
                    known[v] = x
                answers.append(known[v])
            else:
                if amount >= capacity[v] - level[v] > 0:
                    known.clear()
                while amount > 0:
                    taken = min(amount, capacity[v] - level[v])
                    level[v] += taken
                    amount -= taken
                    v = parents[v]
                    if v < 0:
                        break
                    amount = max(0, amount - soak)
                answers.append(amount)
        return answers
