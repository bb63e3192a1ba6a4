"""What runs inside cells to make inputs; the host reads these files as text and imports none."""
