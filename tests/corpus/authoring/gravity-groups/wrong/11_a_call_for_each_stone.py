class Solution:
    def solve(self, board, size, rounds):
        rows, columns = len(board), len(board[0])
        board = [row[:] for row in board]

        def visit(r, c, colour, group):
            if 0 <= r < rows and 0 <= c < columns and board[r][c] == colour and (r, c) not in group:
                group.add((r, c))
                visit(r - 1, c, colour, group)
                visit(r + 1, c, colour, group)
                visit(r, c - 1, colour, group)
                visit(r, c + 1, colour, group)

        for _ in range(rounds):
            seen, gone = set(), set()
            for r in range(rows):
                for c in range(columns):
                    if board[r][c] and (r, c) not in seen:
                        group = set()
                        visit(r, c, board[r][c], group)
                        seen |= group
                        if len(group) >= size:
                            gone |= group
            if not gone:
                break
            for c in range(columns):
                stones = [board[r][c] for r in range(rows) if board[r][c] and (r, c) not in gone]
                column = [0] * (rows - len(stones)) + stones
                for r in range(rows):
                    board[r][c] = column[r]
        return board
