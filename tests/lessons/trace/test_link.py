"""A run as a link: all that makes it is there, and what the studio's page cannot make has none."""

import re
from html import unescape
from typing import Any

import numpy as np
import pytest

from rosenblatt.data.lectures import AND, CMU
from rosenblatt.services.lessons.trace import trace
from rosenblatt.services.lessons.trace.link import STUDIO, hash_of


def test_html_links_to_the_studio_and_says_how_it_is_found_offline() -> None:
    for run, linked in ((trace(*AND, eta0=0.1, shuffle=True, random_state=3), True), (trace(*AND, exact=True), False)):
        page = str(run.to_html())
        assert "<code>rosenblatt.studio.show(run)</code>" in page
        links = [unescape(found) for found in re.findall(r'<a href="([^"]*)"', page)]
        assert links == ([STUDIO + str(hash_of(run))] if linked else [])


def test_a_link_has_all_that_makes_the_run() -> None:
    run = trace(
        [[0.1, 2], [1 / 3, -1]],
        ["no", "yes"],
        init=[0.5, 1, 2],
        step="pa1",
        C=0.25,
        margin=2,
        tie="positive",
        first_row=1,
    )
    assert hash_of(run, visit=2) == (
        "#points=0.1,2,0;0.3333333333333333,-1,1&labels=no,yes&tie=positive&first_row=1&margin=2&step=pa1&C=0.25"
        "&init=0.5,1,2&max_iter=1000&visit=2"
    )
    run = trace(*CMU, fit_intercept=False, init=[1, 2], pick="worst-wrong", max_iter=5, positive=-1)
    assert hash_of(run) == (
        "#points=-1,2,1;1,0,0;1,1,0;-1,0,1;-1,-2,1;1,-1,0&labels=1,-1&fit_intercept=0&order=worst-wrong&init=0,1,2&max_iter=5"
    )


@pytest.mark.parametrize(
    "words",
    [
        {"row_order": [0, 3]}, {"sample_weight": [1, 2, 1, 1]}, {"class_weight": "balanced"}, {"batch_size": 2},
        {"exact": True}, {"max_visits": 3}, {"max_iter": 5000, "margin": 1e9}, {"shuffle": True, "random_state": None},
    ],
    ids=str,
)  # fmt: skip
def test_what_the_page_cannot_make_has_no_link(words: dict[str, Any]) -> None:
    assert hash_of(trace(*AND, **words)) is None


def test_other_data_has_no_link() -> None:
    assert hash_of(trace([[1], [2]], [0, 1])) is None
    assert hash_of(trace([[1, 2, 3], [2, 1, 0]], [0, 1])) is None
    assert hash_of(trace([[1, 2], [2, 1]], ["a,b", "c"])) is None
    X = np.random.default_rng(0).normal(size=(250, 2))
    assert hash_of(trace(X, (X[:, 0] > 0).astype(int), max_iter=2)) is None
