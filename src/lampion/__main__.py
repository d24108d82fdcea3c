"""`python -m lampion` is the command `lampion`."""

from lampion.cli.main import main

main(prog_name="lampion")
