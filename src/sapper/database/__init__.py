"""Connections to databases, and the SQL that all of them support."""
