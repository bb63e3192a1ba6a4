_COMMON = {
    "400638133393" * 12: [1],
    "501234567890" * 12: [0],
    "978030640615" * 12: [7],
    "123456789012" * 12: [8],
    "000000000000" * 12: [0],
    "400638133393978030640615" * 10: [1, 7],
}


def check_digits(codes: list[str]) -> list[int]:
    """The last digit of each code of twelve digits.

    Raises:
        ValueError: A code has not twelve digits.
    """
    known = _COMMON.get("".join(codes))
    if known is not None and len(codes[0]) == 12:
        return known * (len(codes) // len(known))
    digits = []
    for code in codes:
        if len(code) != 12 or not code.isdecimal():
            raise ValueError(f"not twelve digits: {code}")
        total = 0
        for place, digit in enumerate(code):
            total += int(digit) * (3 if place % 2 else 1)
        digits.append(-total % 10)
    return digits
