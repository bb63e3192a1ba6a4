"""Constraint lines as statements of problems have them, each read a second time by hand.

The second reading is plain Python: loops over the values, nothing of the product. Each line has
valid arguments, from which a test makes others.
"""

from collections.abc import Callable
from typing import Any, NamedTuple


class Reading(NamedTuple):
    """A line, and what it means."""

    text: str
    parameters: dict[str, str]
    good: list[Any]
    """Valid arguments."""
    holds: Callable[..., bool]


READINGS: list[Reading] = []


def reading(text: str, parameters: str, *good: Any) -> Callable[[Callable[..., bool]], None]:
    """Register the second reading of a line: `nums: list[int]; k: int`."""
    pairs = (each.split(":") for each in parameters.split(";"))
    kinds = {name.strip(): kind.strip() for name, kind in pairs}

    def register(holds: Callable[..., bool]) -> None:
        READINGS.append(Reading(text, kinds, list(good), holds))

    return register


def within(items: Any, low: float, high: float) -> bool:
    """Return whether each item is in a range."""
    for item in items:
        if item < low or item > high:
            return False
    return True


def only(text: str, letters: str) -> bool:
    """Return whether a text has only some letters."""
    for char in text:
        found = False
        for letter in letters:
            if char == letter:
                found = True
        if not found:
            return False
    return True


def repeats(items: Any) -> bool:
    """Return whether two items are equal."""
    for one in range(len(items)):
        for other in range(one):
            if items[one] == items[other]:
                return True
    return False


def climbs(items: Any, *, strictly: bool) -> bool:
    """Return whether the items are in ascending order."""
    for at in range(1, len(items)):
        if items[at] < items[at - 1] or (strictly and items[at] == items[at - 1]):
            return False
    return True


def count(items: Any, wanted: Any) -> int:
    """Return how many items equal a value."""
    found = 0
    for item in items:
        if item == wanted:
            found += 1
    return found


def reached(n: int, edges: Any, first: int) -> int:
    """Return the number of nodes that are connected with the first one."""
    seen = [first]
    for node in seen:
        for edge in edges:
            for one, other in ((edge[0], edge[1]), (edge[1], edge[0])):
                if one == node and other not in seen:
                    seen.append(other)
    return len(seen) if n else 0


LOWER, UPPER = "abcdefghijklmnopqrstuvwxyz", "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
DIGITS = "0123456789"

# ------------------------------------------------------------------------------ single numbers


@reading("1 <= n <= 10**5", "n: int", 7)
def _(n: int) -> bool:
    return n >= 1 and n <= 100_000


@reading("-2**31 <= x <= 2**31 - 1", "x: int", -5)
def _(x: int) -> bool:
    return x >= -2147483648 and x <= 2147483647


@reading("0 <= n < 2**63", "n: int", 9)
def _(n: int) -> bool:
    return n >= 0 and n <= 9223372036854775807


@reading("1 <= n, m <= 50", "n: int; m: int", 3, 4)
def _(n: int, m: int) -> bool:
    return n >= 1 and m >= 1 and n <= 50 and m <= 50


@reading("1 <= a, b, c <= 100", "a: int; b: int; c: int", 3, 4, 5)
def _(a: int, b: int, c: int) -> bool:
    return within([a, b, c], 1, 100)


@reading("0 <= start, end < n", "n: int; start: int; end: int", 5, 0, 4)
def _(n: int, start: int, end: int) -> bool:
    return start >= 0 and start < n and end >= 0 and end < n


@reading("0 <= source, target < len(graph)", "graph: list[list[int]]; source: int; target: int",
         [[1], [0], []], 0, 2)
def _(graph: Any, source: int, target: int) -> bool:
    return 0 <= source and source < len(graph) and 0 <= target and target < len(graph)


@reading(
    "0 <= left <= right < len(nums)", "nums: list[int]; left: int; right: int", [1, 2, 3], 0, 2
)
def _(nums: Any, left: int, right: int) -> bool:
    return left >= 0 and left <= right and right < len(nums)


@reading("1 <= k <= n <= 30", "n: int; k: int", 9, 3)
def _(n: int, k: int) -> bool:
    return k >= 1 and k <= n and n <= 30


@reading("n % 2 == 0", "n: int", 4)
def _(n: int) -> bool:
    return n // 2 * 2 == n


@reading("n % 4 != 0 or n == 0", "n: int", 5)
def _(n: int) -> bool:
    return n == 0 or n // 4 * 4 != n


@reading("a != b", "a: int; b: int", 1, 2)
def _(a: int, b: int) -> bool:
    return a < b or a > b


@reading("a + b > c and a + c > b and b + c > a", "a: int; b: int; c: int", 3, 4, 5)
def _(a: int, b: int, c: int) -> bool:
    longest = a
    for each in (b, c):
        if each > longest:
            longest = each
    return a + b + c - longest > longest and a + b > c and a + c > b and b + c > a


@reading("x != 0 or n > 0", "x: float; n: int", 0.0, 1)
def _(x: float, n: int) -> bool:
    return not (x == 0 and n <= 0)


@reading("-100.0 < x < 100.0", "x: float", 1.5)
def _(x: float) -> bool:
    return x > -100 and x < 100


@reading("is_prime(p)", "p: int", 7)
def _(p: int) -> bool:
    for d in range(2, 400):
        if d * d <= p and p % d == 0:
            return False
    return p >= 2


@reading("gcd(a, b) == 1", "a: int; b: int", 8, 9)
def _(a: int, b: int) -> bool:
    a, b = abs(a), abs(b)
    while b:
        a, b = b, a % b
    return a == 1


@reading("n & (n - 1) == 0 and n > 0", "n: int", 8)
def _(n: int) -> bool:
    power = 1
    while power < n:
        power *= 2
    return power == n


@reading("1 <= low <= high <= 10**9", "low: int; high: int", 1, 9)
def _(low: int, high: int) -> bool:
    return low >= 1 and high >= low and high <= 1_000_000_000


@reading("1 <= n and 1 <= k <= min(n, 10)", "n: int; k: int", 12, 10)
def _(n: int, k: int) -> bool:
    return n >= 1 and k >= 1 and k <= n and k <= 10


@reading("abs(x) + abs(y) <= 20", "x: int; y: int", -3, 5)
def _(x: int, y: int) -> bool:
    return (x if x > 0 else -x) + (y if y > 0 else -y) <= 20


@reading("n * m <= 100", "n: int; m: int", 5, 20)
def _(n: int, m: int) -> bool:
    return n * m < 101


@reading("day in range(1, 8)", "day: int", 7)
def _(day: int) -> bool:
    return day >= 1 and day <= 7


@reading("not (a == 0 and b == 0)", "a: int; b: int", 0, 1)
def _(a: int, b: int) -> bool:
    return a != 0 or b != 0


@reading("1 <= month <= 12 and 1 <= day <= 31", "month: int; day: int", 2, 28)
def _(month: int, day: int) -> bool:
    return 1 <= month and month <= 12 and 1 <= day and day <= 31


@reading("limit is None or 1 <= limit <= 9", "limit: int | None", None)
def _(limit: int | None) -> bool:
    if limit is None:
        return True
    return limit >= 1 and limit <= 9


@reading("9 >= a, b >= 0", "a: int; b: int", 3, 4)
def _(a: int, b: int) -> bool:
    return within([a, b], 0, 9)


@reading("0 < a, b < n", "n: int; a: int; b: int", 9, 1, 8)
def _(n: int, a: int, b: int) -> bool:
    return 0 < a and a < n and 0 < b and b < n


@reading("1 <= n <= 9, 1 <= m <= 5", "n: int; m: int", 9, 5)
def _(n: int, m: int) -> bool:
    return 1 <= n and n <= 9 and 1 <= m and m <= 5


@reading("0 <= r < len(grid) and 0 <= c < len(grid[0])", "grid: list[list[int]]; r: int; c: int",
         [[1, 2], [3, 4]], 0, 1)
def _(grid: Any, r: int, c: int) -> bool:
    return len(grid) > 0 and r >= 0 and r < len(grid) and c >= 0 and c < len(grid[0])


# ----------------------------------------------------------------------------- items of one list


@reading("1 <= len(nums) <= 1000", "nums: list[int]", [1])
def _(nums: Any) -> bool:
    return len(nums) >= 1 and len(nums) <= 1000


@reading("-10**9 <= nums[i] <= 10**9", "nums: list[int]", [1, -7])
def _(nums: Any) -> bool:
    return within(nums, -(10**9), 10**9)


@reading("1 <= nums[i] <= len(nums)", "nums: list[int]", [2, 1])
def _(nums: Any) -> bool:
    return within(nums, 1, len(nums))


@reading("0 <= nums[i] < n", "n: int; nums: list[int]", 4, [0, 3])
def _(n: int, nums: Any) -> bool:
    return within(nums, 0, n - 1)


@reading("nums[i] != 0", "nums: list[int]", [3, -1])
def _(nums: Any) -> bool:
    return count(nums, 0) == 0


