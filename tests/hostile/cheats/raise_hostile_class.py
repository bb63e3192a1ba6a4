# Tries: an exception whose class has hostile names and bases.
class Meta(type):
    @property
    def __name__(cls):
        raise SystemExit(0)

    @property
    def __mro__(cls):
        raise SystemExit(0)

    @property
    def __module__(cls):
        raise SystemExit(0)


class Rude(Exception, metaclass=Meta):
    pass


def total(numbers):
    raise Rude
