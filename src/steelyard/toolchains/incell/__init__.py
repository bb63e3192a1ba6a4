"""What runs inside cells beside Python candidates; the host reads these files and imports none.

They hold for any Python from 3.10 on, import nothing but the standard library, each other and
`steelyard.schemas.values`, and are handed over as text (see steelyard.toolchains._harness).
"""
