class Solution:
    def solve(self, reef):
        colours, below, heights, sizes, path = [], [], [], [], []
        for sign in reef:
            if sign in "([{":
                path.append(len(colours))
                colours.append(sign)
                below.append([])
                heights.append(0)
                sizes.append(1)
                continue
            polyp = path.pop()
            if path:
                below[path[-1]].append(polyp)
                heights[path[-1]] = max(heights[path[-1]], heights[polyp] + 1)
                sizes[path[-1]] += sizes[polyp]
        layers = [[] for _ in range(max(heights) + 1)]
        for polyp, height in enumerate(heights):
            layers[height].append(polyp)
        # The ranks of lower layers are smaller, so alike branches have the same list of ranks.
        ranks, rank, best = [0] * len(colours), 0, [0, 0]
        for layer in layers:
            shapes = sorted((colours[p], sorted(ranks[b] for b in below[p]), p) for p in layer)
            before, count = None, 0
            for colour, inner, polyp in shapes:
                if (colour, inner) != before:
                    before, count = (colour, inner), 0
                    rank += 1
                count += 1
                ranks[polyp] = rank
                if count > 1:
                    best = max(best, [sizes[polyp], count])
        return best
