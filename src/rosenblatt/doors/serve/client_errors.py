"""What a client of the server is told when a request fails."""


class RefusedError(ValueError):
    """The server will not do this, and the same request will never succeed; the sentence says why.

    Attributes
    ----------
    status
        The status of HTTP: 400 for what cannot be read, 404 for what is not there, 409 for what is in the way.
    place
        What the sentence is about, such as `examples[3].x`, or None.
    """

    def __init__(self, sentence: str, status: int, place: str | None = None) -> None:
        super().__init__(sentence if place is None or sentence.startswith(place) else f"{place}: {sentence}")
        self.status, self.place = status, place


class UnavailableError(ConnectionError):
    """No answer came within the client's patience, or the server has failed."""
