from collections import Counter


class Solution:
    def solve(self, board, size, rounds):
        rows, columns = len(board), len(board[0])
        board = [row[:] for row in board]
        for _ in range(rounds):
            label = {(r, c): r * columns + c for r in range(rows) for c in range(columns)}
            changed = True
            while changed:
                changed = False
                new = dict(label)
                for (r, c), number in label.items():
                    for x, y in ((r - 1, c), (r + 1, c), (r, c - 1), (r, c + 1)):
                        if (x, y) in label and board[x][y] == board[r][c] and label[x, y] < number:
                            number = new[r, c] = label[x, y]
                            changed = True
                label = new
            count = Counter(label.values())
            gone = [
                (r, c)
                for (r, c), number in label.items()
                if board[r][c] and count[number] >= size
            ]
            if not gone:
                break
            for r, c in gone:
                board[r][c] = 0
            for c in range(columns):
                stones = [row[c] for row in board if row[c]]
                for row, stone in zip(board, [0] * (rows - len(stones)) + stones):
                    row[c] = stone
        return board
