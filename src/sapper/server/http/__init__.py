"""The HTTP interfaces, one module each, and the limits on connections and requests."""
