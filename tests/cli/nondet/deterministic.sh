# Nothing to find: status 0.
printf 'm|w(x=1)|\nm|fork(a)|\na|r(x=1)|\na|w(x=2)|\nm|join(a)|\nm|r(x=2)|\n' >t.std
heddle nondet t.std
echo "status $?"
heddle nondet --json t.std | jq -ce '[.complete, .result.reads, .result.nondeterministic_reads, .findings]'
