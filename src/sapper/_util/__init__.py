"""Helpers that every layer may use and nothing outside the package should."""
