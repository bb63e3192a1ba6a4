def to_roman(number):
    return (sign for sign in "I" * number)
