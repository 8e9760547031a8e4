# By reads-from: as few runs as needed, or each class once; what it cannot do is said.
cp "$ROOT"/examples/models/{locked-readers,blind-writers,locked-cells,philosophers,peterson-broken}.hdm .
heddle explore --classes=reads locked-readers.hdm
for model in *.hdm; do
    for way in --algorithm=sdpor --algorithm=unfold --classes=reads; do
        echo "\"$way\""
        heddle explore --json --stop=never $way "$model"
    done
done | jq -r '. as $way | input | [.input.file, $way, .result.algorithm, .result.executions,
    .result.deadlocks, .result.violations, (.findings | length)] | @tsv'
heddle explore --algorithm=unfold -o w.std philosophers.hdm | head -12
heddle replay philosophers.hdm w.std | tail -3
printf 'shared x;\ninvariant (x < 2);\nthread t { x = choose(0, 2); }\n' >choice.hdm
heddle explore --algorithm=unfold choice.hdm | head -4
heddle explore --classes=reads choice.hdm
echo "status $?"