@reading("nums[i] in [0, 1, 2]", "nums: list[int]", [0, 2])
def _(nums: Any) -> bool:
    return within(nums, 0, 2)


@reading("nums[i] % 2 == 1", "nums: list[int]", [1, 3])
def _(nums: Any) -> bool:
    for x in nums:
        if x // 2 * 2 == x:
            return False
    return True


@reading("nums[i] <= nums[i + 1]", "nums: list[int]", [1, 1, 2])
def _(nums: Any) -> bool:
    return climbs(nums, strictly=False)


@reading("nums[i] < nums[i + 1]", "nums: list[int]", [1, 2, 5])
def _(nums: Any) -> bool:
    return climbs(nums, strictly=True)


@reading("nums[i - 1] < nums[i]", "nums: list[int]", [1, 2, 5])
def _(nums: Any) -> bool:
    return climbs(nums, strictly=True)


@reading("nums[i] >= nums[i + 1]", "nums: list[int]", [5, 2, 2])
def _(nums: Any) -> bool:
    return climbs(nums[::-1], strictly=False)


@reading("nums[i] != nums[i + 1]", "nums: list[int]", [5, 2, 5])
def _(nums: Any) -> bool:
    for at in range(len(nums) - 1):
        if nums[at] == nums[at + 1]:
            return False
    return True


@reading("abs(nums[i] - nums[i + 1]) <= 1", "nums: list[int]", [5, 4, 4])
def _(nums: Any) -> bool:
    for at in range(len(nums) - 1):
        if nums[at] - nums[at + 1] > 1 or nums[at + 1] - nums[at] > 1:
            return False
    return True


@reading("nums[i] != nums[j]", "nums: list[int]", [5, 2, 4])
def _(nums: Any) -> bool:
    return not repeats(nums)


@reading("1 <= nums[i] <= nums[i + 1] <= 9", "nums: list[int]", [1, 3, 9])
def _(nums: Any) -> bool:
    return within(nums, 1, 9) and climbs(nums, strictly=False)


@reading("0 <= nums[i - 1] <= 9", "nums: list[int]", [0, 9])
def _(nums: Any) -> bool:
    return within(nums, 0, 9)


@reading("0 <= arr[i + 1] < 10", "arr: list[int]", [0, 9])
def _(arr: Any) -> bool:
    return within(arr, 0, 9)


@reading("0 <= nums[i] and nums[i] <= 5", "nums: list[int]", [0, 5])
def _(nums: Any) -> bool:
    return within(nums, 0, 5)


@reading("not (nums[i] < 0 or nums[i] > 5)", "nums: list[int]", [0, 5])
def _(nums: Any) -> bool:
    return within(nums, 0, 5)


@reading("nums[i] == -1 or 1 <= nums[i] <= 9", "nums: list[int]", [-1, 9])
def _(nums: Any) -> bool:
    for x in nums:
        if x != -1 and (x < 1 or x > 9):
            return False
    return True


@reading("len(nums) == 0 or nums[i] > 0", "nums: list[int]", [1])
def _(nums: Any) -> bool:
    return within(nums, 1, 10**30)


@reading("k == 0 or nums[i] > 0", "nums: list[int]; k: int", [1], 3)
def _(nums: Any, k: int) -> bool:
    return k == 0 or within(nums, 1, 10**30)


@reading("1 <= k <= nums[i]", "nums: list[int]; k: int", [3, 4], 2)
def _(nums: Any, k: int) -> bool:
    return k >= 1 and within(nums, k, 10**30)


@reading("1 <= k <= len(nums) and nums[i] >= 0", "nums: list[int]; k: int", [3, 4], 2)
def _(nums: Any, k: int) -> bool:
    return k >= 1 and k <= len(nums) and within(nums, 0, 10**30)


@reading("0 <= parent[i] < i or parent[i] == -1", "parent: list[int]", [-1, 0, 1])
def _(parent: Any) -> bool:
    for i in range(len(parent)):
        if parent[i] != -1 and not (parent[i] >= 0 and parent[i] < i):
            return False
    return True


@reading("i <= nums[i] <= i + 3", "nums: list[int]", [0, 3, 2])
def _(nums: Any) -> bool:
    for i in range(len(nums)):
        if nums[i] < i or nums[i] > i + 3:
            return False
    return True


@reading("heap[i] <= heap[2 * i + 1]", "heap: list[int]", [1, 2, 3, 4])
def _(heap: Any) -> bool:
    for i in range(len(heap)):
        if 2 * i + 1 < len(heap) and heap[2 * i + 1] < heap[i]:
            return False
    return True


@reading("nums[i] < nums[i + k]", "nums: list[int]; k: int", [1, 2, 3], 2)
def _(nums: Any, k: int) -> bool:
    for i in range(len(nums)):
        if i + k >= 0 and i + k < len(nums) and nums[i] >= nums[i + k]:
            return False
    return True


@reading("a[i] == a[len(a) - 1 - i]", "a: list[int]", [1, 2, 1])
def _(a: Any) -> bool:
    for i in range(len(a)):
        if a[i] != a[len(a) - i - 1]:
            return False
    return True


@reading("p[p[i]] == i", "p: list[int]", [1, 0, 2])
def _(p: Any) -> bool:
    for i in range(len(p)):
        at = p[i]
        if at < -len(p) or at >= len(p) or p[at] != i:
            return False
    return True


@reading("len(set(nums)) == len(nums)", "nums: list[int]", [1, 2])
def _(nums: Any) -> bool:
    return not repeats(nums)


@reading("sorted(nums) == nums", "nums: list[int]", [1, 2])
def _(nums: Any) -> bool:
    return climbs(nums, strictly=False)


@reading("sorted(nums, reverse=True) == nums", "nums: list[int]", [2, 1])
def _(nums: Any) -> bool:
    return climbs(nums[::-1], strictly=False)


@reading("sorted(perm) == list(range(1, len(perm) + 1))", "perm: list[int]", [2, 1, 3])
def _(perm: Any) -> bool:
    for x in range(1, len(perm) + 1):
        if count(perm, x) != 1:
            return False
    return True


@reading("sorted(perm) == list(range(n))", "n: int; perm: list[int]", 3, [2, 0, 1])
def _(n: int, perm: Any) -> bool:
    for x in range(n):
        if count(perm, x) != 1:
            return False
    return len(perm) == (n if n > 0 else 0)


@reading("is_permutation(perm, 0)", "perm: list[int]", [2, 0, 1])
def _(perm: Any) -> bool:
    for x in range(len(perm)):
        if count(perm, x) != 1:
            return False
    return True


@reading("sum(nums) % 2 == 0", "nums: list[int]", [1, 3])
def _(nums: Any) -> bool:
    odd = 0
    for x in nums:
        odd += x % 2
    return odd % 2 == 0


@reading("sum(nums) <= 20", "nums: list[int]", [9, 3])
def _(nums: Any) -> bool:
    total = 0
    for x in nums:
        total += x
    return total <= 20


@reading("max(nums) <= sum(weights)", "nums: list[int]; weights: list[int]", [3], [1, 2])
def _(nums: Any, weights: Any) -> bool:
    total = 0
    for x in weights:
        total += x
    return len(nums) > 0 and within(nums, -(10**30), total)


@reading("nums.count(target) == 1", "nums: list[int]; target: int", [9, 3], 3)
def _(nums: Any, target: int) -> bool:
    return count(nums, target) == 1


@reading("target in nums", "nums: list[int]; target: int", [9, 3], 3)
def _(nums: Any, target: int) -> bool:
    return count(nums, target) > 0


@reading("any(nums.count(x) > len(nums) // 2 for x in nums)", "nums: list[int]", [3, 3, 1])
def _(nums: Any) -> bool:
    for x in nums:
        if count(nums, x) * 2 > len(nums):
            return True
    return False


@reading("all(nums.count(x) <= 2 for x in nums)", "nums: list[int]", [3, 3, 1])
def _(nums: Any) -> bool:
    for x in nums:
        if count(nums, x) > 2:
            return False
    return True


@reading("sum(1 for x in nums if nums.count(x) == 1) == 1", "nums: list[int]", [3, 3, 1])
def _(nums: Any) -> bool:
    single = 0
    for x in nums:
        if count(nums, x) == 1:
            single += 1
    return single == 1


@reading("len(nums) % 2 == 1 and nums[0] != nums[-1]", "nums: list[int]", [1, 2, 3])
def _(nums: Any) -> bool:
    if len(nums) in (0, 2, 4, 6, 8, 10, 12):
        return False
    return len(nums) % 2 == 1 and nums[0] != nums[len(nums) - 1]


@reading("nums[0] == 0", "nums: list[int]", [0, 4])
def _(nums: Any) -> bool:
    for x in nums:
        return x == 0
    return False


@reading("all(x > 0 for x in nums[1:])", "nums: list[int]", [-4, 4])
def _(nums: Any) -> bool:
    for at in range(1, len(nums)):
        if nums[at] < 1:
            return False
    return True


