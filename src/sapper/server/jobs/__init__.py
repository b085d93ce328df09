"""Work outside the event loop: the jobs, and the threads and processes that run them."""
