# Whether one state is reachable, as the list of all has it; with a schedule that is valid.
# In make test-long only.
examples=$ROOT/tests/data/examples
every_state() { # TRACE OPTION...
    local trace=$1 names counts wanted
    shift
    heddle states "$@" --json --list "$trace" >all.json
    python3 - <<'END' >vectors
import itertools, json
result = json.load(open("all.json"))["result"]
most = [max(state[i] for state in result["list"]) for i in range(len(result["threads"]))]
for vector in itertools.product(*(range(count + 1) for count in most)):
    state = ",".join(f"{name}={count}" for name, count in zip(result["threads"], vector))
    print(state, 1 if list(vector) in result["list"] else 0)
END
    wrong=0 all=0 there=0
    while read -r state wanted; do
        rm -f w.std
        heddle states "$@" --reach="$state" -o w.std "$trace" >answer
        local status=$?
        [ $status = "$wanted" ] || { wrong=$((wrong + 1)); echo "$state: $status"; }
        if [ $status = 1 ] && [ $((all % 3)) = 0 ]; then
            heddle validate "$trace" w.std >/dev/null || echo "$state: not valid"
        fi
        all=$((all + 1)) there=$((there + wanted))
    done <vectors
    echo "$(basename "$trace") $*: $there of $all, $wrong wrong"
}
every_state "$examples/fig5.2.std" --model=loset
every_state "$examples/fig5.2.std"
every_state "$examples/normal-drops.std" --model=loset
every_state "$examples/fig1.8a-wait.std"

echo '-- text'
heddle states --reach=t1=3,t3=4,t2=2 --model=loset "$examples/fig1.8a.std"
heddle states --reach=t1=2,t3=4 "$examples/fig1.8a.std"
heddle states --reach=t3=2 "$examples/fig1.8a-wait.std"
heddle states --reach=t1=1,t3=0 --model=loset "$examples/fig1.8a.std"
echo "status $?"
heddle states --reach=t1=2,t3=4 --json "$examples/fig1.8a.std" | python3 -c '
import json, sys
print(json.dumps(json.load(sys.stdin)["result"]))'

echo '-- wrong'
for state in '' t1 t1= =1 t1=x t1=-1 t1=1x t1=99 t9=1 t1=1,t1=2 t1=1, t1=99999999999999999999; do
    heddle states --reach="$state" "$examples/fig1.8a.std"
    echo "status $?"
done
heddle states --reach=t1=1 --list "$examples/fig1.8a.std"
heddle states --reach=t1=1 --model=loset --class=viable "$examples/fig1.8a.std"
heddle states --witness=w.std "$examples/fig1.8a.std"
echo "status $?"
