"""Bank accounts."""

LENGTHS = {"DE": 22, "GB": 22, "FR": 27, "NL": 18, "CH": 21}


def digits(text: str) -> str:
    result = ""
    for character in text:
        result += str(int(character, 36))
    return result


def valid(number: str) -> bool:
    """Whether an IBAN has the right length, characters and check digits."""
    compact = number.replace(" ", "").upper()
    if LENGTHS.get(compact[:2]) != len(compact):
        return False
    if not (compact.isascii() and compact.isalnum()):
        return False
    return int(digits(compact[4:] + compact[:4])) % 97 == 1
