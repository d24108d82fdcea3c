"""Tests of the games outside the package, which are registered here as if they were installed."""

import tests.support  # noqa: F401