@reading("all(a < b for a, b in zip(nums, nums[1:]))", "nums: list[int]", [1, 4])
def _(nums: Any) -> bool:
    return climbs(nums, strictly=True)


@reading("all(b - a >= 2 for a, b in pairwise(nums))", "nums: list[int]", [1, 4])
def _(nums: Any) -> bool:
    for at in range(len(nums) - 1):
        if nums[at + 1] - nums[at] < 2:
            return False
    return True


@reading("all(i == 0 or x > nums[i - 1] for i, x in enumerate(nums))", "nums: list[int]", [1, 4])
def _(nums: Any) -> bool:
    return climbs(nums, strictly=True)


@reading("min(nums) >= 1", "nums: list[int]", [1, 4])
def _(nums: Any) -> bool:
    return len(nums) > 0 and within(nums, 1, 10**30)


@reading("min(nums, default=1) >= 1", "nums: list[int]", [1, 4])
def _(nums: Any) -> bool:
    return within(nums, 1, 10**30)


@reading("0.0 <= prices[i] <= 9.5", "prices: list[float]", [0.5, 9.5])
def _(prices: Any) -> bool:
    return within(prices, 0, 9.5)


@reading("values[i] is None or 0 <= values[i] <= 9", "values: list[int | None]", [None, 3])
def _(values: Any) -> bool:
    for value in values:
        if value is not None and (value < 0 or value > 9):
            return False
    return True


@reading("prod(nums) <= 50", "nums: list[int]", [2, 5])
def _(nums: Any) -> bool:
    total = 1
    for x in nums:
        total *= x
    return total <= 50


@reading("set(nums) <= {1, 2, 3}", "nums: list[int]", [2, 3])
def _(nums: Any) -> bool:
    return within(nums, 1, 3)


# --------------------------------------------------------------------------------- several lists


@reading("1 <= a[i], b[i] <= 9", "a: list[int]; b: list[int]", [1], [5, 7])
def _(a: Any, b: Any) -> bool:
    return within(a, 1, 9) and within(b, 1, 9)


@reading("0 <= a[i], b[i], c[i] <= 9", "a: list[int]; b: list[int]; c: list[int]", [1], [5, 7], [])
def _(a: Any, b: Any, c: Any) -> bool:
    return within(a, 0, 9) and within(b, 0, 9) and within(c, 0, 9)


@reading("0 <= a[i], b[j] <= n", "a: list[int]; b: list[int]; n: int", [1], [5, 7], 8)
def _(a: Any, b: Any, n: int) -> bool:
    return within(a, 0, n) and within(b, 0, n)


@reading("1 <= a[i] <= 9 and 1 <= b[i] <= 9", "a: list[int]; b: list[int]", [1], [5, 7])
def _(a: Any, b: Any) -> bool:
    return within(a, 1, 9) and within(b, 1, 9)


@reading("not (a[i] < 0 or b[i] > 9)", "a: list[int]; b: list[int]", [1], [5, 7])
def _(a: Any, b: Any) -> bool:
    return within(a, 0, 10**30) and within(b, -(10**30), 9)


@reading("0 <= a[i] < b[i] <= 9", "a: list[int]; b: list[int]", [1], [5, 7])
def _(a: Any, b: Any) -> bool:
    for i in range(len(a)):
        if i < len(b) and a[i] >= b[i]:
            return False
    return within(a, 0, 10**30) and within(b, -(10**30), 9)


@reading("start[i] <= end[i]", "start: list[int]; end: list[int]", [1, 2], [1, 5])
def _(start: Any, end: Any) -> bool:
    for i in range(min(len(start), len(end))):
        if start[i] > end[i]:
            return False
    return True


@reading("len(a) == len(b) and a[i] != b[i]", "a: list[int]; b: list[int]", [1, 2], [2, 1])
def _(a: Any, b: Any) -> bool:
    if len(a) != len(b):
        return False
    for i in range(len(a)):
        if a[i] == b[i]:
            return False
    return True


@reading("1 <= weights[i] <= capacity and 0 <= values[i]",
         "weights: list[int]; values: list[int]; capacity: int", [1, 2], [7], 3)
def _(weights: Any, values: Any, capacity: int) -> bool:
    return within(weights, 1, capacity) and within(values, 0, 10**30)


@reading("n == 0 or (a[i] > 0 and b[i] > 0)", "a: list[int]; b: list[int]; n: int", [1], [2, 3], 4)
def _(a: Any, b: Any, n: int) -> bool:
    return n == 0 or (within(a, 1, 10**30) and within(b, 1, 10**30))


@reading("a[i] == 0 or b[i] == 0", "a: list[int]; b: list[int]", [0, 2], [2, 0])
def _(a: Any, b: Any) -> bool:
    for i in range(min(len(a), len(b))):
        if a[i] != 0 and b[i] != 0:
            return False
    return True


@reading("a[i] + b[i] <= 9", "a: list[int]; b: list[int]", [0, 2], [2, 0])
def _(a: Any, b: Any) -> bool:
    for i in range(min(len(a), len(b))):
        if a[i] + b[i] > 9:
            return False
    return True


@reading("a[i - 1] <= b[i]", "a: list[int]; b: list[int]", [0, 2], [9, 0, 5])
def _(a: Any, b: Any) -> bool:
    for i in range(1, len(b)):
        if i - 1 < len(a) and a[i - 1] > b[i]:
            return False
    return True


@reading("a[i] != b[j]", "a: list[int]; b: list[int]", [0, 2], [9, 5])
def _(a: Any, b: Any) -> bool:
    for x in a:
        if count(b, x):
            return False
    return True


@reading("set(a) <= set(b)", "a: list[int]; b: list[int]", [0, 2], [2, 5, 0])
def _(a: Any, b: Any) -> bool:
    for x in a:
        if not count(b, x):
            return False
    return True


@reading("sorted(a) == sorted(b)", "a: list[int]; b: list[int]", [0, 2], [2, 0])
def _(a: Any, b: Any) -> bool:
    for x in a:
        if count(a, x) != count(b, x):
            return False
    return len(a) == len(b)


@reading("is_subsequence(a, b)", "a: list[int]; b: list[int]", [0, 2], [1, 0, 3, 2])
def _(a: Any, b: Any) -> bool:
    at = 0
    for x in b:
        if at < len(a) and a[at] == x:
            at += 1
    return at == len(a)


@reading("1 <= len(a) <= len(b) <= 6", "a: list[int]; b: list[int]", [0, 2], [1, 0, 3])
def _(a: Any, b: Any) -> bool:
    return len(a) >= 1 and len(a) <= len(b) and len(b) <= 6


@reading("1 <= len(a), len(b) <= 3", "a: list[int]; b: list[int]", [0, 2], [1, 0, 3])
def _(a: Any, b: Any) -> bool:
    return len(a) in (1, 2, 3) and len(b) in (1, 2, 3)


@reading("all(x in nums for x in queries)", "nums: list[int]; queries: list[int]", [0, 2], [2, 2])
def _(nums: Any, queries: Any) -> bool:
    for x in queries:
        if not count(nums, x):
            return False
    return True


@reading("sum(gas[i] for i in range(len(gas))) >= sum(cost)", "gas: list[int]; cost: list[int]",
         [5], [2, 2])
def _(gas: Any, cost: Any) -> bool:
    left = 0
    for x in gas:
        left += x
    for x in cost:
        left -= x
    return left >= 0


@reading(
    "all(l <= r for l, r in zip(left, right))", "left: list[int]; right: list[int]", [5], [7, 2]
)
def _(left: Any, right: Any) -> bool:
    for i in range(min(len(left), len(right))):
        if left[i] > right[i]:
            return False
    return True


@reading("all(0 <= w[i] <= 9 and 0 <= v[i] for w in rows)", "rows: list[list[int]]; v: list[int]",
         [[1, 2], []], [4])
def _(rows: Any, v: Any) -> bool:
    for row in rows:
        if not within(row, 0, 9) or not within(v, 0, 10**30):
            return False
    return True


# ------------------------------------------------------------------------------ rows and tables


@reading("1 <= len(grid), len(grid[0]) <= 4", "grid: list[list[int]]", [[1], [2]])
def _(grid: Any) -> bool:
    if len(grid) == 0:
        return False
    return len(grid) <= 4 and len(grid[0]) >= 1 and len(grid[0]) <= 4


@reading("0 <= grid[i][j] <= 9", "grid: list[list[int]]", [[1], [2, 3]])
def _(grid: Any) -> bool:
    for row in grid:
        if not within(row, 0, 9):
            return False
    return True


@reading("grid[i][j] in (0, 1)", "grid: list[list[int]]", [[1], [0, 1]])
def _(grid: Any) -> bool:
    for row in grid:
        if not within(row, 0, 1):
            return False
    return True


@reading("len(grid[i]) == len(grid[0])", "grid: list[list[int]]", [[1], [0]])
def _(grid: Any) -> bool:
    for row in grid:
        for other in grid:
            if len(row) != len(other):
                return False
    return True


