"""Double-entry bookkeeping, in cents."""


class Ledger:
    """Pages of bookings."""

    class Page:
        """One account's bookings."""

        def __init__(self, account: str, opening: int = 0) -> None:
            self.account = account
            self.opening = opening
            self.bookings: list[int] = []

        def book(self, cents: int) -> None:
            self.bookings.append(cents)

        def balances(self) -> list[int]:
            """The balance after each booking."""
            result = []
            for i in range(len(self.bookings)):
                result.append(self.opening + sum(self.bookings[: i + 1]))
            return result

    def __init__(self) -> None:
        self.pages: dict[str, Ledger.Page] = {}

    def page(self, account: str) -> "Ledger.Page":
        return self.pages.setdefault(account, Ledger.Page(account))

    def transfer(self, source: str, target: str, cents: int) -> None:
        self.page(source).book(-cents)
        self.page(target).book(cents)
