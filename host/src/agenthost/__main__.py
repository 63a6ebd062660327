"""Run the command line: `python -m agenthost`."""

from __future__ import annotations

import sys

from agenthost.cli import main

sys.exit(main())
