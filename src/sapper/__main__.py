"""The `sapper` program: ``python -m sapper``."""

from sapper.cli import main

if __name__ == "__main__":
    main()
