import re


def variables(line: str) -> dict[str, str]:
    """The variables of one host's line; words without an equals sign are none."""
    found = {}
    for word in re.split(r" ", line):
        parts = re.fullmatch(r"([^=]*)=(.*)", word, re.DOTALL)
        if parts is not None:
            found[parts.group(1)] = parts.group(2)
    return found
