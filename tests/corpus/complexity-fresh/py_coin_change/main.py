MOD = 10**9 + 7


def count_ways(coins, amount):
    ways = [0] * (amount + 1)
    ways[0] = 1
    for coin in coins:
        for x in range(coin, amount + 1):
            ways[x] = (ways[x] + ways[x - coin]) % MOD
    return ways[amount]


n, m = map(int, input().split())
coins = list(map(int, input().split()))
print(count_ways(coins, m))
