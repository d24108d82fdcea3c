"""`lampion admin`: what an operator can do with a server, running or not.

Exit codes are those of every command: 1 when it was refused or no server answers, 2 when the
command line is wrong.
"""

from lampion.cli.admin import keys, notices, people, server, tables
from lampion.cli.admin_group import admin

__all__ = ["admin", "keys", "notices", "people", "server", "tables"]
