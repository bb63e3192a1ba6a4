"""Make inputs inside cells; the host reads these files as text and imports none."""
