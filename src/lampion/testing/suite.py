"""All tests of the suite, to be imported by a file of tests or run by `pytest --lampion-game`."""

from lampion.testing.conformance import *  # noqa: F403
from lampion.testing.environments import *  # noqa: F403
from lampion.testing.fold import *  # noqa: F403
from lampion.testing.oracle import *  # noqa: F403
from lampion.testing.redaction import *  # noqa: F403
