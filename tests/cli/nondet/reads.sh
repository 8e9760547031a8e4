# One witness a read: as many reads as in full, and what was not asked is counted.
heddle generate bank 3 6 --accounts 2 -o t.std
full=$(heddle nondet --json --summary t.std | jq .result.nondeterministic_reads)
heddle nondet --json --summary --reads t.std >r.json
echo "status $?"
jq --argjson full "$full" '.result | .nondeterministic_reads == $full,
    (.witnesses | .possible == .feasible + .infeasible + .unknown + .unasked, .unasked > 0)' r.json
heddle nondet --reads --summary t.std | grep -E 'decided|not asked'
heddle nondet --reads --all t.std
echo "status $?"
