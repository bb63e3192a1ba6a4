"""Runs of a version: its tests with the calls that they make, and where these runs take place."""
