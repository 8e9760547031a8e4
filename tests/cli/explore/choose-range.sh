# A range of heddle_choose that has nothing in it fails; one that is not tried whole is not
# complete, with figures; nor is an input that is asked for before main.
cat >range.cc <<'EOF'
#include <cassert>
#include <climits>
#include <cstdlib>
#include <heddle/mark.h>
#ifdef STATIC
static long long input = heddle_choose(LOW, HIGH);
int main() {
    assert(input != 2);
}
#elif defined(EXIT)
static void last() {
    if (heddle_choose(LOW, HIGH) == 2)
        abort();
}
int main() {
    atexit(last);
}
#else
int main() {
    long long input = heddle_choose(LOW, HIGH);
    assert(input != 2);
}
#endif
EOF
try() {
    local how=$1
    shift
    heddle c++ -g -w -I$ROOT/include $how -o range range.cc
    heddle explore -q --json "$@" ./range >answer.json
    echo "$how $*: status $?"
    jq -c '[.result.executions, .result.violations], (.findings[] | .rule, .message),
        (.verdict.notes // [] | .[] | .text),
        (.verdict.rests_on[] | select(.code == "inputs" and .what != null) | .what, .text)' answer.json
}
try '-DLOW=7 -DHIGH=3'
try '-DLOW=7 -DHIGH=3' --misuse=note
try '-DLOW=7 -DHIGH=7'
try '-DLOW=3 -DHIGH=66'
try '-DLOW=3 -DHIGH=67'
try '-DLOW=LLONG_MIN -DHIGH=LLONG_MAX'
try '-DLOW=0 -DHIGH=3'
try '-DLOW=0 -DHIGH=3 -DEXIT'
try '-DLOW=0 -DHIGH=3 -DSTATIC'
heddle c++ -g -w -I$ROOT/include -DLOW=7 -DHIGH=3 -DSTATIC -o range range.cc
heddle explore ./range
echo "status $?"
