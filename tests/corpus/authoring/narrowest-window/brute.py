class Solution:
    def solve(self, windows, moments, most):
        answer = []
        for moment in moments:
            fit = [
                (right - left, i)
                for i, (left, right) in enumerate(windows)
                if left <= moment <= right and right - left <= most
            ]
            answer.append(min(fit)[1] if fit else -1)
        return answer
