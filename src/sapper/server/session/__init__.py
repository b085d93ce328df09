"""A browser's session: game, settings, and messages to and from its windows."""
