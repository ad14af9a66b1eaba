#!/bin/sh
# Prints the folder for what tests write: in memory where 2 GB are free there and programs may run from it, which saves a
# fifth of the processor of a test with stores. In a container there is seldom such a folder; then as ever.
memory=/dev/shm
free=$(df -Pk $memory 2>/dev/null | awk 'NR == 2 { print $4 }')
if [ "${free:-0}" -ge 2000000 ] && [ -w $memory ] && ! grep -q " $memory [^ ]* [^ ]*noexec" /proc/mounts; then
  echo $memory
else
  echo "${TMPDIR:-/tmp}"
fi
