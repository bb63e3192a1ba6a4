def count_ways(nums, i, remaining):
    if i == len(nums):
        return 1 if remaining == 0 else 0
    return count_ways(nums, i + 1, remaining - nums[i]) + count_ways(nums, i + 1, remaining + nums[i])


n, target = map(int, input().split())
nums = list(map(int, input().split()))
print(count_ways(nums, 0, target))