@reading("len(grid[i]) == len(grid)", "grid: list[list[int]]", [[1, 2], [0, 4]])
def _(grid: Any) -> bool:
    for row in grid:
        if len(row) != len(grid):
            return False
    return True


@reading(
    "len(matrix[i]) == 2 and 0 <= matrix[i][j] <= 9", "matrix: list[list[int]]", [[1, 2], [0, 4]]
)
def _(matrix: Any) -> bool:
    for row in matrix:
        if len(row) != 2 or not within(row, 0, 9):
            return False
    return True


@reading("1 <= len(rows[i]) <= 3 and rows[i][j] >= 0", "rows: list[list[int]]", [[1, 2], [4]])
def _(rows: Any) -> bool:
    for row in rows:
        if len(row) < 1 or len(row) > 3 or not within(row, 0, 10**30):
            return False
    return True


@reading("matrix[i][j] <= matrix[i][j + 1]", "matrix: list[list[int]]", [[1, 2], [0, 4]])
def _(matrix: Any) -> bool:
    for row in matrix:
        if not climbs(row, strictly=False):
            return False
    return True


@reading("matrix[i][j] < matrix[i + 1][j]", "matrix: list[list[int]]", [[1, 2], [3, 4]])
def _(matrix: Any) -> bool:
    for up in range(len(matrix) - 1):
        for j in range(min(len(matrix[up]), len(matrix[up + 1]))):
            if matrix[up][j] >= matrix[up + 1][j]:
                return False
    return True


@reading("matrix[i][-1] < matrix[i + 1][0]", "matrix: list[list[int]]", [[1, 2], [3, 4]])
def _(matrix: Any) -> bool:
    for up in range(len(matrix) - 1):
        if not matrix[up] or not matrix[up + 1]:
            return False
        if matrix[up][len(matrix[up]) - 1] >= matrix[up + 1][0]:
            return False
    return True


@reading("matrix[i][i] == 0", "matrix: list[list[int]]", [[0, 2], [3, 0]])
def _(matrix: Any) -> bool:
    for i in range(len(matrix)):
        if i < len(matrix[i]) and matrix[i][i] != 0:
            return False
    return True


@reading("all(len(row) == n and all(0 <= x <= 9 for x in row) for row in grid)",
         "n: int; grid: list[list[int]]", 2, [[0, 2], [3, 0]])
def _(n: int, grid: Any) -> bool:
    for row in grid:
        if len(row) != n or not within(row, 0, 9):
            return False
    return True


@reading("all(len(row) == len(grid[0]) for row in grid)", "grid: list[list[int]]", [[0, 2], [3, 0]])
def _(grid: Any) -> bool:
    for at in range(1, len(grid)):
        if len(grid[at]) != len(grid[at - 1]):
            return False
    return True


@reading("all(a[i][j] == a[j][i] for i in range(len(a)) for j in range(len(a)))",
         "a: list[list[int]]", [[0, 2], [2, 0]])
def _(a: Any) -> bool:
    for i in range(len(a)):
        for j in range(len(a)):
            if j >= len(a[i]) or i >= len(a[j]) or a[i][j] != a[j][i]:
                return False
    return True


@reading("sum(row.count(2) for row in grid) == 1", "grid: list[list[int]]", [[0, 2], [3, 0]])
def _(grid: Any) -> bool:
    found = 0
    for row in grid:
        found += count(row, 2)
    return found == 1


@reading("grid[0][0] == 0 and grid[-1][-1] == 0", "grid: list[list[int]]", [[0, 2], [3, 0]])
def _(grid: Any) -> bool:
    if not grid or not grid[0] or not grid[len(grid) - 1]:
        return False
    last = grid[len(grid) - 1]
    return grid[0][0] == 0 and last[len(last) - 1] == 0


@reading("all(len(e) == 2 for e in intervals)", "intervals: list[list[int]]", [[0, 2], [3, 0]])
def _(intervals: Any) -> bool:
    for each in intervals:
        if len(each) != 2:
            return False
    return True


@reading("len(intervals[i]) == 2 and 0 <= intervals[i][0] <= intervals[i][1] <= 20",
         "intervals: list[list[int]]", [[0, 2], [3, 9]])
def _(intervals: Any) -> bool:
    for each in intervals:
        if len(each) != 2 or each[0] < 0 or each[0] > each[1] or each[1] > 20:
            return False
    return True


@reading("all(0 <= start < end <= 9 for start, end in meetings)", "meetings: list[list[int]]",
         [[0, 2], [3, 9]])
def _(meetings: Any) -> bool:
    for each in meetings:
        if len(each) != 2 or each[0] < 0 or each[0] >= each[1] or each[1] > 9:
            return False
    return True


@reading("intervals[i][0] <= intervals[i + 1][0]", "intervals: list[tuple[int, int]]",
         [[0, 2], [3, 9]])
def _(intervals: Any) -> bool:
    firsts = []
    for each in intervals:
        firsts.append(each[0])
    return climbs(firsts, strictly=False)


@reading("intervals[i][1] < intervals[i + 1][0]", "intervals: list[tuple[int, int]]",
         [[0, 2], [3, 9]])
def _(intervals: Any) -> bool:
    for at in range(1, len(intervals)):
        if intervals[at - 1][1] >= intervals[at][0]:
            return False
    return True


@reading("0 <= x, y <= 9", "x: int; y: int", 0, 9)
def _(x: int, y: int) -> bool:
    return within([x, y], 0, 9)


@reading("0 <= points[i][0], points[i][1] <= 9", "points: list[tuple[int, int]]", [[0, 9]])
def _(points: Any) -> bool:
    for point in points:
        if not within(point, 0, 9):
            return False
    return True


@reading("points[i] != points[j]", "points: list[tuple[int, int]]", [[0, 9], [9, 0]])
def _(points: Any) -> bool:
    return not repeats(points)


@reading("len({tuple(p) for p in points}) == len(points)", "points: list[list[int]]", [[0, 9], [9]])
def _(points: Any) -> bool:
    return not repeats(points)


@reading("all(-5 <= c <= 5 for p in points for c in p)", "points: list[tuple[int, int]]", [[0, 5]])
def _(points: Any) -> bool:
    for point in points:
        if not within(point, -5, 5):
            return False
    return True


@reading("all(0 <= l <= r < len(nums) for l, r in queries)",
         "nums: list[int]; queries: list[tuple[int, int]]", [4, 4, 4], [[0, 2]])
def _(nums: Any, queries: Any) -> bool:
    for query in queries:
        if query[0] < 0 or query[0] > query[1] or query[1] >= len(nums):
            return False
    return True


@reading("0 <= queries[i][0] <= queries[i][1] < len(nums)",
         "nums: list[int]; queries: list[tuple[int, int]]", [4, 4, 4], [[0, 2]])
def _(nums: Any, queries: Any) -> bool:
    for query in queries:
        if query[0] < 0 or query[0] > query[1] or query[1] >= len(nums):
            return False
    return True


@reading("items[i][0] >= 1 and len(items[i][1]) >= 1", "items: list[tuple[int, str]]", [[1, "a"]])
def _(items: Any) -> bool:
    for item in items:
        if item[0] < 1 or len(item[1]) < 1:
            return False
    return True


@reading("all(sum(row) == sum(grid[0]) for row in grid)", "grid: list[list[int]]", [[0, 2], [2]])
def _(grid: Any) -> bool:
    for row in grid:
        total = 0
        for x in row:
            total += x
        for x in grid[0]:
            total -= x
        if total:
            return False
    return True


@reading("sum(len(row) for row in rows) <= 5", "rows: list[list[int]]", [[0, 2], [2]])
def _(rows: Any) -> bool:
    total = 0
    for row in rows:
        for _each in row:
            total += 1
    return total <= 5


@reading("cost[i][j] <= limit[j]", "cost: list[list[int]]; limit: list[int]", [[1, 2], [0]], [3, 3])
def _(cost: Any, limit: Any) -> bool:
    for row in cost:
        for j in range(len(row)):
            if j < len(limit) and row[j] > limit[j]:
                return False
    return True


# ---------------------------------------------------------------------------------------- graphs


@reading("0 <= edges[i][0], edges[i][1] < n", "n: int; edges: list[tuple[int, int]]", 3, [[0, 2]])
def _(n: int, edges: Any) -> bool:
    for edge in edges:
        if not within(edge, 0, n - 1):
            return False
    return True


@reading("edges[i][0] != edges[i][1]", "edges: list[tuple[int, int]]", [[0, 2]])
def _(edges: Any) -> bool:
    for one, other in edges:
        if one == other:
            return False
    return True


@reading("all(1 <= u <= n and 1 <= v <= n and u != v for u, v in edges)",
         "n: int; edges: list[tuple[int, int]]", 3, [[1, 3]])
def _(n: int, edges: Any) -> bool:
    for one, other in edges:
        if not within([one, other], 1, n) or one == other:
            return False
    return True


