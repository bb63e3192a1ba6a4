class Solution:
    def solve(self, board, size, rounds):
        cells = {
            (r, c): stone for r, row in enumerate(board) for c, stone in enumerate(row) if stone
        }
        rows, columns = len(board), len(board[0])
        for _ in range(rounds):
            gone = set()
            for cell in cells:
                group = {cell}
                while True:
                    more = {
                        (r, c)
                        for r, c in cells
                        if cells[r, c] == cells[cell]
                        and group & {(r - 1, c), (r + 1, c), (r, c - 1), (r, c + 1)}
                    }
                    if more <= group:
                        break
                    group |= more
                if len(group) >= size:
                    gone.add(cell)
            if not gone:
                break
            cells = {cell: stone for cell, stone in cells.items() if cell not in gone}
            moved = True
            while moved:
                moved = False
                for (r, c), stone in list(cells.items()):
                    if r + 1 < rows and (r + 1, c) not in cells:
                        del cells[r, c]
                        cells[r + 1, c] = stone
                        moved = True
        return [[cells.get((r, c), 0) for c in range(columns)] for r in range(rows)]
