"""Write a pytest suite for a module, and improve it until its evidence is complete."""

__all__: list[str] = []
