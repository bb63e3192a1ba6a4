n, *weights = map(int, open(0).read().split())
# As many stacks are needed as the longest row of crates of which none may lie on one before it.
longest = []
for index, weight in enumerate(weights):
    before = (
        length for length, other in zip(longest, weights[:index], strict=True) if other <= weight
    )
    longest.append(1 + max(before, default=0))
print(max(longest))
