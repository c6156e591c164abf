"""`python -m rosenblatt` is `rosenblatt`."""

from rosenblatt.doors.cli import main

if __name__ == "__main__":
    main()
