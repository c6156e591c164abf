"""The documentation site: `make docs` builds it, `make docs-open` shows it.

Nothing on it comes from elsewhere: no fonts, scripts or indices of other sites. It is read, and searched, offline.
Generated at each build, and not in git: a page a public name and a page a verb (`extensions`), the gallery.
"""

import sys
from pathlib import Path
from typing import Any

import rosenblatt

sys.path.insert(0, str(Path(__file__).parent / "extensions"))

project = "Rosenblatt"
author = "The Rosenblatt developers"
version = release = rosenblatt.__version__
project_copyright = f"{author}, version {version}"

extensions = [
    "myst_parser",
    "numpydoc",
    "sphinx.ext.autodoc",
    "sphinx_click",
    "sphinx_copybutton",
    "sphinx_design",
    "sphinx_gallery.gen_gallery",
    "accessible",
    "api_pages",
    "plain_text",
    "prose_sections",
    "studio_page",
    "verb_pages",
]
exclude_patterns = ["gallery/GALLERY_HEADER.rst", "gallery_pages/index.rst", "gallery_pages/backreferences/*"]
suppress_warnings = ["config.cache"]  # the gallery's settings have functions
trim_doctest_flags = True
smartquotes = False  # --option is no dash, and "word" is typed as it stands
toc_object_entries_show_parents = "hide"
python_maximum_signature_line_length = 90
python_display_short_literal_types = True

# References to our own names must be right; the names of others have no page here.
nitpicky = True
nitpick_ignore_regex = [("py:.*", r"(?!rosenblatt\.).*")]

default_role = "py:obj"  # `name` in a docstring: a link where there is such a name, else code
autodoc_typehints_format = "short"
autodoc_member_order = "bysource"
numpydoc_show_class_members = False  # api_pages lists them
numpydoc_xref_param_type = False

myst_enable_extensions = ["colon_fence"]
myst_heading_anchors = 3
copybutton_prompt_text = r">>> |\.\.\. |\$ |> "
copybutton_prompt_is_regexp = True
copybutton_only_copy_prompt_lines = True

sphinx_gallery_conf: dict[str, Any] = {
    "examples_dirs": "gallery",
    "gallery_dirs": "gallery_pages",
    "backreferences_dir": "gallery_pages/backreferences",
    "doc_module": ("rosenblatt",),
    "download_all_examples": False,
    "abort_on_example_error": True,
    "image_srcset": ["2x"],
    "min_reported_time": 3600,
    "remove_config_comments": True,
    "show_memory": False,
    "show_signature": False,
    "within_subsection_order": "gallery_order.in_the_order_of_the_course",
    "write_computation_times": False,
}

html_theme = "pydata_sphinx_theme"
html_title = "Rosenblatt"
html_static_path = ["static"]
html_css_files = ["site.css"]
html_logo = html_favicon = "static/logo.svg"
html_copy_source = html_show_sourcelink = False
html_theme_options: dict[str, Any] = {
    "logo": {"text": "Rosenblatt", "alt_text": ""},
    "header_links_before_dropdown": 6,
    "header_dropdown_text": "More",
    "navigation_with_keys": False,
    "secondary_sidebar_items": ["page-toc"],
    "footer_start": ["copyright"],
    "footer_end": [],
    "show_prev_next": True,
}
html_context = {"default_mode": "auto"}
html_sidebars: dict[str, list[str]] = {
    name: [] for name in ("index", "studio/index", "choosing", "benchmarks", "lectures")
}
