"""Matching names in registers."""


def match_key(name: str) -> str:
    """What two spellings of one name share."""
    key = ""
    for character in name:
        for folded in character.casefold():
            if folded.isalnum():
                key = key + folded
    return key


def duplicates(names: list[str]) -> int:
    keys = [match_key(name) for name in names]
    return len(keys) - len(set(keys))
