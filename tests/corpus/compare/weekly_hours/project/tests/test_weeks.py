import unittest
from datetime import date, timedelta

from timesheet.weeks import weekly_minutes


class WeeklyMinutesTest(unittest.TestCase):
    def setUp(self):
        first = date(2023, 11, 20)
        self.entries = [(first + timedelta(days=i * 3 % 71), 30 + i % 9 * 15) for i in range(150)]

    def test_all_minutes_are_there(self):
        weeks = weekly_minutes(self.entries)
        self.assertEqual(sum(weeks.values()), sum(minutes for _, minutes in self.entries))

    def test_order(self):
        weeks = list(weekly_minutes(self.entries))
        self.assertEqual(weeks, sorted(weeks))

    def test_year_of_the_week(self):
        self.assertEqual(weekly_minutes([(date(2021, 1, 3), 60)]), {(2020, 53): 60})

    def test_same_week(self):
        monday = date(2024, 2, 5)
        self.assertEqual(weekly_minutes([(monday, 5), (monday + timedelta(days=6), 7)]), {(2024, 6): 12})

    def test_empty(self):
        self.assertEqual(weekly_minutes([]), {})
