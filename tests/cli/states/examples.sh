# The counts of the dissertation's figures, for every class of states.
cd "$ROOT/tests/data/examples"
grep -v '^#' expected.tsv | cut -f 1-9 | while IFS=$'\t' read -r name threads poset rest; do
    case $name in name | fig5.3* | fig6.7) continue ;; esac
    got=$(heddle states --json "$name.std" | jq -r '.result | .states, (.threads | join(" "))')
    [[ $got == "$poset"$'\n'"$threads" ]] || echo "$name: $got, not $poset, $threads"
    set -- $rest
    for class in consistent feasible lock-free viable strongly-feasible reachable; do
        got=$(heddle states --json --model loset --class "$class" "$name.std" | jq .result.states)
        [[ $got == "$1" ]] || echo "$name: $got $class states, not $1"
        shift
    done
done
echo done
