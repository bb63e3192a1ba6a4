class Solution:
    def solve(self, year, month):
        if month == 2:
            return 29 if year % 4 == 0 and year % 100 != 0 else 28
        return 30 if month in (4, 6, 9, 11) else 31
