#!/bin/sh
# Runs a program of the local run on the Node of node_modules.
case $PWD in
  *[#?]*)
    echo "error: Vite, which builds the console, cannot work in a folder with # or ? in its path: $PWD" >&2
    exit 1
    ;;
esac
# All servers are on this machine: no proxy is between.
unset NODE_USE_ENV_PROXY
# With less memory. Node reads these settings before any code runs:
# - MALLOC_ARENA_MAX: each function is a thread, and glibc would keep memory for each thread.
# - --max-semi-space-size (MB): each thread has a young generation, which Node would let grow to 16 MB.
# - --single-threaded-gc: threads collect their own garbage, instead of waking helpers for it.
MALLOC_ARENA_MAX=2 exec node_modules/.bin/node --max-semi-space-size=4 --single-threaded-gc "$@"
