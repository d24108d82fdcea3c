"""The server: tables, seats and live play over the network; the log of a table is the truth."""
