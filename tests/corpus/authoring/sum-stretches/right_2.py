from bisect import bisect_left
from collections import defaultdict
from itertools import accumulate


class Solution:
    def solve(self, nums, goal):
        places = defaultdict(list)
        for i, total in enumerate(accumulate(nums, initial=0)):
            places[total].append(i)
        count = 0
        for total, ends in places.items():
            starts = places.get(total - goal, ())
            count += sum(bisect_left(starts, end) for end in ends)
        return count
