# Tries: an encoding that is none of text.
# -*- coding: base64 -*-
def total(numbers):
    return 0
