"""The studio in a notebook of marimo: the lecture's AND function, three visits made, and what Python knows of it."""

import marimo

app = marimo.App()


@app.cell
def studio():
    import marimo as mo

    from rosenblatt import studio
    from rosenblatt.data.lectures import AND

    widget = mo.ui.anywidget(studio.show(*AND, visit=3))
    widget
    return mo, widget


@app.cell
def told(mo, widget):
    mo.md(f"Python knows: {widget.state}")
    return


@app.cell
def exact(mo):
    from rosenblatt import studio as door
    from rosenblatt import trace
    from rosenblatt.data.lectures import AND as points

    mo.ui.anywidget(door.show(trace(*points, eta0="1/3", exact=True), visit=4))
    return


if __name__ == "__main__":
    app.run()
