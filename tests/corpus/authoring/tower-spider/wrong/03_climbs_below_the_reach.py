class Solution:
    def solve(self, stones, reach):
        rows, columns = len(stones), len(stones[0])
        climbs, slips, arrivals = {}, {}, {}
        for r, row in enumerate(stones):
            for c, number in enumerate(row):
                climbs[r, c], slips[r, c] = [], []
                beside = {(r, (c + 1) % columns), (r, c - 1 if c else columns - 1)}
                beside |= {(y, c) for y in (r - 1, r + 1) if 0 <= y < rows}
                for y, x in beside:
                    if stones[y][x] <= number:
                        slips[r, c].append((y, x))
                    elif stones[y][x] < number + reach:
                        climbs[r, c].append((y, x))
                        arrivals[y, x] = arrivals.get((y, x), 0) + 1
        ready = [stone for stone in climbs if stone not in arrivals]
        careful = dict.fromkeys(climbs, 0)
        for stone in ready:
            for other in climbs[stone]:
                careful[other] = max(careful[other], careful[stone] + 1)
                arrivals[other] -= 1
                if not arrivals[other]:
                    ready.append(other)
        # Now the walks with a slip, in the same order.
        slipped = dict.fromkeys(climbs, 0)
        for stone in ready:
            for other in slips[stone]:
                slipped[other] = max(slipped[other], careful[stone] + 1)
        for stone in ready:
            if slipped[stone]:
                for other in climbs[stone]:
                    slipped[other] = max(slipped[other], slipped[stone] + 1)
        return max(*careful.values(), *slipped.values())
