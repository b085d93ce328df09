"""WebSocket messages in both directions: the single table of their kinds and fields.

`docs/websocket_reference.py` generates the documentation and the page's TypeScript types from it.
"""
