class Solution:
    def solve(self, rink, start, goal, reach):
        self.rink, self.goal, self.reach = rink, tuple(goal), reach
        self.seen = set()
        return self.push({tuple(start): 0}, 0)

    def push(self, layer, pushes):
        if not layer:
            return []
        if self.goal in layer:
            return [pushes, layer[self.goal]]
        self.seen.update(layer)
        later = {}
        for cell, cells in layer.items():
            for direction in ((-1, 0), (1, 0), (0, -1), (0, 1)):
                end, slid = self.slide(*cell, *direction)
                if end not in self.seen:
                    later[end] = min(later.get(end, cells + slid), cells + slid)
        return self.push(later, pushes + 1)

    def slide(self, r, c, dr, dc):
        slid = 0
        while slid < self.reach:
            if not (0 <= r + dr < len(self.rink) and 0 <= c + dc < len(self.rink[0])):
                break
            if self.rink[r + dr][c + dc] == "#":
                break
            r, c, slid = r + dr, c + dc, slid + 1
        return (r, c), slid
