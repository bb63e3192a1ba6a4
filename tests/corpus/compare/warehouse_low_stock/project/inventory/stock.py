"""What lies on the shelves."""

from dataclasses import dataclass, field


@dataclass
class Movement:
    sku: str
    change: int


@dataclass
class Warehouse:
    minimum: int
    movements: list[Movement] = field(default_factory=list)

    def move(self, sku: str, change: int) -> None:
        self.movements.append(Movement(sku, change))

    def on_hand(self, sku: str) -> int:
        return sum(movement.change for movement in self.movements if movement.sku == sku)

    @property
    def low_stock(self) -> list[str]:
        """Articles below the minimum, by name."""
        return sorted(
            sku
            for sku in {movement.sku for movement in self.movements}
            if self.on_hand(sku) < self.minimum
        )
