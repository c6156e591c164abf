"""The studio as one file: its modules become one script, and style, core and presets lie in the page itself.

No bundler: a module may only `import { a, b } from "./x.js";` and export declarations, so that each becomes a function
that returns its names, in an order in which what is used comes first. Comments and indents stay behind (no text in the
modules goes over lines). A Content-Security-Policy allows this script and
this style, by their hashes, and nothing else: the page can fetch nothing and send nothing.
"""

import base64
import gzip
import hashlib
import json
import re
from functools import cache
from importlib.resources import files
from typing import Any

_IMPORT = re.compile(r'^import \{ ([\w, ]+) \} from "\./(\w+)\.js";$', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:async )?(?:function|const|class) (\w+))", re.MULTILINE)
_COMMENT = re.compile(r"/\*\*.*?\*/|^ *//[^\n]*\n", re.DOTALL | re.MULTILINE)
_BLANK = re.compile(r"^\s+|[ ]+$", re.MULTILINE)
_POLICY = (
    "default-src 'none'; script-src '{script}' 'wasm-unsafe-eval'; style-src '{style}'; "
    "img-src data: blob:; base-uri 'none'; form-action 'none'"
)


def page(run: dict[str, Any] | None = None, state: str | None = None, fallback: str | None = None) -> str:
    """The whole page. `run` is a recorded run, `state` a hash to begin with, `fallback` HTML for where no script runs.

    >>> text = page(state="#preset=xor")
    >>> text.count("<script"), "src=" in text, len(text) < 300_000
    (5, False, True)
    """
    script, rules = _script("main"), style()
    policy = _POLICY.format(script=_hash(script), style=_hash(rules))
    text = source("index.html")
    for old, new in (
        (r'(?<=Security-Policy" content=")[^"]*', policy),
        (r'(?:<link rel="stylesheet" href="\w+\.css">\n)+', f"<style>{rules}</style>\n"),
        (r'(?<=id="studio-core">)', core()),
        (r'(?<=id="studio-presets">)null', _block(json.loads(source("presets.json")))),
        (r'(?<=id="studio-run">)null', _block(run)),
        (r'(?<=id="studio-state">)null', _block(state)),
        (r"(?<=</h1>).*(?=</div></main>)", "\\g<0>" if fallback is None else fallback),
        ('<script type="module" src="main.js"></script>', f'<script type="module">{script}</script>'),
    ):
        text, count = re.subn(old, new if new == "\\g<0>" else lambda _, new=new: new, text, flags=re.DOTALL)
        if count != 1:
            raise RuntimeError(f"index.html: expected {old} once, found it {count} times")
    return text


@cache
def widget() -> str:
    return f"{_script('widget')}\nexport default {{ render: widget_js.render }};\n"


@cache
def style() -> str:
    """All rules of the page, in the order in which its head names them."""
    return "".join(source(name) for name in re.findall(r'(?<=rel="stylesheet" href=")[^"]+', source("index.html")))


@cache
def core() -> str:
    """The core for the page's block: packed by gzip, as text."""
    return base64.b64encode(gzip.compress(core_bytes(), mtime=0)).decode()


def core_bytes() -> bytes:
    return bytes(_file("core.wasm").read_bytes())


def source(name: str) -> str:
    return str(_file(name).read_text(encoding="utf-8"))


def _file(name: str) -> Any:
    return files("rosenblatt.doors.studio") / "page" / name


@cache
def _script(name: str) -> str:
    """A module and all that it uses, each after those that it uses."""
    functions: dict[str, str] = {}

    def add(module: str, users: tuple[str, ...]) -> None:
        if module in users:
            raise RuntimeError(f"modules in a circle: {' -> '.join((*users, module))}")
        if module in functions:
            return
        text = source(f"{module}.js")
        for _, used in _IMPORT.findall(text):
            add(used, (*users, module))
        names = ", ".join(_EXPORT.findall(text))
        body = _EXPORT.sub("", _IMPORT.sub(r"const { \1 } = \2_js;", _BLANK.sub("", _COMMENT.sub("", text))))
        functions[module] = f"const {module}_js = (() => {{\n{body}return {{ {names} }};\n}})();\n"

    add(name, ())
    return "\n".join(functions.values())


def _block(value: Any) -> str:
    """The value as JSON that cannot end its block."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")


def _hash(text: str) -> str:
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"
