class Solution:
    def solve(self, first, second):
        short, long = sorted((first, second), key=len)
        half = (len(short) + len(long) + 1) // 2
        low, high = 0, len(short)
        inf = float("inf")
        while low <= high:
            i = (low + high) // 2
            j = half - i
            left_a, right_a = short[i - 1] if i else -inf, short[i] if i < len(short) else inf
            left_b, right_b = long[j - 1] if j else -inf, long[j] if j < len(long) else inf
            if left_a > right_b:
                high = i - 1
            elif left_b > right_a:
                low = i + 1
            elif (len(short) + len(long)) % 2:
                return float(max(left_a, left_b))
            else:
                return (max(left_a, left_b) + min(right_a, right_b)) / 2
