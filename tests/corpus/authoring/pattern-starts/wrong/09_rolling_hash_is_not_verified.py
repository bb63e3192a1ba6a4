class Solution:
    def solve(self, text, pattern):
        base, prime, m, out = 26, 1009, len(pattern), []
        if m > len(text):
            return out
        goal = here = 0
        for a, b in zip(pattern, text):
            goal = (goal * base + ord(a) - 97) % prime
            here = (here * base + ord(b) - 97) % prime
        top = pow(base, m - 1, prime)
        for i in range(len(text) - m + 1):
            if here == goal:
                out.append(i)
            if i + m < len(text):
                here = ((here - (ord(text[i]) - 97) * top) * base + ord(text[i + m]) - 97) % prime
        return out
