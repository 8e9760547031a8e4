# Every schedule is a witness that validate accepts; first is before second.
heddle generate locks 4 300 --seed=7 | awk '{ print $0 "f.c:" NR % 23 }' >t.std
heddle race --json --all -o w.std t.std >a.json
echo "status $?"
jq -ce '[.complete, .result.races == (.findings | length), (.result.races > 20)],
    (all(.findings[]; .first < .second))' a.json
for i in $(jq -r '.findings[].witness' a.json | shuf -n 30 --random-source=t.std); do
    heddle validate --quiet t.std "$i" >out || cat out
done
# One for each pair of places, and no pair twice.
heddle race --json t.std >b.json
jq -ce '[.findings[] | [.first_location, .second_location] | sort] | length == (unique | length)' b.json
jq -ce --slurpfile all a.json '([.findings[] | [.first_location, .second_location] | sort] | unique) ==
    ([$all[0].findings[] | [.first_location, .second_location] | sort] | unique)' b.json
