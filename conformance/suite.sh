#!/usr/bin/env bash
# Runs the pinned MCP conformance suite (server mode) against a running server
# and prints one table per spec version with totals.
#
#   suite.sh [options] URL [TARGET...]
#
# TARGET is a spec version, an extension, or one of both with its own URL:
#   2025-06-18 | 2025-11-25 | 2026-07-28 | tasks | skills
#   2026-07-28=http://127.0.0.1:4000/mcp
# Without TARGETs: 2025-06-18 2025-11-25 2026-07-28.
#
# Options:
#   --baseline FILE     known failures; one per line: TARGET SCENARIO[:CHECK-ID]
#                       (TARGET may be *; text after # is a comment)
#   --strict-baseline   a baseline line that no longer fails is an error too
#   --warnings          a WARNING counts as a failure (SHOULD-level checks)
#   --timeout MS        per scenario (default 30000)
#   --out DIR           keep the raw results there (default: a temporary folder)
#   --cache DIR         where the suite and Node are installed
#                       (default: ${XDG_CACHE_HOME:-~/.cache}/mcp-conformance)
#   --list              only list the scenarios of each TARGET (no URL needed)
#   --quiet             only failing or warning scenarios and the totals
#
# Exit: 0 nothing unexpected failed, 1 a check failed that the baseline does not
# name (or a scenario gave no result), 2 usage, install or harness error.
set -euo pipefail

SUITE_VERSION=${MCP_CONFORMANCE_VERSION:-0.2.0-alpha.12}
NODE_VERSION=${MCP_CONFORMANCE_NODE:-22.23.3}   # used where `node` is older than 22
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

die() { echo "conformance: $*" >&2; exit 2; }
need() { [ -n "${2:-}" ] || die "$1 needs a value"; printf '%s' "$2"; }

baseline= strict=0 warnings=0 timeout=30000 out= quiet=0 list=0
cache=${XDG_CACHE_HOME:-$HOME/.cache}/mcp-conformance
url= ; targets=()
while [ $# -gt 0 ]; do
  case $1 in
    --baseline) baseline=$(need "$1" "${2:-}"); shift 2 ;;
    --strict-baseline) strict=1; shift ;;
    --warnings) warnings=1; shift ;;
    --timeout) timeout=$(need "$1" "${2:-}"); shift 2 ;;
    --out) out=$(need "$1" "${2:-}"); shift 2 ;;
    --cache) cache=$(need "$1" "${2:-}"); shift 2 ;;
    --list) list=1; shift ;;
    --quiet) quiet=1; shift ;;
    -h|--help) sed -n '2,28p' "${BASH_SOURCE[0]}" | sed 's/^# \{0,1\}//'; exit 0 ;;
    -*) die "unknown option $1" ;;
    http://*|https://*) url=$1; shift ;;
    *) targets+=("$1"); shift ;;
  esac
done
[ ${#targets[@]} -gt 0 ] || targets=(2025-06-18 2025-11-25 2026-07-28)
[ -z "$baseline" ] || [ -f "$baseline" ] || die "no such baseline: $baseline"

# --- Node >= 22 (the suite uses fs.globSync) --------------------------------
node=$(command -v node || true)
major=0; [ -n "$node" ] && major=$("$node" -p 'process.versions.node.split(".")[0]')
if [ "$major" -lt 22 ]; then
  case $(uname -m) in x86_64) arch=x64 ;; aarch64|arm64) arch=arm64 ;; *) die "no Node >= 22 and no package for $(uname -m)" ;; esac
  ndir=$cache/node-$NODE_VERSION
  node=$ndir/node_modules/node-linux-$arch/bin/node
  if [ ! -x "$node" ]; then
    command -v npm >/dev/null || die "need Node >= 22, or npm to install one"
    mkdir -p "$ndir"; echo '{"private":true}' >"$ndir/package.json"
    npm install --prefix "$ndir" --ignore-scripts --no-audit --no-fund --loglevel error \
      "node-linux-$arch@$NODE_VERSION" >&2 || die "cannot install Node $NODE_VERSION"
  fi
fi

