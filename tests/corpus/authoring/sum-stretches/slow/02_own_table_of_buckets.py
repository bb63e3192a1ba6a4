class Solution:
    def solve(self, nums, goal):
        table = [[] for _ in range(4096)]
        table[0].append([0, 1])
        total = count = 0
        for x in nums:
            total += x
            for key, times in table[(total - goal) % 4096]:
                if key == total - goal:
                    count += times
                    break
            for entry in table[total % 4096]:
                if entry[0] == total:
                    entry[1] += 1
                    break
            else:
                table[total % 4096].append([total, 1])
        return count
