class Solution:
    def solve(self, year, month):
        def days_before(year, month):
            """Count the days from the year 1 up to a month, one month after the other."""
            lengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
            earlier = year - 1
            leap_days = earlier // 4 - earlier // 100 + earlier // 400
            days = 365 * earlier + leap_days + sum(lengths[: month - 1])
            if month > 2 and (year % 400 == 0 or (year % 4 == 0 and year % 100 != 0)):
                days += 1
            return days

        following = (year, month + 1) if month < 12 else (year + 1, 1)
        return days_before(*following) - days_before(year, month)
