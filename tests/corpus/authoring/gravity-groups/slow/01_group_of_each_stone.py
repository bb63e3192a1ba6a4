class Solution:
    def solve(self, board, size, rounds):
        rows, columns = len(board), len(board[0])
        for _ in range(rounds):
            gone = []
            for r in range(rows):
                for c in range(columns):
                    if board[r][c] == 0:
                        continue
                    group = {(r, c)}
                    stack = [(r, c)]
                    while stack:
                        a, b = stack.pop()
                        for x, y in ((a - 1, b), (a + 1, b), (a, b - 1), (a, b + 1)):
                            if 0 <= x < rows and 0 <= y < columns and (x, y) not in group:
                                if board[x][y] == board[r][c]:
                                    group.add((x, y))
                                    stack.append((x, y))
                    if len(group) >= size:
                        gone.append((r, c))
            if not gone:
                break
            columns_left = []
            for c in range(columns):
                stones = [board[r][c] for r in range(rows) if board[r][c] and (r, c) not in gone]
                columns_left.append([0] * (rows - len(stones)) + stones)
            board = [list(row) for row in zip(*columns_left)]
        return board
