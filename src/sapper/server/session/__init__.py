"""A browser's session: its game, its settings, and the messages to and from its windows."""
