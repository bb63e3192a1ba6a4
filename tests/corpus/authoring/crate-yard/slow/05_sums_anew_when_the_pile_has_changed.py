class Solution:
    def solve(self, n, operations):
        parent, weight, foot, gone = [], [], [], []
        piles = [[] for _ in range(n)]
        # The sums of a pile are kept until it changes.
        summed = {}
        place = {}
        total = {}
        answers = []
        for kind, a, b in operations:
            if kind == "put":
                crate = len(weight)
                weight.append(b)
                foot.append(0)
                gone.append(False)
                piles[a].append(crate)
                root = piles[a][0]
                parent.append(root)
                summed[root] = False
                place[root] = a
            elif kind == "move":
                if a == b or not piles[a]:
                    continue
                if piles[b]:
                    parent[piles[a][0]] = piles[b][0]
                piles[b].extend(piles[a])
                piles[a] = []
                place[piles[b][0]] = b
                summed[piles[b][0]] = False
            elif kind == "take":
                taken = 0
                for _ in range(min(b, len(piles[a]))):
                    root = piles[a][0]
                    crate = piles[a].pop()
                    taken += weight[crate]
                    gone[crate] = True
                    summed[root] = False
                answers.append(taken)
            elif a >= len(weight) or gone[a]:
                answers.append(-1)
            else:
                root = a
                while parent[root] != root:
                    parent[root] = parent[parent[root]]
                    root = parent[root]
                if not summed[root]:
                    height = 0
                    for crate in piles[place[root]]:
                        foot[crate] = height
                        height += weight[crate]
                    total[root] = height
                    summed[root] = True
                answers.append(total[root] - foot[a] - weight[a])
        return answers
