"""Time both versions, and decide which gain can be claimed."""
