"""How Sphinx makes the site of all Markdown in this repository, without a network.

The folder of its sources is the repository itself, so that pages link to the README and to each
plugin's, on the site as in the repository:

    sphinx-build -W -c docs . site
"""

from importlib import metadata

project = "agenthost"
release = metadata.version("agenthost")
html_title = f"agenthost {release}"

extensions = ["myst_parser"]
root_doc = "docs/index"
include_patterns = ["docs/*.md", "docs/*/*.md", "*.md", "plugins/*/README.md"]
exclude_patterns = [".*", "*/.*", "site", "tests"]
html_extra_path = ["front"]

smartquotes = False  # it would make one dash of the two of an option
highlight_language = "text"

html_theme = "furo"
html_copy_source = False
html_show_sphinx = False
html_domain_indices = False
html_use_index = False

myst_heading_anchors = 4
nitpicky = True
