class Solution:
    def solve(self, board, size, rounds):
        # The columns from the bottom upwards; groups by joining sets.
        height, width = len(board), len(board[0])
        columns = [list(column[::-1]) for column in zip(*board)]
        for _ in range(rounds):
            parent = list(range(height * width))

            def root(i):
                while parent[i] != i:
                    parent[i] = parent[parent[i]]
                    i = parent[i]
                return i

            for x, column in enumerate(columns):
                for y, stone in enumerate(column):
                    if stone and y and column[y - 1] == stone:
                        parent[root(x * height + y)] = root(x * height + y - 1)
                    if stone and x and columns[x - 1][y] == stone:
                        parent[root(x * height + y)] = root((x - 1) * height + y)
            count = [0] * (height * width)
            roots = [root(i) for i in range(height * width)]
            for each in roots:
                count[each] += 1
            again = False
            new = []
            for x, column in enumerate(columns):
                kept = []
                for y, stone in enumerate(column):
                    if stone:
                        if count[roots[x * height + y]] < size:
                            kept.append(stone)
                        else:
                            again = True
                new.append(kept + [0] * (height - len(kept)))
            if not again:
                break
            columns = new
        return [list(row) for row in zip(*columns)][::-1]
