"""`make bench-peers`: Lampion beside other engines in one run. Each peer is measured in an environment of its own, made for it."""