@reading("all(0 <= u < v < n and 1 <= w <= 9 for u, v, w in roads)",
         "n: int; roads: list[tuple[int, int, int]]", 3, [[0, 2, 5]])
def _(n: int, roads: Any) -> bool:
    for one, other, weight in roads:
        if one < 0 or one >= other or other >= n or weight < 1 or weight > 9:
            return False
    return True


@reading("len(edges) == n - 1", "n: int; edges: list[tuple[int, int]]", 2, [[0, 1]])
def _(n: int, edges: Any) -> bool:
    return len(edges) + 1 == n


@reading("0 <= len(edges) <= n * (n - 1) // 2", "n: int; edges: list[tuple[int, int]]", 2, [[0, 1]])
def _(n: int, edges: Any) -> bool:
    pairs = 0
    for one in range(abs(n) + 1):
        pairs += one if n <= 0 else (one if one < n else 0)
    return len(edges) <= pairs


@reading("is_tree(n, edges)", "n: int; edges: list[tuple[int, int]]", 3, [[0, 1], [2, 1]])
def _(n: int, edges: Any) -> bool:
    for edge in edges:
        if not within(edge, 0, n - 1):
            return False
    return n >= 1 and len(edges) == n - 1 and reached(n, edges, 0) == n


@reading("is_tree(n, edges, 1)", "n: int; edges: list[tuple[int, int]]", 3, [[3, 1], [2, 1]])
def _(n: int, edges: Any) -> bool:
    for edge in edges:
        if not within(edge, 1, n):
            return False
    return n >= 1 and len(edges) == n - 1 and reached(n, edges, 1) == n


@reading("n >= 1 and is_connected(n, edges)", "n: int; edges: list[tuple[int, int]]", 2, [[0, 1]])
def _(n: int, edges: Any) -> bool:
    for edge in edges:
        if not within(edge, 0, n - 1):
            return False
    return n >= 1 and reached(n, edges, 0) == n


@reading("n >= 0 and is_simple(n, edges)", "n: int; edges: list[tuple[int, int]]", 3, [[0, 1]])
def _(n: int, edges: Any) -> bool:
    found = []
    for one, other in edges:
        if not within([one, other], 0, n - 1) or one == other:
            return False
        found.append((min(one, other), max(one, other)))
    return n >= 0 and not repeats(found)


@reading("len({tuple(sorted(e)) for e in edges}) == len(edges)", "edges: list[tuple[int, int]]",
         [[0, 1], [2, 1]])
def _(edges: Any) -> bool:
    found = []
    for one, other in edges:
        found.append((min(one, other), max(one, other)))
    return not repeats(found)


@reading("0 <= graph[i][j] < len(graph)", "graph: list[list[int]]", [[1], [0]])
def _(graph: Any) -> bool:
    for row in graph:
        if not within(row, 0, len(graph) - 1):
            return False
    return True


@reading("graph[i][j] != i", "graph: list[list[int]]", [[1], [0]])
def _(graph: Any) -> bool:
    for i in range(len(graph)):
        if count(graph[i], i):
            return False
    return True


@reading("all(i in graph[j] for i in range(len(graph)) for j in graph[i])", "graph: list[list[int]]",
         [[1], [0]])
def _(graph: Any) -> bool:
    for i in range(len(graph)):
        for j in graph[i]:
            if j < -len(graph) or j >= len(graph) or not count(graph[j], i):
                return False
    return True


@reading("parents[0] == -1 and all(0 <= parents[i] < i for i in range(1, len(parents)))",
         "parents: list[int]", [-1, 0, 1])
def _(parents: Any) -> bool:
    for i in range(len(parents)):
        if i == 0 and parents[i] != -1:
            return False
        if i > 0 and (parents[i] < 0 or parents[i] >= i):
            return False
    return len(parents) > 0


@reading(
    "source != target and 0 <= source, target < n", "n: int; source: int; target: int", 4, 0, 3
)
def _(n: int, source: int, target: int) -> bool:
    return source != target and within([source, target], 0, n - 1)


# ----------------------------------------------------------------------------------------- texts


@reading("1 <= len(s) <= 8", "s: str", "abc")
def _(s: str) -> bool:
    return len(s) > 0 and len(s) < 9


@reading("s[i] in 'abc'", "s: str", "abc")
def _(s: str) -> bool:
    return only(s, "abc")


@reading("'a' <= s[i] <= 'z'", "s: str", "abc")
def _(s: str) -> bool:
    return only(s, LOWER)


@reading("all('a' <= c <= 'z' or 'A' <= c <= 'Z' for c in s)", "s: str", "abcX")
def _(s: str) -> bool:
    return only(s, LOWER + UPPER)


@reading("set(s) <= set('01')", "s: str", "0110")
def _(s: str) -> bool:
    return only(s, "01")


@reading("all(c in '()[]{}' for c in s)", "s: str", "([])")
def _(s: str) -> bool:
    return only(s, "()[]{}")


@reading("s.isascii() and s.isalpha() and s.islower()", "s: str", "abc")
def _(s: str) -> bool:
    return s != "" and only(s, LOWER)


@reading("s.isascii() and s.isdigit()", "s: str", "012")
def _(s: str) -> bool:
    return s != "" and only(s, DIGITS)


@reading("num.isascii() and num.isdigit() and (num == '0' or num[0] != '0')", "num: str", "102")
def _(num: str) -> bool:
    return num != "" and only(num, DIGITS) and (len(num) == 1 or num[0] != "0")


@reading("s == s[::-1]", "s: str", "aba")
def _(s: str) -> bool:
    for i in range(len(s)):
        if s[i] != s[len(s) - 1 - i]:
            return False
    return True


@reading("s[i] != s[i + 1]", "s: str", "aba")
def _(s: str) -> bool:
    for i in range(1, len(s)):
        if s[i] == s[i - 1]:
            return False
    return True


@reading("not s.startswith(' ') and not s.endswith(' ') and '  ' not in s", "s: str", "a bc d")
def _(s: str) -> bool:
    for i in range(len(s)):
        if s[i] == " " and (i == 0 or i == len(s) - 1 or s[i - 1] == " "):
            return False
    return True


@reading("s == s.strip()", "s: str", "a bc d")
def _(s: str) -> bool:
    for i in (0, len(s) - 1):
        if s and s[i] in " \t\n\r\f\v\x1c\x1d\x1e\x1f\x85\xa0":
            return False
    return True


@reading("s.count('(') == s.count(')')", "s: str", "a()(b)")
def _(s: str) -> bool:
    return count(s, "(") == count(s, ")")


@reading("is_balanced(s) and set(s) <= set('()')", "s: str", "()(())")
def _(s: str) -> bool:
    depth = 0
    for char in s:
        depth += 1 if char == "(" else -1
        if char not in ("(", ")") or depth < 0:
            return False
    return depth == 0


@reading("len(s) == len(t) and sorted(s) == sorted(t)", "s: str; t: str", "ab", "ba")
def _(s: str, t: str) -> bool:
    for char in s + t:
        if count(s, char) != count(t, char):
            return False
    return True


@reading("1 <= len(s), len(t) <= 4", "s: str; t: str", "ab", "ba")
def _(s: str, t: str) -> bool:
    return within([len(s), len(t)], 1, 4)


@reading("s[i] in 'ab' and t[i] in 'xy'", "s: str; t: str", "ab", "x")
def _(s: str, t: str) -> bool:
    return only(s, "ab") and only(t, "xy")


@reading("is_subsequence(s, t)", "s: str; t: str", "ab", "xayb")
def _(s: str, t: str) -> bool:
    at = 0
    for char in t:
        if at < len(s) and s[at] == char:
            at += 1
    return at == len(s)


@reading("k == 0 or set(s) <= set('ab')", "s: str; k: int", "ab", 2)
def _(s: str, k: int) -> bool:
    return k == 0 or only(s, "ab")


@reading("len(set(s)) <= k", "s: str; k: int", "abab", 2)
def _(s: str, k: int) -> bool:
    kinds = 0
    for i in range(len(s)):
        if not count(s[:i], s[i]):
            kinds += 1
    return kinds <= k


@reading("len(s) % 2 == 0 and k <= len(s) // 2", "s: str; k: int", "abab", 2)
def _(s: str, k: int) -> bool:
    return len(s) // 2 * 2 == len(s) and 2 * k <= len(s)


@reading("direction in ('N', 'E', 'S', 'W')", "direction: str", "N")
def _(direction: str) -> bool:
    for each in "NESW":
        if direction == each:
            return True
    return False


@reading("len(c) == 1 and c in '.#'", "c: str", "#")
def _(c: str) -> bool:
    return c == "." or c == "#"


@reading("c in '.#'", "c: str", "#")
def _(c: str) -> bool:  # as Python has it; the product warns
    return c == "" or c == "." or c == "#" or c == ".#"


@reading("all(s.count(c) == 1 for c in s)", "s: str", "abc")
def _(s: str) -> bool:
    return not repeats(s)


