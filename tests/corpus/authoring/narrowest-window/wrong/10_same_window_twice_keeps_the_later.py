class Solution:
    def solve(self, windows, moments, most):
        answer = []
        for moment in moments:
            best, length = -1, most + 1
            for i, (left, right) in sorted((i, window) for window, i in {(a, b): k for k, (a, b) in enumerate(windows)}.items()):
                if left <= moment <= right and right - left < length:
                    best, length = i, right - left
            answer.append(best)
        return answer
