MOD = 10**9 + 7


def next_row(row):
    return [1] + [(a + b) % MOD for a, b in zip(row, row[1:])] + [1]


n = int(input())
row = [1]
odd = 1
for _ in range(n):
    row = next_row(row)
    odd += sum(x & 1 for x in row)
print(row[n // 2], odd)
