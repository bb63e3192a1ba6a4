def to_roman(number):
    if not 1 <= number <= 3999:
        raise ValueError(number)
    text = ""
    for value, sign in [
        (1000, "M"),
        (500, "D"),
        (100, "C"),
        (50, "L"),
        (10, "X"),
        (5, "V"),
        (1, "I"),
    ]:
        count, number = divmod(number, value)
        text += sign * count
    return text
