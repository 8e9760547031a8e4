# A range of heddle_choose that has nothing in it fails; one that is not tried whole is not
# complete, with figures; nor is an input that is asked for before main.
# In make test-long only.
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
int main(int, char **words) {
    long long input = heddle_choose(atoll(words[1]), atoll(words[2]));
    assert(input != 2);
}
#endif
EOF
try() {
    local how=$1
    shift
    heddle explore -q --json "$@" >answer.json
    echo "[\"$how $*: status $?\"]" | cat - answer.json
}
build() {
    heddle c++ -g -w -I$ROOT/include "$@" -o range range.cc
}
{
build
try main ./range 7 3
try main --misuse=note ./range 7 3
try main ./range 7 7
try main ./range 3 66
try main ./range 3 67
try main -- ./range -9223372036854775808 9223372036854775807
try main ./range 0 3
build -DLOW=0 -DHIGH=3 -DEXIT
try exit ./range
build -DLOW=0 -DHIGH=3 -DSTATIC
try static ./range
} | jq -r 'if type == "array" then .[] else
    ([.result.executions, .result.violations], (.findings[] | .rule, .message),
        (.verdict.notes // [] | .[] | .text),
        (.verdict.rests_on[] | select(.code == "inputs" and .what != null) | .what, .text)) | tojson end'
build -DLOW=7 -DHIGH=3 -DSTATIC
heddle explore ./range
echo "status $?"
