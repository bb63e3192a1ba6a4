import unittest

from readability.syllables import score

EASY = "the cat sat on the mat and the dog ran to the big red barn " * 4
HARD = "institutional considerations necessitate comprehensive administrative reorganisation " * 4


class ScoreTest(unittest.TestCase):
    def test_easy(self):
        self.assertLess(score(EASY), 120)

    def test_hard(self):
        self.assertGreater(score(HARD), 400)

    def test_order(self):
        self.assertLess(score(EASY), score(HARD))

    def test_same_again(self):
        self.assertEqual(score(EASY), score(EASY))

    def test_no_words(self):
        self.assertEqual(score("the of"), 0)
        self.assertEqual(score(""), 0)
