# Tries: an answer without an end.
def total(numbers):
    items = [0]
    items.append({"again": items})
    return items
