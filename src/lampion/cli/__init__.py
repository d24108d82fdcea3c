"""Level 4: the `lampion` command. Results go to standard output, everything else to standard error."""
