def is_palindrome(t):
    return t == t[::-1]


s = input()
n = len(s)
count = 0
longest = ""
for i in range(n):
    for j in range(i + 1, n + 1):
        t = s[i:j]
        if is_palindrome(t):
            count += 1
            if len(t) > len(longest):
                longest = t
print(count)
print(longest)
