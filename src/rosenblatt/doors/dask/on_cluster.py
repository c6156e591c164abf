"""What estimators on a cluster share: a client among their parameters, which is neither copied nor pickled."""

from collections.abc import Callable
from inspect import Parameter, signature
from typing import Any, Self, TypeVar

C = TypeVar("C", bound=type)


class OnCluster:
    """A mixin that adds a `client` to an estimator; name it before the estimator among the bases."""

    client: Any

    def __sklearn_clone__(self) -> Self:
        """A clone keeps the client, because it is the same cluster."""
        from sklearn.base import clone

        options: dict[str, Any] = self.get_params()  # type: ignore[attr-defined]
        options = {name: clone(value, safe=False) for name, value in options.items() if name != "client"}
        cls: Any = type(self)
        estimator: Self = cls(client=self.client, **options)
        return estimator

    def __getstate__(self) -> dict[str, Any]:
        parent: Any = super()
        return {**parent.__getstate__(), "client": None}

    def partial_fit(self, *args: Any, **options: Any) -> Self:  # noqa: ARG002
        """Not available on a cluster: use `to_local()` to continue learning."""
        raise AttributeError("partial_fit is for one machine: model.to_local().partial_fit(X, y)")

    def fit_file(self, *args: Any, **options: Any) -> Self:  # noqa: ARG002
        """Not available on a cluster: use `fit_files`."""
        raise AttributeError("fit_file is for one machine; on a cluster it is fit_files")


def with_parameters_of(local: type) -> Callable[[C], C]:
    """Give a class the parameters of `local` besides its own.

    scikit-learn knows the parameters of an estimator by the signature of its constructor.
    """

    def decorate(cls: C) -> C:
        constructor: Any = cls.__init__  # type: ignore[misc]
        declared = signature(constructor).parameters
        known = signature(local.__init__).parameters.items()  # type: ignore[misc]
        others = [parameter for name, parameter in known if name not in declared]
        named = [parameter for parameter in declared.values() if parameter.kind is not Parameter.VAR_KEYWORD]
        constructor.__signature__ = signature(constructor).replace(parameters=named + others)
        return cls

    return decorate
