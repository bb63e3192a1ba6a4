class Solution:
    def solve(self, tree):
        above, kept, at = {0: None}, [0] if tree else [], 1
        for node in kept:
            for side in (-1, 1):
                if at < len(tree):
                    if tree[at] is not None:
                        above[at] = (node, side)
                        kept.append(at)
                    at += 1
        found = {}
        for node in kept:
            row, column, here = 0, 0, node
            while above[here]:
                here, side = above[here]
                row += 1
                column += side
            found.setdefault(column, []).append((row, tree[node]))
        return [[value for _, value in sorted(found[column])] for column in sorted(found)]
