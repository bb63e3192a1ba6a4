class Solution:
    def solve(self, table, k):
        def merge(one, two):
            out, i = [], 0
            for x in one:
                while i < len(two) and two[i] < x:
                    out.append(two[i])
                    i += 1
                out.append(x)
            return out

        rows = list(table)
        while len(rows) > 1:
            rows.append(merge(rows.pop(0), rows.pop(0)))
        return rows[0][min(k, len(rows[0])) - 1]