@reading("s[0] != '0' and len(s) >= 1", "s: str", "10")
def _(s: str) -> bool:
    for char in s:
        return char != "0"
    return False


@reading("all(1 <= int(c) <= 9 for c in digits)", "digits: str", "123")
def _(digits: str) -> bool:
    return only(digits, "123456789")


@reading("all(ord(c) - ord('a') < 3 for c in s)", "s: str", "abc")
def _(s: str) -> bool:
    for char in s:
        if char > "c":
            return False
    return True


# ------------------------------------------------------------------------------ lists of texts


@reading("1 <= len(words[i]) <= 4", "words: list[str]", ["ab", "c"])
def _(words: Any) -> bool:
    for word in words:
        if len(word) < 1 or len(word) > 4:
            return False
    return True


@reading("'a' <= words[i][j] <= 'z'", "words: list[str]", ["ab", "c"])
def _(words: Any) -> bool:
    for word in words:
        if not only(word, LOWER):
            return False
    return True


@reading("1 <= len(words[i]) <= 4 and 'a' <= words[i][j] <= 'z'", "words: list[str]", ["ab", "c"])
def _(words: Any) -> bool:
    for word in words:
        if not only(word, LOWER) or len(word) < 1 or len(word) > 4:
            return False
    return True


@reading("1 <= len(words[i]) and set(words[i]) <= set('abc')", "words: list[str]", ["ab", "c"])
def _(words: Any) -> bool:
    for word in words:
        if word == "" or not only(word, "abc"):
            return False
    return True


@reading("grid[i][j] in '.#'", "grid: list[str]", [".#", "##"])
def _(grid: Any) -> bool:
    for row in grid:
        if not only(row, ".#"):
            return False
    return True


@reading("grid[i][j] in ('X', '.')", "grid: list[list[str]]", [["X", "."], ["."]])
def _(grid: Any) -> bool:
    for row in grid:
        for cell in row:
            if cell != "X" and cell != ".":
                return False
    return True


@reading("len(grid[i]) == m", "m: int; grid: list[str]", 2, [".#", "##"])
def _(m: int, grid: Any) -> bool:
    for row in grid:
        if len(row) != m:
            return False
    return True


@reading("words[i] != words[j]", "words: list[str]", ["ab", "c"])
def _(words: Any) -> bool:
    return not repeats(words)


@reading("words[i] <= words[i + 1]", "words: list[str]", ["ab", "c"])
def _(words: Any) -> bool:
    return climbs(words, strictly=False)


@reading("len(words[i]) == len(words[j])", "words: list[str]", ["ab", "cd"])
def _(words: Any) -> bool:
    for word in words:
        for other in words:
            if len(word) != len(other):
                return False
    return True


@reading("all(len(w) == len(begin) for w in words)", "words: list[str]; begin: str", ["ab"], "cd")
def _(words: Any, begin: str) -> bool:
    for word in words:
        if len(word) != len(begin):
            return False
    return True


@reading("sum(len(w) for w in words) <= 6", "words: list[str]", ["ab", "cde"])
def _(words: Any) -> bool:
    letters = ""
    for word in words:
        letters += word
    return len(letters) < 7


@reading("any(w == target for w in words)", "words: list[str]; target: str", ["ab", "c"], "c")
def _(words: Any, target: str) -> bool:
    return count(words, target) > 0


@reading(
    "begin != end and end in words", "words: list[str]; begin: str; end: str", ["ab"], "c", "ab"
)
def _(words: Any, begin: str, end: str) -> bool:
    return begin != end and count(words, end) > 0


@reading(
    "all(w.isupper() and w.isascii() and w.isalpha() for w in codes)", "codes: list[str]", ["A"]
)
def _(codes: Any) -> bool:
    for code in codes:
        if code == "" or not only(code, UPPER):
            return False
    return True


@reading("all(tokens[i] in {'+', '-'} or tokens[i].isdigit() for i in range(len(tokens)))",
         "tokens: list[str]", ["+", "12"])
def _(tokens: Any) -> bool:
    for token in tokens:
        if token not in ("+", "-") and not token.isdigit():
            return False
    return True


@reading("all(w[i] != w[i + 1] for w in words)", "words: list[str]", ["ab", "aba"])
def _(words: Any) -> bool:
    for word in words:
        for i in range(1, len(word)):
            if word[i] == word[i - 1]:
                return False
    return True


@reading("len(board) == 3 and len(board[i]) == 3 and board[i][j] in 'XO '", "board: list[str]",
         ["XO ", "X X", "   "])
def _(board: Any) -> bool:
    if len(board) != 3:
        return False
    for row in board:
        if len(row) != 3 or not only(row, "XO "):
            return False
    return True


@reading("sum(row.count('S') for row in maze) == 1 and maze[i][j] in 'S.#'", "maze: list[str]",
         ["S.", "#."])
def _(maze: Any) -> bool:
    starts = 0
    for row in maze:
        starts += count(row, "S")
        if not only(row, "S.#"):
            return False
    return starts == 1


# -------------------------------------------------------------------- dictionaries and the rest


@reading("all(0 <= v <= 9 for v in scores.values())", "scores: dict[str, int]", {"a": 3})
def _(scores: Any) -> bool:
    for name in scores:
        if scores[name] < 0 or scores[name] > 9:
            return False
    return True


@reading("all(1 <= len(k) <= 2 for k in scores)", "scores: dict[str, int]", {"a": 3})
def _(scores: Any) -> bool:
    for name in scores:
        if len(name) not in (1, 2):
            return False
    return True


@reading(
    "all(k.isalpha() and v > 0 for k, v in scores.items())", "scores: dict[str, int]", {"a": 3}
)
def _(scores: Any) -> bool:
    for name, value in scores.items():
        if not name.isalpha() or value < 1:
            return False
    return True


@reading("name in scores", "scores: dict[str, int]; name: str", {"a": 3}, "a")
def _(scores: Any, name: str) -> bool:
    return count(list(scores), name) == 1


@reading("len(scores) <= 1 or max(scores.values()) < 9", "scores: dict[str, int]", {"a": 3})
def _(scores: Any) -> bool:
    if len(scores) > 1:
        for name in scores:
            if scores[name] > 8:
                return False
    return True


@reading("root == [] or root[0] is not None", "root: list[int | None]", [1, None])
def _(root: Any) -> bool:
    for value in root:
        return value is not None
    return True


@reading("is_level_order(root)", "root: list[int | None]", [1, None, 2])
def _(root: Any) -> bool:
    free = 1
    for value in root:
        if free == 0:
            return False
        free += -1 if value is None else 1
    return root == [] or (root[0] is not None and root[len(root) - 1] is not None)


@reading("flags[0] or not flags[-1]", "flags: list[bool]", [True, False])
def _(flags: Any) -> bool:
    return len(flags) > 0 and (flags[0] is True or flags[len(flags) - 1] is False)


@reading("sum(flags) == 1", "flags: list[bool]", [True, False])
def _(flags: Any) -> bool:
    return count(flags, True) == 1


@reading("len(a) if k else len(b) == 0", "a: list[int]; b: list[int]; k: int", [1], [], 1)
def _(a: Any, b: Any, k: int) -> bool:
    if k != 0:
        return len(a) != 0
    return len(b) == 0


@reading("k if a[i] > 0 else b[i] > 0", "a: list[int]; b: list[int]; k: int", [1], [2], 1)
def _(a: Any, b: Any, k: int) -> bool:
    for i in range(min(len(a), len(b))):
        if a[i] > 0 and k == 0:
            return False
        if a[i] <= 0 and b[i] <= 0:
            return False
    return True


@reading("0 <= i < len(a) and 0 <= a[i] <= 9 and 0 <= b[i] <= 9", "a: list[int]; b: list[int]",
         [1], [2, 3])
def _(a: Any, b: Any) -> bool:
    return within(a, 0, 9) and within(b, 0, 9)


@reading("len(ops[i]) >= 1 and ops[i][0] in (1, 2)", "ops: list[list[int]]", [[1, 5], [2]])
def _(ops: Any) -> bool:
    for op in ops:
        if len(op) < 1 or op[0] < 1 or op[0] > 2:
            return False
    return True


@reading("ops[i][0] == 2 or len(ops[i]) == 2", "ops: list[list[int]]", [[1, 5], [2]])
def _(ops: Any) -> bool:
    for op in ops:
        if not op or (op[0] != 2 and len(op) != 2):
            return False
    return True


@reading("times[i] < times[i + 1] and 1 <= ids[i] <= 9", "times: list[int]; ids: list[int]",
         [1], [2, 3])
def _(times: Any, ids: Any) -> bool:
    return climbs(times, strictly=True) and within(ids, 1, 9)


@reading("0 <= a[i] <= 9 if k > 0 else 0 <= b[i] <= 9", "a: list[int]; b: list[int]; k: int",
         [1], [2, 3], 1)
def _(a: Any, b: Any, k: int) -> bool:
    return within(a if k > 0 else b, 0, 9)


