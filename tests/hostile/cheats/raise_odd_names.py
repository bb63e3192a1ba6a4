# Tries: names and messages that no terminal and no JSON should get: controls, half characters.
Odd = type("\x1b[2J\u202e", (Exception,), {})


def total(numbers):
    raise Odd("\ud800\x1b[31m\x00\u202e passed")
