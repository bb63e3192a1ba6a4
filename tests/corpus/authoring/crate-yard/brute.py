class Solution:
    def solve(self, n, operations):
        piles = [[] for _ in range(n)]
        crates = 0
        answers = []
        for kind, a, b in operations:
            if kind == "put":
                piles[a] = [*piles[a], (crates, b)]
                crates += 1
            elif kind == "move":
                if a != b:
                    piles[b] = piles[b] + piles[a]
                    piles[a] = []
            elif kind == "take":
                left = max(0, len(piles[a]) - b)
                answers.append(sum(weight for _, weight in piles[a][left:]))
                piles[a] = piles[a][:left]
            else:
                load = -1
                for pile in piles:
                    for i in range(len(pile)):
                        if pile[i][0] == a:
                            load = sum(weight for _, weight in pile[i + 1 :])
                answers.append(load)
        return answers
