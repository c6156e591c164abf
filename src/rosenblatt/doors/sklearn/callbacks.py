"""scikit-learn's callbacks: they are called after each pass of a fit, and may end it.

scikit-learn has them from version 1.9 on. With an older version an estimator has no `set_callbacks`, and nothing else
changes: only this file knows the difference.
"""

from collections.abc import Callable
from importlib.util import find_spec
from typing import Any, TypeVar

import sklearn

from rosenblatt.base.rows import Matrix, as_users_have_it
from rosenblatt.members.run import Pass, Watch

HAS_CALLBACKS = find_spec("sklearn.callback") is not None

if HAS_CALLBACKS:
    from sklearn.callback import CallbackSupportMixin, with_callbacks
else:
    M = TypeVar("M", bound=Callable[..., Any])

    class CallbackSupportMixin:  # type: ignore[no-redef]
        """The base class of estimators with callbacks; with this version of scikit-learn it has none."""

        @property
        def set_callbacks(self) -> Any:
            """Not available, so that hasattr is False."""
            raise AttributeError(f"set_callbacks needs scikit-learn 1.9 or newer, found {sklearn.__version__}")

    def with_callbacks(method: M) -> M:
        """Return the method unchanged, because there are no callbacks to begin or to end."""
        return method


__all__ = ["HAS_CALLBACKS", "CallbackSupportMixin", "callback_watch", "with_callbacks"]


def callback_watch(estimator: Any, max_iter: Any, X: Matrix, **facts: Any) -> tuple[Watch | None, Callable[[], None]]:
    """Turn scikit-learn's callbacks into one `watch` function, and a function to call at the end of the run.

    `facts` are passed on to the callbacks: y and metadata. Each pass is a subtask of the fit.
    """
    if not HAS_CALLBACKS:
        return None, lambda: None
    task = estimator._init_callback_context(max_subtasks=None if isinstance(max_iter, str) else max_iter)
    watched = bool(getattr(estimator, "_skl_callbacks", ()))
    facts = {"estimator": estimator, **facts, "X": as_users_have_it(X) if watched else X}
    task.call_on_fit_task_begin(**facts)

    def end() -> None:
        task.call_on_fit_task_end(**facts)

    if not watched:
        return None, end
    running = [task.subcontext(task_name="pass").call_on_fit_task_begin(**facts)]

    def watch(last: Pass) -> bool:
        stop = running.pop().call_on_fit_task_end(**facts, reconstruction_attributes=lambda: {"_model": last.model()})
        if not (stop or last.last):
            running.append(task.subcontext(task_name="pass").call_on_fit_task_begin(**facts))
        return bool(stop)

    return watch, end
