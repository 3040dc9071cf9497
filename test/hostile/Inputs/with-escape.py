"""Runs a command, ESC in whose arguments stands for the character: with-escape.py COMMAND.."""

import subprocess
import sys

sys.exit(subprocess.call([argument.replace("ESC", "\x1b") for argument in sys.argv[1:]]))
