from collections import deque


class Solution:
    def solve(self, tree):
        items = iter(tree)
        root = next(items, None)
        level = deque([(root, 0)] if root is not None else [])
        left, right = [], []
        while level:
            below = deque()
            for value, column in sorted(level):
                side, at = (right, column) if column >= 0 else (left, -column - 1)
                while len(side) <= at:
                    side.append([])
                side[at].append(value)
            for value, column in level:
                for step in (-1, 1):
                    child = next(items, None)
                    if child is not None:
                        below.append((child, column + step))
            level = below
        return left[::-1] + right
