"""The messages of the WebSocket in both directions: the one table of their kinds and fields.

`docs/websocket_reference.py` writes the documentation and the page's TypeScript types from it.
"""
