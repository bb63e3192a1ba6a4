"""Bar codes."""


def check_digits(codes: list[str]) -> list[int]:
    """The last digit of each code of twelve digits.

    Raises:
        ValueError: A code has not twelve digits.
    """
    digits = []
    for code in codes:
        if len(code) != 12 or not code.isdecimal():
            raise ValueError(f"not twelve digits: {code}")
        total = 0
        for place, digit in enumerate(code):
            total += int(digit) * (3 if place % 2 else 1)
        digits.append(-total % 10)
    return digits
