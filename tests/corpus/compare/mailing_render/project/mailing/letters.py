"""Form letters."""


def render(template: str, name: str) -> str:
    return template.replace("{name}", name.title()).strip()


def render_all(template: str, names: list[str]) -> list[str]:
    """One letter for each name."""
    letters = []
    for name in names:
        letters.append(render(template, name))
    return letters
