"""Several workers that serve the same site: messages between them, and the owners of sessions."""
