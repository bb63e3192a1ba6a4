def ranks(scores: list[int]) -> list[int]:
    """Each score's place, from 1; equal scores share the better place."""
    places: dict[int, int] = {}
    for place, score in enumerate(sorted(scores, reverse=True), start=1):
        if score not in places:
            places[score] = place
    return [places[score] for score in scores]
