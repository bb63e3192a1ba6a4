@property
def low_stock(self) -> list[str]:
    """Articles below the minimum, by name."""
    on_hand: dict[str, int] = {}
    for movement in self.movements:
        on_hand[movement.sku] = on_hand.get(movement.sku, 0) + movement.change
    minimum = self.minimum
    return sorted([sku for sku, count in on_hand.items() if count < minimum])
