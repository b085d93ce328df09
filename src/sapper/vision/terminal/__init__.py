"""Playing text-mode Minesweeper programs, such as freesweep, in a terminal of our own."""
