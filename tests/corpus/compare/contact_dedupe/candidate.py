@audited
def dedupe(contacts: list[Contact]) -> list[Contact]:
    """The first contact of each mail address, in their order."""
    kept: list[Contact] = []
    keys: set[str] = set()
    for contact in contacts:
        key = contact.key()
        if key not in keys:
            keys.add(key)
            kept.append(contact)
    return kept
