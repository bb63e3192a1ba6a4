class Solution:
    def solve(self, tree):
        if not tree:
            return []
        nodes, at, children = [(0, tree[0])], 1, {}
        for i, (column, value) in enumerate(nodes):
            children[i] = []
            for side in (-1, 1):
                if at < len(tree):
                    if tree[at] is not None:
                        children[i].append(len(nodes))
                        nodes.append((column + side, tree[at]))
                    at += 1
        columns, todo = {}, [0]
        while todo:
            i = todo.pop()
            columns.setdefault(nodes[i][0], []).append(nodes[i][1])
            todo += children[i][::-1]
        return [columns[column] for column in sorted(columns)]
