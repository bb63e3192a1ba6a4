class Solution:
    def solve(self, year, month):
        def leap_years(before):
            """Count the leap years from the year 1 up to a year."""
            fours, hundreds = len(range(4, before, 4)), len(range(100, before, 100))
            return fours - hundreds + len(range(400, before, 400))

        def days_before(year, month):
            """Count the days from the year 1 up to a month."""
            february = 28 + leap_years(year + 1) - leap_years(year)
            lengths = [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
            return 365 * (year - 1) + leap_years(year) + sum(lengths[: month - 1])

        following = (year, month + 1) if month < 12 else (year + 1, 1)
        return days_before(*following) - days_before(year, month)
