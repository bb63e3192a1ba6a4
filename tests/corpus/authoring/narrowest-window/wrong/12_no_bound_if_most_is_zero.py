from heapq import heappop, heappush


class Solution:
    def solve(self, windows, moments, most):
        order = sorted(range(len(windows)), key=lambda i: windows[i][0])
        answer = [-1] * len(moments)
        heap = []
        at = 0
        for j in sorted(range(len(moments)), key=lambda j: moments[j]):
            moment = moments[j]
            while at < len(order) and windows[order[at]][0] <= moment:
                i = order[at]
                left, right = windows[i]
                if not most or right - left <= most:
                    heappush(heap, (right - left, i, right))
                at += 1
            while heap and heap[0][2] < moment:
                heappop(heap)
            if heap:
                answer[j] = heap[0][1]
        return answer
