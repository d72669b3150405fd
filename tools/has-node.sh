#!/bin/sh
# Each script of package.json passes here before it runs anything: "npm ci" puts its Node, and all else, into node_modules.
if ! node_modules/.bin/node --version > /dev/null 2>&1; then
  echo 'error: node_modules has no Node. Run "npm ci" with install scripts (without --ignore-scripts).' >&2
  exit 1
fi
