class Solution:
    def solve(self, coins, amount):
        best, todo = amount + 1, [(0, amount, 0)]
        coins = sorted(coins, reverse=True)
        while todo:
            i, rest, count = todo.pop()
            if rest == 0:
                best = min(best, count)
            elif i < len(coins):
                for k in range(rest // coins[i] + 1):
                    todo.append((i + 1, rest - k * coins[i], count + k))
        return best if best <= amount else -1
