"""Count the work of Python programs inside their cell; the host reads these files as text.

They run on any Python from 3.10 on and import nothing but the standard library, each other and
the code that runs Python candidates (steelyard.toolchains.incell). No ordinary run loads them.
"""
