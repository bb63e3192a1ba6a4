class Solution:
    def solve(self, tree):
        if not tree:
            return []
        children, values, at = {}, [tree[0]], 1
        i = 0
        while i < len(values):
            children[i] = [None, None]
            for side in (0, 1):
                if at < len(tree):
                    if tree[at] is not None:
                        children[i][side] = len(values)
                        values.append(tree[at])
                    at += 1
            i += 1
        found = []

        def walk(i, row, column):
            if i is not None:
                found.append((column, row, values[i]))
                walk(children[i][0], row + 1, column - 1)
                walk(children[i][1], row + 1, column + 1)

        walk(0, 0, 0)
        columns = {}
        for column, row, value in sorted(found):
            columns.setdefault(column, []).append(value)
        return list(columns.values())
