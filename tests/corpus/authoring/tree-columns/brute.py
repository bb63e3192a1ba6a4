class Solution:
    def solve(self, tree):
        parents = []
        children = {0: []}
        kept = [0] if tree else []
        at = 1
        place = {0: (0, 0)}
        while at < len(tree):
            above = kept[(at - 1) // 2]
            if tree[at] is not None:
                place[at] = (place[above][0] + 1, place[above][1] + (1 if at % 2 == 0 else -1))
                kept.append(at)
            at += 1
        out = []
        for column in range(-len(kept), len(kept)):
            here = sorted((place[i][0], tree[i]) for i in kept if place[i][1] == column)
            if here:
                out.append([value for _, value in here])
        return out
