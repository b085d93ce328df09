"""Saved sessions and finished games: the file, its tables, and the queue of changes."""
