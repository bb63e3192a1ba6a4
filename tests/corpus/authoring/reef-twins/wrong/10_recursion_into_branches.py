class Solution:
    def solve(self, reef):
        kinds, sizes, counts = {}, [], []

        def read(start):
            branches = []
            place = start + 1
            while reef[place] in "([{":
                branch, place = read(place)
                branches.append(branch)
            key = (reef[start], *sorted(branches))
            kind = kinds.setdefault(key, len(kinds))
            if kind == len(sizes):
                sizes.append(1 + sum(sizes[branch] for branch in branches))
                counts.append(0)
            counts[kind] += 1
            return kind, place + 1

        place = 0
        while place < len(reef):
            _, place = read(place)
        twins = [(size, count) for size, count in zip(sizes, counts) if count > 1]
        return list(max(twins, default=(0, 0)))
