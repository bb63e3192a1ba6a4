"""Writes the tests of the examples again, the same each time: `python examples/make_tests.py`."""

import json
import random
from collections import defaultdict
from heapq import heappop, heappush
from math import dist
from pathlib import Path

HERE = Path(__file__).parent


def widest_gap() -> None:
    rng = random.Random(1)
    cases = {
        "1": [9, 1, 4, 15, 2],
        "2": [7],
        "3": [4, 4, 4],
        "4": [10, 20, 25],
        "5": [0, 1_000_000_000],
        "6": [rng.randrange(50) for _ in range(1_000)],
        "7": [rng.randrange(1_000_000) for _ in range(40_000)],
    }
    for name, places in cases.items():
        ordered = sorted(places)
        gap = max((b - a for a, b in zip(ordered, ordered[1:], strict=False)), default=0)
        write("widest-gap", name, f"{len(places)}\n{' '.join(map(str, places))}\n", f"{gap}\n")


def shortest_routes() -> None:
    rng = random.Random(2)
    towns = 30_000
    route = [1, *rng.sample(range(2, towns), towns - 2), towns]
    chain = [(a, b, 1) for a, b in zip(route, route[1:], strict=False)]
    detours = []
    for _ in range(25_000):
        start, end = sorted(rng.sample(range(towns), 2))
        detours.append((route[start], route[end], 2 * (end - start)))
    far = 1_000_000_000
    cases = {
        "sample/1": (4, [(1, 2, 3), (2, 4, 4), (1, 3, 1), (3, 2, 1), (4, 1, 9)]),
        "sample/2": (3, [(3, 1, 5)]),
        "secret/1_one_town": (1, []),
        "secret/2_loop": (2, [(1, 1, 1), (1, 2, 8), (1, 2, 7)]),
        "secret/3_far_away": (11, [(town, town + 1, far) for town in range(1, 11)]),
        "secret/4_random": (
            60,
            [(rng.randint(1, 60), rng.randint(1, 60), rng.randint(1, 99)) for _ in range(300)],
        ),
        "secret/5_long_chain": (towns, chain[::-1] + detours),
    }
    for name, (n, roads) in cases.items():
        lines = [f"{n} {len(roads)}", *(f"{a} {b} {w}" for a, b, w in roads)]
        write("shortest-routes", name, "\n".join(lines) + "\n", f"{shortest(n, roads)}\n")


def shortest(n: int, roads: list[tuple[int, int, int]]) -> int:
    after = defaultdict(list)
    for a, b, w in roads:
        after[a].append((b, w))
    lengths: dict[int, int] = {}
    heap = [(0, 1)]
    while heap:
        length, town = heappop(heap)
        if lengths.setdefault(town, length) == length:
            for b, w in after[town]:
                if b not in lengths:
                    heappush(heap, (length + w, b))
    return lengths.get(n, -1)


def closest_pair() -> None:
    rng = random.Random(3)

    def ships(count: int, low: int, high: int) -> list[tuple[float, float]]:
        return [
            (rng.randint(low, high) / 1_000, rng.randint(low, high) / 1_000) for _ in range(count)
        ]

    cases = {
        "1": [(0.0, 0.0), (3.0, 4.0), (10.0, 0.5)],
        "2": [(5.0, 5.0), (5.0, 5.0)],
        "3": [(999_999.999, 1_000_000.0), (999_998.998, 999_999.001), (0.0, 0.001)],
        "4": ships(400, 0, 1_000_000),
        "5": ships(10_000, 0, 1_000_000_000),
    }
    for name, places in cases.items():
        lines = [str(len(places)), *(f"{x:.3f} {y:.3f}" for x, y in places)]
        write("closest-pair", name, "\n".join(lines) + "\n", f"{closest(places):.9f}\n")


def closest(places: list[tuple[float, float]]) -> float:
    ordered = sorted(places)
    best = dist(ordered[0], ordered[1])
    for position, ship in enumerate(ordered):
        for other in ordered[position + 1 :]:
            if other[0] - ship[0] >= best:
                break
            best = min(best, dist(ship, other))
    return best


def word_groups() -> None:
    rng = random.Random(4)

    def words(count: int, letters: str, length: int) -> list[str]:
        found: dict[str, None] = {}
        while len(found) < count:
            letters_of_one = rng.choices(letters, k=length)
            for _ in range(rng.randint(1, 3)):
                rng.shuffle(letters_of_one)
                found["".join(letters_of_one)] = None
        return list(found)[:count]

    cases = {
        "example": ["tea", "stop", "eat", "pots", "ate"],
        "one word": ["a"],
        "no two together": ["ab", "bc", "cd", "abc"],
        "letters twice": ["see", "ese", "es", "se", "sees"],
        "many": words(6_000, "abcdefghijklmnopqrst", 7),
    }
    with (HERE / "word-groups" / "tests.jsonl").open("w") as file:
        for name, given in cases.items():
            groups = defaultdict(list)
            for word in given:
                groups["".join(sorted(word))].append(word)
            answer = "".join(" ".join(sorted(group)) + "\n" for group in groups.values())
            text = "\n".join([str(len(given)), *given]) + "\n"
            file.write(json.dumps({"name": name, "input": text, "expected": answer}) + "\n")


def meeting_rooms() -> None:
    rng = random.Random(5)
    days = {
        "example": [[9, 12], [10, 11], [12, 14]],
        "none": [],
        "one": [[3, 4]],
        "all day": [[0, 24]] * 6,
        "in a row": [[hour, hour + 1] for hour in range(24)],
        "unsorted": [[5, 9], [1, 6], [4, 5], [0, 2]],
        "many": [
            [start := rng.randrange(10**6), start + rng.randrange(1, 9_000)] for _ in range(4_000)
        ],
    }
    cases = [
        {"name": name, "args": [day], "expected": rooms(day), "expected_args": [day]}
        for name, day in days.items()
    ]
    cases.append(
        {"name": "no length", "args": [[[1, 2], [3, 3]]], "expected_exception": "ValueError"}
    )
    with (HERE / "meeting-rooms" / "tests.jsonl").open("w") as file:
        file.writelines(json.dumps(case, separators=(",", ":")) + "\n" for case in cases)


def rooms(day: list[list[int]]) -> int:
    ends: list[int] = []
    most = 0
    for start, end in sorted(day):
        while ends and ends[0] <= start:
            heappop(ends)
        heappush(ends, end)
        most = max(most, len(ends))
    return most


def write(folder: str, name: str, text: str, answer: str) -> None:
    target = HERE / folder / "tests" / f"{name}.in"
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(text)
    target.with_suffix(".ans").write_text(answer)


if __name__ == "__main__":
    widest_gap()
    shortest_routes()
    closest_pair()
    word_groups()
    meeting_rooms()
