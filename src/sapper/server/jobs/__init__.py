"""Work outside the event loop, in threads and processes: how it runs, and what it computes."""
