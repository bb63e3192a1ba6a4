class Solution:
    def solve(self, board, size, rounds):
        rows, columns = len(board), len(board[0])
        board = [row[:] for row in board]
        for _ in range(rounds):
            seen = [[False] * columns for _ in range(rows)]
            gone = []
            for r in range(rows):
                for c in range(columns):
                    colour = board[r][c]
                    if seen[r][c]:
                        continue
                    seen[r][c] = True
                    group = [(r, c)]
                    for a, b in group:
                        for x, y in ((a - 1, b), (a + 1, b), (a, b - 1), (a, b + 1)):
                            if (
                                0 <= x < rows
                                and 0 <= y < columns
                                and board[x][y] == colour
                                and not seen[x][y]
                            ):
                                seen[x][y] = True
                                group.append((x, y))
                    if len(group) >= size:
                        gone += group
            if not gone:
                break
            for r, c in gone:
                board[r][c] = 0
            for c in range(columns):
                stones = [board[r][c] for r in range(rows) if board[r][c]]
                column = [0] * (rows - len(stones)) + stones
                for r in range(rows):
                    board[r][c] = column[r]
        return board
