class Solution:
    def solve(self, n, operations):
        piles = [[] for _ in range(n)]
        total = [0] * n
        weight, foot, where = [], [], []
        answers = []
        for kind, a, b in operations:
            if kind == "put":
                piles[a].append(len(weight))
                where.append(a)
                weight.append(b)
                foot.append(total[a])
                total[a] += b
            elif kind == "move":
                if a == b:
                    continue
                for crate in piles[a]:
                    piles[b].append(crate)
                    where[crate] = b
                    foot[crate] += total[b]
                total[b] += total[a]
                piles[a] = []
                total[a] = 0
            elif kind == "take":
                taken = 0
                for _ in range(min(b, len(piles[a]))):
                    crate = piles[a].pop()
                    taken += weight[crate]
                    where[crate] = -1
                total[a] -= taken
                answers.append(taken)
            elif a >= len(weight) or where[a] < 0:
                answers.append(-1)
            else:
                answers.append(total[where[a]] - foot[a] - weight[a])
        return answers
