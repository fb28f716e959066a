#!/usr/bin/env bash
# Runs the public conformance suite against the reference server:
#
#   run.sh PATH_TO_TROUPE [options of suite.sh]
#
# It starts `troupe serve` on a free port, runs the suite with this folder's
# baseline, strictly (a line that no longer fails is an error, too), and stops
# the server. It needs Node.js with npm, and installs the pinned suite from npm.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
troupe=$1
shift
log=$(mktemp)
"$troupe" serve --listen 127.0.0.1:0 --log-format json >"$log" 2>&1 &
server=$!
trap 'kill "$server" 2>/dev/null || true; wait "$server" 2>/dev/null || true; rm -f "$log"' EXIT
addr=
for _ in $(seq 100); do
  addr=$(sed -n 's/.*"msg":"listening","addr":"\([^"]*\)".*/\1/p' "$log")
  [ -z "$addr" ] || break
  kill -0 "$server" 2>/dev/null || { cat "$log" >&2; exit 2; }
  sleep 0.1
done
[ -n "$addr" ] || { echo "the server does not listen" >&2; exit 2; }
"$here/suite.sh" --baseline "$here/baseline.txt" --strict-baseline "$@" "http://$addr/mcp" 2026-07-28
