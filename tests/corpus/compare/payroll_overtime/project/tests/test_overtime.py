import unittest

from payroll.overtime import overtime


class OvertimeTest(unittest.TestCase):
    def test_none(self):
        self.assertEqual(overtime([8] * 60, 8), 0)

    def test_some(self):
        self.assertEqual(overtime([9, 9, 7, 8, 12], 8), 7)

    def test_in_a_row(self):
        self.assertEqual(overtime([11], 8), 4)

    def test_a_quarter(self):
        self.assertEqual(overtime([8 + i % 4 for i in range(66)], 8), 129)
