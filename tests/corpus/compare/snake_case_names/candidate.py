def snake_case(name: str) -> str:
    """`HTTPServerName` as `http_server_name`."""
    parts = []
    for place, character in enumerate(name):
        if place and "A" <= character <= "Z":
            before, after = name[place - 1], name[place + 1 : place + 2]
            lower = "a" <= before <= "z" or "0" <= before <= "9"
            if lower or ("A" <= before <= "Z" and "a" <= after <= "z"):
                parts.append("_")
        parts.append(character)
    return "".join(parts).replace("-", "_").lower()
