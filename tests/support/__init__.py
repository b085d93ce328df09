"""Helpers for several tests: a brute-force oracle, strategies, known answers, a subprocess."""
