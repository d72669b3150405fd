#!/bin/sh
# Starts the local run with less memory. Node reads these settings before any code runs:
# - MALLOC_ARENA_MAX: each function is a thread, and glibc would keep memory for each thread.
# - --max-semi-space-size (MB): each thread has a young generation, which Node would let grow to 16 MB.
# - --single-threaded-gc: threads collect their own garbage, instead of waking helpers for it.
MALLOC_ARENA_MAX=2 exec node --max-semi-space-size=4 --single-threaded-gc local/start.ts "$@"
