class Solution:
    def solve(self, tree):
        if not tree:
            return []
        nodes, at = [(0, 0, tree[0])], 1
        for row, column, value in nodes:
            for side in (-1, 1):
                if at < len(tree):
                    if tree[at] is not None:
                        nodes.append((row + 1, column + side, tree[at]))
                    at += 1
        nodes.sort()
        wanted = sorted({column for _, column, _ in nodes})
        return [[value for _, column, value in nodes if column == one] for one in wanted]
