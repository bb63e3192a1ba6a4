"""An address book."""

from dataclasses import dataclass

from contacts.audit import audited


@dataclass
class Contact:
    name: str
    mail: str

    def key(self) -> str:
        return self.mail.strip().lower()


@audited
def dedupe(contacts: list[Contact]) -> list[Contact]:
    """The first contact of each mail address, in their order."""
    kept: list[Contact] = []
    for contact in contacts:
        if not any(contact.key() == other.key() for other in kept):
            kept.append(contact)
    return kept
