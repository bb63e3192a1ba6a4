import unittest

from depot.orders import missing, reserve


class ReserveTest(unittest.TestCase):
    def setUp(self):
        self.stock = {f"a{i}": i % 9 for i in range(100)}

    def test_all_there(self):
        self.assertEqual(reserve(self.stock, {"a8": 8, "a7": 1}), {"a8": 8, "a7": 1})

    def test_some_there(self):
        wanted = {f"a{i}": 5 for i in range(0, 100, 3)}
        self.assertTrue(all(count <= 5 for count in reserve(self.stock, wanted).values()))

    def test_unknown(self):
        self.assertEqual(reserve(self.stock, {"zz": 2}), {"zz": 0})

    def test_missing(self):
        self.assertEqual(missing(self.stock, {"a1": 2, "a5": 5}), ["a1"])
