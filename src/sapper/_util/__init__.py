"""Helpers that every layer may use, for use inside the package only."""
