n, *numbers = map(int, open(0).read().split())
villages = list(zip(numbers[::2], numbers[1::2], strict=True))
ways = [(sum(abs(place - at) * people for at, people in villages), place) for place, _ in villages]
way, place = min(ways)
print(place, way)
