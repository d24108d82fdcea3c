"""Build the documentation site: `python -m scripts.site`, or `make docs`.

    stage.py      copies the pages of the repository and generates the others, into .docs/pages
    links.py      points every link of a page at its place in the site
    shelf.py      the order of the pages, in the bar on the left
    library.py    the reference of every module, from the sources and their docstrings
    commands.py   the reference of the command line, from click
    server.py     the reference of the HTTP and socket API, from the endpoints and the wire types
    schemas.py    JSON Schemas as tables
    games.py      the pages of each game: observations, actions
    levels.py     the diagram of the packages and what they import
    notebook.py   the notebook as a page
    finish.py     makes the site fit the server's security headers

Sphinx turns the pages into `src/lampion/server/documentation`, which the server shows under /docs.
Neither folder is committed.
"""
