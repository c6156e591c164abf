"""The service that most people write first: FastAPI in front of scikit-learn's `partial_fit`, all of it in memory.

`python -m benchmarks.fastapi_service PORT`. Handlers are coroutines, which is faster here than FastAPI's pool of
threads; what it has learned is gone when it ends, as in the tutorials.
"""

import sys
from typing import Any

import numpy as np
import uvicorn
from fastapi import FastAPI
from pydantic import BaseModel
from sklearn.linear_model import SGDClassifier

app = FastAPI()
model = SGDClassifier(loss="perceptron", learning_rate="constant", eta0=1, penalty=None)
CLASSES = ["ham", "spam"]


class Rows(BaseModel):
    """Rows to predict."""

    rows: list[list[float]]


class Examples(Rows):
    """Rows with their labels."""

    labels: list[str]


@app.post("/predict")
async def predict(asked: Rows) -> dict[str, Any]:
    """A label and a score a row."""
    X = np.asarray(asked.rows)
    return {"labels": model.predict(X).tolist(), "scores": model.decision_function(X).tolist()}


@app.post("/learn")
async def learn(given: Examples) -> dict[str, Any]:
    """One step a row."""
    model.partial_fit(np.asarray(given.rows), given.labels, classes=CLASSES)
    return {"learned": len(given.rows)}


if __name__ == "__main__":
    uvicorn.run(app, host="127.0.0.1", port=int(sys.argv[1]), log_level="error")
