#!/usr/bin/env bash
# Checks the examples and shows each command with its output: bash examples/demo.sh PIGRO
# Ends with 0 if every command ended as it should, with the documented exit code.
set -euo pipefail
cd "$(dirname "$0")/.."
pigro=${1:-pigro}

# run CODE ARGUMENT...: shows `pigro ARGUMENT...`, runs it, and insists on its exit code.
run() {
  local expected=$1 code=0 argument
  shift
  printf '$ %s' "$pigro"
  for argument in "$@"; do
    if [[ $argument == *[^A-Za-z0-9_./:=-]* ]]; then printf " '%s'" "$argument"; else printf ' %s' "$argument"; fi
  done
  echo
  "$pigro" "$@" 2>&1 || code=$?
  echo
  if [[ $code -ne $expected ]]; then
    echo "demo: that command ended with exit code $code, not $expected" >&2
    exit 1
  fi
}

echo '# A Java program as a model: main() stores i, calls a(), then b() computes i = i * i.'
echo '# What b() stores is never read again, so the first formula fails (exit code 1).'
run 1 check examples/dataflow.rsm -f examples/dataflow.ctl

echo '# A component that calls itself, to any depth, asked with statistics.'
run 1 check examples/choices.rsm 'EF EG black' 'AG EF black' --stats

echo '# LTL and CTL*: a protocol over channels that lose messages, with fairness as an assumption.'
run 1 check examples/protocol.smv -f examples/protocol.ctl

echo '# The same answers for programs.'
run 0 check examples/dataflow.rsm 'AF use_i' --format json

echo '# A mistake in a formula is shown where it is (exit code 2).'
run 2 check examples/dataflow.rsm 'AG (def_i -> EF use_i'

echo '# Now your own model:'
echo "#   $pigro check YOUR.rsm 'AG (request -> AF answer)'"
if [[ $pigro == */* ]]; then
  echo '# So that the command is `pigro`, put its folder on your path:'
  echo "#   export PATH=\"$(cd "$(dirname "$pigro")" && pwd):\$PATH\""
fi
