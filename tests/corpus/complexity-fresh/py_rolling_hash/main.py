BASE = 911382323
MOD = (1 << 61) - 1


def find_all(pattern, text):
    n, m = len(pattern), len(text)
    want = 0
    for ch in pattern:
        want = (want * BASE + ord(ch)) % MOD
    top = pow(BASE, n - 1, MOD)
    have = 0
    places = []
    for i in range(m):
        if i >= n:
            have = (have - ord(text[i - n]) * top) % MOD
        have = (have * BASE + ord(text[i])) % MOD
        if i >= n - 1 and have == want and text[i - n + 1:i + 1] == pattern:
            places.append(i - n + 1)
    return places


pattern = input()
text = input()
places = find_all(pattern, text)
print(len(places))
print(*places)