# --- the suite ---------------------------------------------------------------
sdir=$cache/suite-$SUITE_VERSION
cli=$sdir/node_modules/@modelcontextprotocol/conformance/dist/index.js
if [ ! -f "$sdir/.ok" ]; then
  rm -rf "$sdir"; mkdir -p "$sdir"
  common=(--prefix "$sdir" --ignore-scripts --no-audit --no-fund --loglevel error)
  if [ -f "$here/suite-lock/package-lock.json" ] &&
     grep -q "\"@modelcontextprotocol/conformance\": \"$SUITE_VERSION\"" "$here/suite-lock/package.json"; then
    cp "$here/suite-lock/package.json" "$here/suite-lock/package-lock.json" "$sdir/"
    npm ci "${common[@]}" >&2 || die "cannot install the suite"
  else
    echo '{"private":true}' >"$sdir/package.json"
    npm install "${common[@]}" --save-exact "@modelcontextprotocol/conformance@$SUITE_VERSION" >&2 ||
      die "cannot install the suite"
  fi
  touch "$sdir/.ok"
fi

# Scenario names of a target, from the suite itself.
names() {
  case $1 in
    tasks)  "$node" "$cli" list --server | sed -n 's/^  - \(tasks-[^ ]*\) .*/\1/p' ;;
    skills) "$node" "$cli" list --server | sed -n 's/^  - \(sep-2640-[^ ]*\) .*/\1/p' ;;
    20*)    "$node" "$cli" list --server --spec-version "$1" | sed -n 's/^  - \([^ ]*\) .*/\1/p' ;;
    *)      die "unknown target $1" ;;
  esac
}

tmp=; if [ -z "$out" ]; then tmp=$(mktemp -d); out=$tmp; fi
trap '[ -z "$tmp" ] || rm -rf "$tmp"' EXIT
mkdir -p "$out"; out=$(cd "$out" && pwd)
if [ -n "$baseline" ]; then baseline=$(cd "$(dirname "$baseline")" && pwd)/$(basename "$baseline"); fi

done_targets=()
for t in "${targets[@]}"; do
  name=${t%%=*}; u=$url; [ "$t" = "$name" ] || u=${t#*=}
  expected=$(names "$name"); [ -n "$expected" ] || die "no scenarios for $name"
  if [ $list = 1 ]; then echo "$name: $(wc -l <<<"$expected") scenarios"; sed 's/^/  /' <<<"$expected"; continue; fi
  [ -n "$u" ] || die "no URL for $name"
  dir=$out/$name; rm -rf "$dir"; mkdir -p "$dir"
  printf '%s\n' "$expected" >"$dir/expected"
  echo "running $name ($(wc -l <<<"$expected") scenarios) against $u" >&2
  case $name in
    tasks|skills)  # extension scenarios: --spec-version would skip them
      for s in $expected; do
        "$node" "$cli" server --url "$u" --scenario "$s" --timeout "$timeout" -o "$dir/raw" >>"$dir/log" 2>&1 || true
      done ;;
    *)
      "$node" "$cli" server --url "$u" --suite all --spec-version "$name" --timeout "$timeout" \
        -o "$dir/raw" >"$dir/log" 2>&1 || true ;;
  esac
  done_targets+=("$name")
done
[ $list = 0 ] || exit 0

export OUT=$out BASELINE=$baseline STRICT=$strict WARNINGS=$warnings QUIET=$quiet
status=0
"$node" - "${done_targets[@]}" <<'JS' || status=$?
const fs = require('fs'), path = require('path');
const { OUT, BASELINE, STRICT, WARNINGS, QUIET } = process.env;
const known = !BASELINE ? [] : fs.readFileSync(BASELINE, 'utf8').split('\n')
  .map(l => l.replace(/#.*/, '').trim()).filter(Boolean).map(l => {
    const [target, what, extra] = l.split(/\s+/);
    if (!what || extra) { console.error(`bad baseline line: ${l}`); process.exit(2); }
    const i = what.indexOf(':');
    return { line: l, target, scenario: i < 0 ? what : what.slice(0, i), id: i < 0 ? null : what.slice(i + 1), hits: 0, ran: false };
  });
