"""`python -m skygit` is the same as `skygit`."""

import sys

from skygit.cli import main

sys.exit(main())
