# The counts of the dissertation's figures, for every class of states.
work=$PWD
cd "$ROOT/tests/data/examples"
grep -v '^#' expected.tsv | cut -f 1-9 | while IFS=$'\t' read -r name threads poset rest; do
    case $name in name | fig5.3* | fig6.7) continue ;; esac
    heddle states --json "$name.std"
    echo "$name: $poset $threads" >>"$work/wanted"
    set -- $rest
    for class in consistent feasible lock-free viable strongly-feasible reachable; do
        heddle states --json --model loset --class "$class" "$name.std"
        echo "$name $class: $1" >>"$work/wanted"
        shift
    done
done >"$work/answers"
cd "$work"
jq -r '.result | if .model == "loset" then "\(.states)" else "\(.states) \(.threads | join(" "))" end' \
    answers >got
cut -d: -f1 wanted | paste -d: - <(sed 's/^/ /' got) | diff wanted -
echo done
