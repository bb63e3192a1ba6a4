class Solution:
    def solve(self, lights):
        rows = [range(first, first + p * (n - 1) + 1, p) for first, p, n in lights]
        rows.sort(key=len)
        full = missing = 0
        for row, earlier in ((rows[0], None), (rows[1], rows[0])):
            for second in row:
                if earlier is not None and second in earlier:
                    continue
                dark = 0
                for other in rows:
                    if second not in other:
                        dark += 1
                        if dark > 1:
                            break
                if dark == 0:
                    full += 1
                elif dark == 1:
                    missing += 1
        return [full, missing]
