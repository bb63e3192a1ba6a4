def match_key(name: str) -> str:
    """What two spellings of one name share."""
    return "".join(filter(str.isalnum, name.lower()))
