"""The web app over HTTP: one module per interface, and the limits on connections and requests."""
