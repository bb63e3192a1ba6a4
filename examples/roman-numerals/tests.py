SIGNS = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100, "D": 500, "M": 1000}


def read(text):
    total = 0
    for sign, following in zip(text, text[1:] + "I"):
        value = SIGNS[sign]
        total += -value if value < SIGNS[following] else value
    return total


assert to_roman(1) == "I"
assert to_roman(8) == "VIII"
assert to_roman(1994) == "MCMXCIV"
assert to_roman(3999) == "MMMCMXCIX"


def check(candidate):
    assert all(read(candidate(number)) == number for number in range(1, 200))
    for wrong in (0, -4, 4000):
        try:
            candidate(wrong)
        except ValueError:
            continue
        assert False, f"{wrong} was accepted"
