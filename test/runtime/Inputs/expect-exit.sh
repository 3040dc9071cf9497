#!/bin/sh
# expect-exit.sh CODE COMMAND..: succeeds when the command ends with that exit code. Its messages go to stdout.
expected=$1
shift
"$@" 2>&1
code=$?
[ "$code" -eq "$expected" ] || { echo "expected exit code $expected, got $code"; exit 1; }
