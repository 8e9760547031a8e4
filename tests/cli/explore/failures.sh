# Each way to fail, with its rule.
check() {
    printf "shared x, a[2];\nmutex m;\ncond c;\nthread t { $1 }\n" >m.hdm
    heddle explore --json m.hdm
}
{
    check 'assert (x);'
    check 'x = 1 / x;'
    check 'a[x + 2] = 1;'
    check 'unlock m;'
    check 'wait c, m;'
    check 'while (true) skip;'
    check 'atomic { while (true) skip; }'
    check 'await (x == 1);'
} | jq -r '.findings[0] | .rule + ": " + .location + ": " + .message'
