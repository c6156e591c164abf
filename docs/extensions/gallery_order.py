"""The order of the gallery: that of a course, then the rest."""

COURSE = ["and", "run", "region", "tenths", "boundary", "margins", "squeeze", "mistakes", "readouts", "losses"]


def in_the_order_of_the_course(filename: str) -> int:
    """The place of a script."""
    name = str(filename).removeprefix("plot_").removesuffix(".py")
    return COURSE.index(name) if name in COURSE else len(COURSE)
