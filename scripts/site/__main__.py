from __future__ import annotations

import sys

from scripts.site.build import main

sys.exit(main())
