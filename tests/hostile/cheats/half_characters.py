# Tries: half characters, which no encoding has.
def total(numbers):
    return "\ud800" * 500 + "\udfff\x00\x1b"