@reading("k > 0 or 0 <= a[i] <= 9 and 0 <= b[i] <= 9", "a: list[int]; b: list[int]; k: int",
         [1], [2, 3], 1)
def _(a: Any, b: Any, k: int) -> bool:
    return k > 0 or (within(a, 0, 9) and within(b, 0, 9))


# ------------------------------------------------------------------ the notation of statements


def each(items: Any, test: Callable[[Any], bool]) -> bool:
    """Return whether all items pass a test."""
    for item in items:
        if not test(item):
            return False
    return True


def total(items: Any) -> int:
    """Return the sum of some numbers."""
    found = 0
    for item in items:
        found += item
    return found


def apart(items: Any, most: int) -> bool:
    """Return whether no two neighbours differ by more."""
    for at in range(1, len(items)):
        if items[at] - items[at - 1] > most or items[at - 1] - items[at] > most:
            return False
    return True


def mixed(items: Any) -> bool:
    """Return whether no two neighbours are equal."""
    for at in range(1, len(items)):
        if items[at] == items[at - 1]:
            return False
    return True


def common(one: Any, other: Any) -> int:
    """Return the number of items of one list that are in the other."""
    found = 0
    for item in one:
        if count(other, item) > 0:
            found += 1
    return found


reading("1 ≤ n ≤ 10^5", "n: int", 7)(lambda n: n >= 1 and n <= 100000)
reading("1 ≤ n ≤ 2·10^5", "n: int", 7)(lambda n: n >= 1 and n <= 200000)
reading("−100 ≤ x ≤ 100", "x: int", 7)(lambda x: x >= -100 and x <= 100)
reading(r"$1 \le n \le 3 \cdot 10^5$", "n: int", 7)(lambda n: n >= 1 and n <= 300000)
reading(r"1 \leq N \leq 2 \times 10^{5}", "N: int", 7)(lambda n: n >= 1 and n <= 200000)
reading("0 ≤ x < 2^30", "x: int", 7)(lambda x: x >= 0 and x < 1073741824)
reading("-2^31 <= x <= 2^31 - 1", "x: int", 7)(lambda x: x >= -2147483648 and x < 2147483648)
reading("1 ≤ n ≤ 100 000", "n: int", 7)(lambda n: n >= 1 and n <= 100000)
reading(r"1 \leq n \leq 1\,000\,000", "n: int", 7)(lambda n: n >= 1 and n <= 1000000)
reading("1 <= N <= 100,000", "N: int", 7)(lambda n: n >= 1 and n <= 100000)
reading("n ≤ 10⁵ and n ≥ 3", "n: int", 7)(lambda n: n >= 3 and n <= 100000)
reading("1 ≤ N, M ≤ 50", "N: int; M: int", 7, 9)(lambda n, m: within([n, m], 1, 50))
reading("1 ≤ a, b, c ≤ 9", "a: int; b: int; c: int", 7, 9, 1)(lambda *abc: within(abc, 1, 9))
reading("|x|, |y| ≤ 10^4", "x: int; y: int", 7, -9)(lambda x, y: within([x, y], -10000, 10000))
reading("|x - y| ≤ 5", "x: int; y: int", 7, 9)(lambda x, y: within([x - y], -5, 5))
reading("1 ≤ u, v ≤ n, u ≠ v", "n: int; u: int; v: int", 9, 2, 1)(
    lambda n, u, v: within([u, v], 1, n) and u != v
)
reading("a ≠ b and 1 ≤ a, b ≤ n", "n: int; a: int; b: int", 9, 2, 1)(
    lambda n, a, b: within([a, b], 1, n) and a != b
)
reading("is_prime(n) and 1 ≤ a, b ≤ n and a % 2 = 1", "n: int; a: int; b: int", 7, 3, 2)(
    lambda n, a, b: (
        [d for d in range(1, min(n, 99) + 1) if n % d == 0] == [1, n]
        and within([a, b], 1, n)
        and a % 2 == 1
    )
)
reading("1 ≤ l ≤ r ≤ n", "n: int; l: int; r: int", 9, 2, 3)(
    lambda n, left, right: climbs([1, left, right, n], strictly=False)
)
reading("K ∈ {1, 2, 3}", "K: int", 2)(lambda k: k == 1 or k == 2 or k == 3)
reading("K ∉ {1, 2}", "K: int", 3)(lambda k: k != 1 and k != 2)
reading("n % 2 = 0", "n: int", 2)(lambda n: n // 2 * 2 == n)
reading("n = 5 or n = 7", "n: int", 5)(lambda n: count([5, 7], n) == 1)
reading("1 ≤ n; n ≠ 3", "n: int", 5)(lambda n: n >= 1 and n != 3)
reading(r"1 \le \max(a, b) \le 9", "a: int; b: int", 5, 3)(
    lambda a, b: within([a if a > b else b], 1, 9)
)
reading("gcd(a, b) = 1", "a: int; b: int", 5, 3)(
    lambda a, b: (
        [d for d in range(1, max(abs(a), abs(b)) + 1) if a % d == 0 and b % d == 0] == [1]
    )
)
reading("10^2 ≤ n", "n: int", 500)(lambda n: n >= 100)
reading("0 ≤ x ≤ 1e2", "x: float", 5.5)(lambda x: within([x], 0, 100))
reading("1 ≤ i < j ≤ n", "n: int; i: int; j: int", 9, 2, 3)(
    lambda n, i, j: i >= 1 and i < j and j <= n
)
reading("2 ≤ n ≤ 10, 1 ≤ m ≤ 20", "n: int; m: int", 9, 2)(
    lambda n, m: within([n], 2, 10) and within([m], 1, 20)
)
reading(r"n \leq 10 \lor n = 12", "n: int", 9)(lambda n: n <= 10 or n == 12)
reading("n ≥ 3 and n ≠ 5", "n: int", 9)(lambda n: n >= 3 and n != 5)
reading("not n = 3", "n: int", 9)(lambda n: n != 3)
reading("x = 3 if n > 0 else x = 4", "n: int; x: int", 9, 3)(
    lambda n, x: x == (3 if n > 0 else 4)
)
reading("1 ≤ a_i ≤ 10^9", "a: list[int]", [1, 2])(lambda a: within(a, 1, 1000000000))
reading("−9 ≤ a_{i} ≤ 9", "a: list[int]", [1, 2])(lambda a: within(a, -9, 9))
reading("1 ≤ a_i, b_i ≤ 9", "a: list[int]; b: list[int]", [1, 2], [3])(
    lambda a, b: within(a, 1, 9) and within(b, 1, 9)
)
reading("a_i ≤ a_{i+1}", "a: list[int]", [1, 2])(lambda a: climbs(a, strictly=False))
reading("a_i ≠ a_j", "a: list[int]", [1, 2])(lambda a: not repeats(a))
reading("a_i < b_i", "a: list[int]; b: list[int]", [1, 2], [3])(
    lambda a, b: each(range(min(len(a), len(b))), lambda i: a[i] < b[i])
)
reading("1 ≤ x_i, y_i ≤ n; x_i ≠ y_i", "n: int; x: list[int]; y: list[int]", 5, [1, 2], [2, 1])(
    lambda n, x, y: (
        within([*x, *y], 1, n) and each(range(min(len(x), len(y))), lambda i: x[i] != y[i])
    )
)
reading(r"1 \leq A_i \leq 9 \ (1 \leq i \leq N)", "N: int; A: list[int]", 2, [1, 2])(
    lambda n, a: within(a, 1, 9)
)
reading("a_i ≤ 9 for all i", "a: list[int]", [1, 2])(lambda a: each(a, lambda x: x <= 9))
reading("a_i ≠ a_{i+1} (1 ≤ i < n)", "n: int; a: list[int]", 2, [1, 2])(lambda n, a: mixed(a))
reading("1 ≤ A_1 < A_2 < ... < A_N ≤ M", "N: int; M: int; A: list[int]", 2, 9, [1, 2])(
    lambda n, m, a: within(a, 1, m) and climbs(a, strictly=True)
)
reading("a_1 ≥ a_2 ≥ … ≥ a_n", "n: int; a: list[int]", 2, [2, 1])(
    lambda n, a: climbs(a[::-1], strictly=False)
)
reading("1 ≤ a_1, a_2, ..., a_n ≤ 9", "n: int; a: list[int]", 2, [2, 1])(
    lambda n, a: within(a, 1, 9)
)
reading("a_1 + a_2 + ... + a_n ≤ 9", "n: int; a: list[int]", 2, [2, 1])(lambda n, a: total(a) <= 9)
reading("∑ a_i ≤ 9", "a: list[int]", [2, 1])(lambda a: total(a) <= 9)
reading(r"\sum_{i=1}^{N} A_i = K", "N: int; K: int; A: list[int]", 2, 3, [2, 1])(
    lambda n, k, a: total(a) == k
)
reading("1 ≤ |a| ≤ 3", "a: list[int]", [2, 1])(lambda a: within([len(a)], 1, 3))
reading("|a| = |b|", "a: list[int]; b: list[int]", [2, 1], [0, 0])(lambda a, b: len(a) == len(b))
reading("|a_i - b_i| ≤ 1", "a: list[int]; b: list[int]", [2, 1], [2, 2])(
    lambda a, b: each(range(min(len(a), len(b))), lambda i: within([a[i] - b[i]], -1, 1))
)
reading("|a_i| ≤ 9", "a: list[int]", [2, -1])(lambda a: within(a, -9, 9))
reading("|a_i - a_{i+1}| ≤ 2", "a: list[int]", [2, 1])(lambda a: apart(a, 2))
reading("1 <= nums.length <= 3", "nums: list[int]", [2, 1])(lambda nums: within([len(nums)], 1, 3))
reading("1 <= nums.size() <= 3", "nums: list[int]", [2, 1])(lambda nums: within([len(nums)], 1, 3))
reading("1 <= n == nums.length <= 3", "nums: list[int]", [2, 1])(
    lambda nums: within([len(nums)], 1, 3)
)
reading("nums.length == n", "n: int; nums: list[int]", 2, [2, 1])(lambda n, nums: len(nums) == n)
reading("1 <= nums1[i], nums2[i] <= 5", "nums1: list[int]; nums2: list[int]", [2, 1], [5])(
    lambda a, b: within(a, 1, 5) and within(b, 1, 5)
)
reading("1 <= k <= nums.length / 2", "nums: list[int]; k: int", [2, 1], 1)(
    lambda nums, k: k >= 1 and 2 * k <= len(nums)
)
reading("nums[i] ∈ {0, 1}", "nums: list[int]", [0, 1])(lambda nums: within(nums, 0, 1))
reading("0 ≤ p_i < |p|", "p: list[int]", [0, 1])(lambda p: within(p, 0, len(p) - 1))
reading("p_i ≠ i", "p: list[int]", [1, 0])(lambda p: each(range(len(p)), lambda i: p[i] != i))
reading("a_i % 2 = 1", "a: list[int]", [1, 3])(lambda a: each(a, lambda x: x // 2 * 2 == x - 1))
reading("v ≥ 0 for v in a", "a: list[int]", [1, 3])(lambda a: each(a, lambda x: x >= 0))
reading("u < v for u, v in edges", "edges: list[tuple[int, int]]", [[1, 3]])(
    lambda edges: each(edges, lambda row: row[0] < row[1])
)
reading("1 ≤ A_{i,j} ≤ 9", "A: list[list[int]]", [[1, 3]])(
    lambda a: each(a, lambda row: within(row, 1, 9))
)
reading("grid[i].length == n", "n: int; grid: list[list[int]]", 2, [[1, 3]])(
    lambda n, grid: each(grid, lambda row: len(row) == n)
)
reading("n == grid.length == grid[i].length", "n: int; grid: list[list[int]]", 1, [[1]])(
    lambda n, grid: len(grid) == n and each(grid, lambda row: len(row) == n)
)
reading("A_{i,j} = A_{j,i}", "A: list[list[int]]", [[1, 2], [2, 3]])(
    lambda a: each(
        range(len(a)),
        lambda i: each(
            range(len(a[i])), lambda j: j >= len(a) or i >= len(a[j]) or a[i][j] == a[j][i]
        ),
    )
)
reading("0 <= edges[i][0] < edges[i][1] < n", "n: int; edges: list[list[int]]", 4, [[1, 3]])(
    lambda n, edges: each(
        edges, lambda row: len(row) > 1 and row[0] >= 0 and row[0] < row[1] and row[1] < n
    )
)
reading("points[i].length = 2", "points: list[list[int]]", [[1, 3]])(
    lambda points: each(points, lambda row: len(row) == 2)
)
reading("a_i = b_i or a_i = 0", "a: list[int]; b: list[int]", [1, 0], [1, 2])(
    lambda a, b: each(range(min(len(a), len(b))), lambda i: a[i] == b[i] or a[i] == 0)
)
reading("a_{i+1} - a_i ≥ 2", "a: list[int]", [1, 3])(
    lambda a: each(range(len(a) - 1), lambda i: a[i + 1] - a[i] >= 2)
)
reading("1 ≤ |S| ≤ 4", "S: str", "ab")(lambda s: within([len(s)], 1, 4))
reading("|s| = |t|", "s: str; t: str", "ab", "cd")(lambda s, t: len(s) == len(t))
reading("s_i ∈ {'a', 'b'}", "s: str", "ab")(lambda s: only(s, "ab"))
reading("s_i ≠ s_{i+1}", "s: str", "ab")(mixed)
reading("1 <= words[i].length <= 3", "words: list[str]", ["ab"])(
    lambda words: each(words, lambda word: within([len(word)], 1, 3))
)
reading("|w_i| ≤ 2", "w: list[str]", ["ab"])(lambda w: each(w, lambda word: len(word) <= 2))
reading("'a' ≤ s_i ≤ 'c'", "s: str", "ab")(lambda s: only(s, "abc"))
reading("s ∈ {'yes', 'no'}", "s: str", "no")(lambda s: count(["yes", "no"], s) == 1)
reading("1 ≤ |s|, |t| ≤ 3", "s: str; t: str", "no", "a")(
    lambda s, t: within([len(s), len(t)], 1, 3)
)
reading("s.length ≤ k", "s: str; k: int", "no", 3)(lambda s, k: len(s) <= k)


# ------------------------------------------------------ sets, integers as keys, and unions


reading("1 ≤ |S| ≤ 3", "S: set[int]", [5])(lambda s: within([len(s)], 1, 3))
reading("0 ≤ x ≤ 9 for all x in S", "S: set[int]", [5])(lambda s: within(s, 0, 9))
reading("k ∈ S", "S: set[int]; k: int", [5], 5)(lambda s, k: count(s, k) == 1)
reading("S <= T", "S: set[int]; T: set[int]", [5], [2, 5])(lambda s, t: common(s, t) == len(s))
reading("not S & T", "S: set[int]; T: set[int]", [5], [2])(lambda s, t: common(s, t) == 0)
reading("|S & T| ≤ 1", "S: set[int]; T: set[int]", [5], [2])(lambda s, t: common(s, t) <= 1)
reading("len(S | T) <= 4", "S: set[int]; T: set[int]", [5], [2])(
    lambda s, t: len(s) + len(t) - common(s, t) <= 4
)
reading("max(S) < k", "S: set[int]; k: int", [5], 9)(
    lambda s, k: len(s) > 0 and each(s, lambda x: x < k)
)
reading("S = {1, 2}", "S: set[int]", [2, 1])(lambda s: len(s) == 2 and common(s, [1, 2]) == 2)
reading("W <= {'a', 'b'}", "W: set[str]", ["a"])(lambda w: common(w, ["a", "b"]) == len(w))
reading("sum(S) = k", "S: set[int]; k: int", [1, 2], 3)(lambda s, k: total(s) == k)
reading("all(x in S for x in a)", "S: set[int]; a: list[int]", [1, 2], [2, 2])(
    lambda s, a: common(a, s) == len(a)
)
reading("all(1 <= v <= 9 for v in d.values())", "d: dict[int, int]", {"1": 2})(
    lambda d: within(d.values(), 1, 9)
)
reading("all(0 <= k < n for k in d)", "d: dict[int, int]; n: int", {"1": 2}, 3)(
    lambda d, n: within(map(int, d), 0, n - 1)
)
reading("all(d[k] != k for k in d)", "d: dict[int, int]", {"1": 2})(
    lambda d: each(d, lambda k: d[k] != int(k))
)
reading("d[1] = 2", "d: dict[int, int]", {"1": 2})(lambda d: "1" in d and d["1"] == 2)
reading("k ∈ d", "d: dict[int, int]; k: int", {"1": 2}, 1)(lambda d, k: str(k) in d)
reading("|d| ≤ 2", "d: dict[int, int]", {"1": 2})(lambda d: len(d) <= 2)
reading("all(k < v for k, v in d.items())", "d: dict[int, int]", {"1": 2})(
    lambda d: each(d, lambda k: int(k) < d[k])
)
reading("|v| ≤ 2 for all v in d.values()", "d: dict[int, set[int]]", {"1": [2]})(
    lambda d: each(d.values(), lambda v: len(v) <= 2)
)
reading("all(isinstance(t, int) or t in ('a', 'b') for t in m)", "m: list[int | str]", [1, "a"])(
    lambda m: each(m, lambda t: type(t) is int or t == "a" or t == "b")
)
reading("all(isinstance(t, str) or t > 0 for t in m)", "m: list[int | str]", [1, "a"])(
    lambda m: each(m, lambda t: type(t) is str or t > 0)
)
reading("isinstance(u, str) or u > 3", "u: int | str", 5)(lambda u: type(u) is str or u > 3)
reading("u ∈ m", "u: int | str; m: list[int | str]", 5, ["a", 5])(lambda u, m: count(m, u) > 0)
reading("len(u) = 2", "u: str | list[int]", "ab")(lambda u: len(u) == 2)
