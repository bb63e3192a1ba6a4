from collections import deque


class Solution:
    def solve(self, n, operations):
        # A pile is [crates, foot, head]; the smaller of two piles is carried to the larger one.
        piles = [[deque(), 0, 0] for _ in range(n)]
        weight, foot, where = [], [], []
        answers = []
        for kind, a, b in operations:
            if kind == "put":
                pile = piles[a]
                pile[0].append(len(weight))
                weight.append(b)
                foot.append(pile[2])
                where.append(pile)
                pile[2] += b
            elif kind == "move":
                if a == b:
                    continue
                upper, lower = piles[a], piles[b]
                if len(upper[0]) <= len(lower[0]):
                    rise = lower[2] - upper[1]
                    for crate in upper[0]:
                        foot[crate] += rise
                        where[crate] = lower
                        lower[0].append(crate)
                    lower[2] += upper[2] - upper[1]
                    upper[0].clear()
                else:
                    for crate in reversed(lower[0]):
                        upper[1] -= weight[crate]
                        foot[crate] = upper[1]
                        where[crate] = upper
                        upper[0].appendleft(crate)
                    piles[b] = upper
                    piles[a] = [deque(), 0, 0]
            elif kind == "take":
                pile = piles[a]
                before = pile[2]
                for _ in range(min(b, len(pile[0]))):
                    crate = pile[0].pop()
                    pile[2] -= weight[crate]
                    where[crate] = None
                answers.append(before - pile[2])
            elif a >= len(weight) or where[a] is None:
                answers.append(-1)
            else:
                answers.append(where[a][2] - foot[a] - weight[a])
        return answers
