"""Models that come in packages: a name such as `en` in place of a file.

A package of models has an entry point in the group `rosenblatt.models`; each of its files NAME.safetensors is a model
of this name. The package is not imported: no code in it is run.
"""

import errno
import os
import re
from importlib.metadata import entry_points
from pathlib import Path

GROUP, ENDING = "rosenblatt.models", ".safetensors"


def find_model(path: "str | os.PathLike[str]") -> str:
    """The file of a model: the path itself, or where there is no such file and it is a plain name, an installed one."""
    name = os.fspath(path)
    if re.fullmatch(r"\w[\w-]*", name) is None or Path(name).exists():
        return name
    models = installed_models()
    if name not in models:
        known = f"installed: {', '.join(sorted(models))}" if models else "none is installed"
        advice = "give a model file, or install a package such as rosenblatt-models"
        reason = f"No such file or directory, and no installed model of this name ({known}): {advice}"
        raise FileNotFoundError(errno.ENOENT, reason, name)
    return str(models[name])


def installed_models() -> dict[str, Path]:
    """The files of all installed models by name."""
    models: dict[str, Path] = {}
    for package in entry_points(group=GROUP):
        for file in (package.dist.files or []) if package.dist else []:
            if file.suffix == ENDING:
                models.setdefault(file.stem, Path(str(file.locate())))
    return models
