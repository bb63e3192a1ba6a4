import unittest

from weblog.levels import count_levels

NAMES = ["INFO", "DEBUG", "INFO", "WARNING", "INFO", "ERROR", "TRACE"]


def sample(size):
    return [f"2024-05-0{i % 9 + 1}T10:00:00 [{NAMES[i % 7]}] worker-{i % 4}: job {i} done" for i in range(size)]


class CountLevelsTest(unittest.TestCase):
    def test_empty(self):
        self.assertEqual(sum(count_levels([]).values()), 0)

    def test_sample(self):
        counts = count_levels(sample(70))
        self.assertEqual(counts["INFO"], 30)
        self.assertEqual(counts["CRITICAL"], 0)

    def test_unknown_level_counts_for_nothing(self):
        self.assertEqual(sum(count_levels(sample(49)).values()), 42)

    def test_comments_and_blanks(self):
        self.assertEqual(count_levels(["# [ERROR] in a comment", "  ", "[ERROR] real"])["ERROR"], 1)

    def test_first_level_of_a_line_counts(self):
        counts = count_levels(["[INFO] then [ERROR]"] * 20)
        self.assertEqual((counts["INFO"], counts["ERROR"]), (20, 0))

    def test_order(self):
        self.assertEqual(list(count_levels(["[ERROR]"]))[0], "DEBUG")