const bad = s => s === 'FAILURE' || (WARNINGS === '1' && s === 'WARNING');
const sum = { pass: 0, fail: 0, known: 0, skip: 0 }, unexpected = [], totals = [];
const pad = (s, n) => String(s).padEnd(n), num = (s, n) => String(s).padStart(n);
for (const target of process.argv.slice(2)) {
  const dir = path.join(OUT, target), raw = path.join(dir, 'raw'), got = new Map();
  for (const d of fs.existsSync(raw) ? fs.readdirSync(raw) : []) {
    const m = /^server-(.+)-\d{4}-\d\d-\d\dT[\d-]+Z$/.exec(d), f = path.join(raw, d, 'checks.json');
    if (m && fs.existsSync(f)) got.set(m[1], JSON.parse(fs.readFileSync(f, 'utf8')));
  }
  const T = { target, scenarios: 0, ok: 0, SUCCESS: 0, FAILURE: 0, WARNING: 0, SKIPPED: 0, INFO: 0, known: 0 };
  console.log(`\n${pad(target, 50)} ${num('pass', 5)} ${num('fail', 5)} ${num('known', 5)} ${num('warn', 5)} ${num('skip', 5)} ${num('info', 5)}`);
  for (const s of fs.readFileSync(path.join(dir, 'expected'), 'utf8').split('\n').filter(Boolean)) {
    const checks = got.get(s) ?? [{ id: 'no-result', status: 'FAILURE', errorMessage: `the suite wrote no result; see its log` }];
    const c = { SUCCESS: 0, FAILURE: 0, WARNING: 0, SKIPPED: 0, INFO: 0, known: 0 }, notes = [];
    for (const k of known) if ((k.target === '*' || k.target === target) && k.scenario === s) k.ran = true;
    for (const x of checks) {
      let st = x.status;
      if (bad(st)) {
        const hit = known.filter(k => (k.target === '*' || k.target === target) && k.scenario === s && (!k.id || k.id === x.id));
        hit.forEach(k => k.hits++);
        if (hit.length) st = 'known';
        else { unexpected.push(`${target} ${s}:${x.id}`); if (st === 'WARNING') st = 'FAILURE'; }
        notes.push(`      ${hit.length ? 'known' : 'FAIL '} ${x.id}: ${(x.errorMessage ?? x.description ?? '').replace(/\s+/g, ' ').slice(0, 220)}`);
      } else if (st === 'WARNING') notes.push(`      warn  ${x.id}: ${(x.errorMessage ?? x.details?.message ?? '').replace(/\s+/g, ' ').slice(0, 220)}`);
      c[st]++;
    }
    for (const k of Object.keys(c)) T[k] += c[k];
    T.scenarios++; if (!c.FAILURE) T.ok++;
    if (QUIET !== '1' || notes.length)
      console.log(`${c.FAILURE ? '✗' : '✓'} ${pad(s, 48)} ${num(c.SUCCESS, 5)} ${num(c.FAILURE, 5)} ${num(c.known, 5)} ${num(c.WARNING, 5)} ${num(c.SKIPPED, 5)} ${num(c.INFO, 5)}`);
    notes.forEach(n => console.log(n));
  }
  totals.push(T);
}
console.log(`\n${pad('total', 12)} ${num('scenarios', 10)} ${num('clean', 6)} ${num('pass', 6)} ${num('fail', 6)} ${num('known', 6)} ${num('warn', 6)} ${num('skip', 6)} ${num('info', 6)}`);
for (const t of totals) {
  console.log(`${pad(t.target, 12)} ${num(t.scenarios, 10)} ${num(t.ok, 6)} ${num(t.SUCCESS, 6)} ${num(t.FAILURE, 6)} ${num(t.known, 6)} ${num(t.WARNING, 6)} ${num(t.SKIPPED, 6)} ${num(t.INFO, 6)}`);
  sum.pass += t.SUCCESS; sum.fail += t.FAILURE; sum.skip += t.SKIPPED + t.known;
}
const stale = known.filter(k => k.ran && !k.hits);
if (stale.length) console.log(`\nbaseline lines that no longer fail:\n${stale.map(k => '  ' + k.line).join('\n')}`);
if (unexpected.length) console.log(`\nunexpected failures (in the form a baseline takes):\n${[...new Set(unexpected)].map(u => '  ' + u).join('\n')}`);
console.log(`\nconformance: ${sum.pass} passed, ${sum.fail} failed, ${sum.skip} skipped`);
process.exit(unexpected.length || (STRICT === '1' && stale.length) ? 1 : 0);
JS
[ $status -le 1 ] || exit 2
exit $status
