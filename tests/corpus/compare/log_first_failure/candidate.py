def first_failure(lines: list[str]) -> tuple[str, int, str] | None:
    """File, line and text of the first error; None where the build is fine."""
    match = FAILURE.match
    for line in lines:
        found = match(line)
        if found:
            return found["file"], int(found["line"]), found["text"]
    return None
