# --accept: codes that are not there are bad usage, before any work; what it names is no longer in
# the way of status 0, and stays in the answer.  Nothing can be accepted of why a search is not
# complete.
printf '# heddle: guessed\na|w(x)|a.c:1\n' >none.std
for list in nonsense memory-model,nonsense unseen-code: library limit ''; do
    heddle race --accept="$list" none.std >/dev/null
    echo "'$list': status $?"
done
for list in inputs guessed-order:other inputs,guessed-order; do
    heddle race -q --accept=$list none.std
    echo "'$list': status $?"
done
heddle race -q --json --accept=guessed-order none.std >answer.json
jq -c '[.complete, .verdict.rests_on[1].trust, .verdict.rests_on[1].figures]' answer.json
heddle report answer.json | tail -3
echo "report: status ${PIPESTATUS[0]}"
printf 'a|w(x)|a.c:1\n# heddle: incomplete lost=2\n' >lost.std
heddle race -q --accept=recording,guessed-order --accept=inputs lost.std | head -3
for command in explore race deadlock nondet detect states check report; do
    heddle $command --help | grep -c -e '--accept=LIST'
done
heddle help verdict | head -12
