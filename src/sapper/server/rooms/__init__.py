"""Rooms of several people on the server: their windows, their clocks, and their saved form."""
