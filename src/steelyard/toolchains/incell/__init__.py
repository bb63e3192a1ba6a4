"""Code that runs Python candidates inside cells; the host reads these files as text.

They work with Python 3.10 and later, import only the standard library, each other and
`steelyard.schemas.values`, and are sent as text (see steelyard.toolchains._harness).
"""
