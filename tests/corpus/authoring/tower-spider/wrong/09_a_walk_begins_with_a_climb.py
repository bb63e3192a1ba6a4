class Solution:
    def solve(self, stones, reach):
        rows, columns = len(stones), len(stones[0])
        numbers = [number for row in stones for number in row]
        near = []
        for r in range(rows):
            for c in range(columns):
                beside = [r * columns + (c - 1) % columns, r * columns + (c + 1) % columns]
                if r > 0:
                    beside.append((r - 1) * columns + c)
                if r + 1 < rows:
                    beside.append((r + 1) * columns + c)
                near.append(beside)
        order = sorted(range(len(numbers)), key=numbers.__getitem__)
        up_to, on_from = [0] * len(numbers), [0] * len(numbers)
        for stone in order:
            for other in near[stone]:
                if 0 < numbers[stone] - numbers[other] <= reach:
                    up_to[stone] = max(up_to[stone], up_to[other] + 1)
        for stone in reversed(order):
            for other in near[stone]:
                if 0 < numbers[other] - numbers[stone] <= reach:
                    on_from[stone] = max(on_from[stone], on_from[other] + 1)
        best = max(up_to)
        for stone in order:
            for other in near[stone]:
                if up_to[stone] and numbers[other] <= numbers[stone]:
                    best = max(best, up_to[stone] + 1 + on_from[other])
        return best
