class Solution:
    def solve(self, parents, capacity, soak, steps):
        level = [0] * len(parents)
        answers = []
        for kind, v, amount in steps:
            if kind == 1:
                answers.append(level[v])
            elif kind == 2:
                while v >= 0 and level[v] == capacity[v]:
                    v = parents[v]
                answers.append(v)
            else:
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
