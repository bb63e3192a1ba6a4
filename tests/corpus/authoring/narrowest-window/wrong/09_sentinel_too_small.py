class Solution:
    def solve(self, windows, moments, most):
        answer = []
        for moment in moments:
            best, length = -1, min(most + 1, 10**9)
            for i, (left, right) in enumerate(windows):
                if left <= moment <= right and right - left < length:
                    best, length = i, right - left
            answer.append(best)
        return answer
