"""`python -m rosenblatt.cli` is `rosenblatt`."""

from rosenblatt.cli import main

if __name__ == "__main__":
    main()
