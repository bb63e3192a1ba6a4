def suffix_array(s):
    n = len(s)
    rank = [ord(c) for c in s]
    sa = list(range(n))
    k = 1
    while True:
        key = [(rank[i], rank[i + k] if i + k < n else -1) for i in range(n)]
        sa = sorted(range(n), key=key.__getitem__)
        new = [0] * n
        for prev, cur in zip(sa, sa[1:]):
            new[cur] = new[prev] + (key[cur] != key[prev])
        rank = new
        if rank[sa[-1]] == n - 1:
            return sa
        k *= 2


s = input().strip()
sa = suffix_array(s)
print(*sa[:10])
print(sum(i * p for i, p in enumerate(sa)) % 1000000007)
