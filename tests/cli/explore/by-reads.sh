# Several strategies run, and unfold is the first to be done: it answers.  Each thread updates a
# variable of its own under one lock, which makes 9! traces and one class by reads-from.
for i in 1 2 3 4 5 6 7 8 9; do
    echo "shared x$i; thread t$i { lock m; x$i = x$i + 1; unlock m; }"
done | (echo 'mutex m;' && cat) >nine.hdm
heddle explore --json nine.hdm |
    jq -c '.complete, (.result | .algorithm, .executions, .events, .strategies[0])'
heddle explore nine.hdm | grep -E 'algorithm|search'
# With a failure that only one order of reads has.
{
    cat nine.hdm
    echo 'shared seen; thread last { lock m; seen = x9 * 10 + x1; unlock m; assert (seen != 10); }'
} >ten.hdm
heddle explore --json ten.hdm | jq -c '[.findings[] | .rule, .message], .result.algorithm'
