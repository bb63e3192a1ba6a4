"""Playlists."""


def spread(songs: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """Songs (artist, title) so that the artists take turns, in the order of their first songs."""
    by_artist: dict[str, list[tuple[str, str]]] = {}
    for song in songs:
        by_artist.setdefault(song[0], []).append(song)
    result = []
    turn = 0
    while len(result) < len(songs):
        for own in by_artist.values():
            if turn < len(own):
                result.append(own[turn])
        turn += 1
    return result
