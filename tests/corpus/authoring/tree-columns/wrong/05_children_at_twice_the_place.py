class Solution:
    def solve(self, tree):
        columns, todo = {}, [(0, 0, 0)]
        while todo:
            i, row, column = todo.pop()
            if i < len(tree) and tree[i] is not None:
                columns.setdefault(column, []).append((row, tree[i]))
                todo += [(2 * i + 1, row + 1, column - 1), (2 * i + 2, row + 1, column + 1)]
        return [[value for _, value in sorted(columns[column])] for column in sorted(columns)]
