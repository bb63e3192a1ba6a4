class Solution:
    def solve(self, windows, moments, most):
        by_length = sorted(
            (right - left, i, left, right)
            for i, (left, right) in enumerate(windows)
            if right - left <= most
        )
        answer = []
        for moment in moments:
            for _, i, left, right in by_length:
                if left <= moment <= right:
                    answer.append(i)
                    break
            else:
                answer.append(-1)
        return answer
