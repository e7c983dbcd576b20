#!/usr/bin/env bash
# check.sh - tests ./dev itself, quickly, with the environment that is there.
# Prints TAP, and the counts at the end.
#
# SPDX-License-Identifier: GPL-3.0-or-later

set -uo pipefail

top=$(dirname "$(dirname "$(dirname "$(readlink -f "$0")")")")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$top" || exit 1

number=0 passed=0 failed=0

# is EXPECTED STATUS DESCRIPTION: STATUS is what the command ended with
is ()
{
  number=$((number + 1))
  if [ "$1" = "$2" ]; then
    passed=$((passed + 1))
    echo "ok $number $3"
  else
    failed=$((failed + 1))
    echo "not ok $number $3"
    echo "# expected $1, got $2"
    sed 's/^/# /' "$work/output"
  fi
}

# try COMMAND...: sets `status`; the output goes to a file
try ()
{
  status=0
  "$@" > "$work/output" 2>&1 < /dev/null || status=$?
}

says ()
{
  if grep -q -E -e "$1" "$work/output"; then echo yes; else echo no; fi
}

try ./dev help
is 0 $status 'help ends well'
for verb in setup build test demo batch gegl gimp shell bench format lint \
            help; do
  is yes "$(says "^ +$verb\b")" "help names $verb"
done
try ./dev
is 0 $status 'no verb gives the help'
try ./dev nonsense
is 2 $status 'an unknown verb ends with 2'
is yes "$(says nonsense)" 'an unknown verb is named'
try ./dev --nonsense shell
is 2 $status 'an unknown option ends with 2'
try ./dev --gimp 2.10 shell true
is 2 $status 'an unknown GIMP ends with 2'
try ./dev batch
is 2 $status 'batch without a script ends with 2'

try ./dev setup
is 0 $status 'setup, again'
start=${EPOCHREALTIME/./}
try ./dev shell true
is 0 $status 'shell true'
is yes "$( ((${EPOCHREALTIME/./} - start < 2000000)) && echo yes)" \
  'shell true takes less than 2 s'
try ./dev shell sh -c 'exit 7'
is 7 $status 'the exit status passes through the shell'
# shellcheck disable=SC2016
try ./dev shell sh -c 'kill -TERM $$'
is 143 $status 'death by a signal passes through the shell'
try ./dev shell printf '<%s>' 'a b' '' '*'
is '<a b><><*>' "$(cat "$work/output")" 'arguments pass through unchanged'
echo text > "$work/file"
(cd "$work" && try "$top/dev" shell cat file; cat output > both)
is text "$(cat "$work/both")" 'shell works where it is called'
try ./dev shell pkg-config --atleast-version=3.0 gimp-3.0
is 0 $status 'GIMP 3 is there'

# Script-Fu in GIMP, with an empty build folder
mkdir -p "$work/build/plugin/operations" "$work/build/plugin/procedures"
cat > "$work/run.sh" << 'RUN'
. tests/gimp-env.sh "$1"
shift
gimp_batch "$@"
RUN
batch ()
{
  try ./dev shell bash "$work/run.sh" "$work/build" "$@"
}

batch -e '(display "five")'
is 0 $status 'batch: an expression ends well'
is five "$(cat "$work/output")" 'batch: prints what the script prints only'
batch -e '(car 5)'
is yes "$([ $status != 0 ] && echo yes)" 'batch: an error gives a bad status'
is yes "$(says 'car: argument 1')" 'batch: an error is shown'
batch -e '(begin'
is yes "$([ $status != 0 ] && echo yes)" 'batch: so does a syntax error'
printf '(script-fu-use-v3)\n(display "from a file")\n' > "$work/a \"b.scm"
batch "$work/a \"b.scm"
is 0 $status 'batch: a script file ends well'
is 'from a file' "$(cat "$work/output")" 'batch: runs a script file'
printf '(gimp-image-new 0 0 0)\n' > "$work/bad.scm"
batch "$work/bad.scm"
is yes "$([ $status != 0 ] && echo yes)" 'batch: an error in a file, too'
batch "$work/missing.scm"
is yes "$([ $status != 0 ] && echo yes)" 'batch: so does a missing file'
batch -e '(make-vector 100000 0)'
is yes "$([ $status != 0 ] && echo yes)" 'batch: out of memory is an error'
batch -e '(gimp-message "words")'
is yes "$(says words)" 'batch: messages are shown'

# several at once
for i in 1 2 3; do
  ./dev shell bash "$work/run.sh" "$work/build" -e "(display $i)" \
    > "$work/out$i" 2>&1 < /dev/null &
done
wait
is 123 "$(cat "$work/out1" "$work/out2" "$work/out3")" 'batch: three at once'

echo "1..$number"
echo "$passed passed, $failed failed, 0 skipped"
[ $failed = 0 ]
