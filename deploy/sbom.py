"""Write the packages of this image as CycloneDX 1.6 JSON: Debian's and those of this Python."""

import importlib.metadata
import json
import platform
import re
import subprocess
import sys
from collections.abc import Iterator

_FIELDS = "${Package}\t${Version}\t${Architecture}\t${db:Status-Abbrev}\n"


def debian() -> Iterator[tuple[str, str, str]]:
    """Yield name, version and package URL of each installed package of Debian."""
    release = platform.freedesktop_os_release()
    listed = subprocess.run(
        ["dpkg-query", "--show", f"--showformat={_FIELDS}"],
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    for line in listed.splitlines():
        name, version, machine, status = line.split("\t")
        if status.startswith("ii"):
            distribution = f"{release['ID']}-{release.get('VERSION_ID', 'unstable')}"
            place = f"{release['ID']}/{name}@{_escaped(version)}"
            yield name, version, f"pkg:deb/{place}?arch={machine}&distro={distribution}"


def python() -> Iterator[tuple[str, str, str]]:
    """Yield name, version and package URL of each package of this interpreter."""
    for each in importlib.metadata.distributions():
        name = re.sub(r"[-_.]+", "-", each.metadata["Name"]).lower()
        yield name, each.version, f"pkg:pypi/{name}@{_escaped(each.version)}"


def _escaped(version: str) -> str:
    return version.replace("%", "%25").replace("+", "%2B").replace(":", "%3A")


def main() -> None:
    """Write the list to standard output, sorted, so that the same image gives the same text."""
    found = {url: (name, version) for name, version, url in (*debian(), *python())}
    components = [
        {"type": "library", "name": name, "version": version, "purl": url, "bom-ref": url}
        for url, (name, version) in sorted(found.items())
    ]
    bom = {"bomFormat": "CycloneDX", "specVersion": "1.6", "version": 1, "components": components}
    json.dump(bom, sys.stdout, indent=1)
    sys.stdout.write("\n")


if __name__ == "__main__":
    main()
