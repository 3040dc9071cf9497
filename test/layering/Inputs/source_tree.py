"""What the checks of this folder share: the files of the tree, and how violations are reported."""

import os
import sys


def sources(root, accepts):
    """Paths from `root` of the files of the project for which accepts(top folder, folder, name) holds, in order."""
    for top in ("compiler", "dialects", "frontend", "runtime", "test"):
        for folder, folders, files in os.walk(os.path.join(root, top)):
            folders.sort()
            for name in sorted(files):
                if accepts(top, folder, name):
                    yield os.path.relpath(os.path.join(folder, name), root)


def report(root, paths, check_file):
    """Prints `file:line: message` for all that check_file(root, path) yields; exits with 1 if there is any, or no file."""
    count = 0
    failed = False
    for path in paths:
        count += 1
        for number, message in check_file(root, path):
            print("%s:%d: %s" % (path, number, message))
            failed = True
    print("%d files" % count)
    sys.exit(failed or count == 0)
