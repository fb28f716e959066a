#!/usr/bin/env bash
# Runs the public MCP conformance suite against a troupe command.
#
#   conformance/run.sh COMMAND [OPTION...]     options of suite.sh, such as --quiet or --out DIR
#
# baseline.txt names the checks that fail for now; a check that fails and is not
# named there is an error, and so is a line that no longer fails.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
[ $# -ge 1 ] || { echo "usage: conformance/run.sh COMMAND [OPTION...]" >&2; exit 2; }
command=$1; shift

log=$(mktemp)
"$command" serve --listen 127.0.0.1:0 2>"$log" &
server=$!
trap 'kill "$server" 2>/dev/null || true; wait "$server" 2>/dev/null || true; rm -f "$log"' EXIT

addr=
for _ in $(seq 100); do
  addr=$(sed -n 's/.*msg=listening addr=\([^ ]*\).*/\1/p' "$log")
  [ -z "$addr" ] || break
  kill -0 "$server" 2>/dev/null || break
  sleep 0.1
done
[ -n "$addr" ] || { echo "the server does not listen:" >&2; cat "$log" >&2; exit 2; }

"$here/suite.sh" --baseline "$here/baseline.txt" --strict-baseline "$@" "http://$addr/mcp" 2026-07-28
