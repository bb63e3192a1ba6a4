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
        columns = {}
        for row, column, value in sorted(nodes, key=lambda node: node[0]):
            columns.setdefault(column, []).append(value)
        return [columns[column] for column in sorted(columns)]
