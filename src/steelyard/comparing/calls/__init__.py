"""Calls of the function beyond those that its tests make."""
