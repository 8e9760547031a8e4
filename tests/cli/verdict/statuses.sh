# The four statuses of every command that answers a question.
cat >two.hdm <<END
mutex a, b;
thread left { lock a; lock b; unlock b; unlock a; }
thread right { lock b; lock a; unlock a; unlock b; }
END
cat >one.hdm <<END
mutex a;
thread worker[2] { lock a; unlock a; }
END
printf 'a|w(x)|a.c:1\n' >none.std
printf 'a|w(x)|a.c:1\n# heddle: incomplete lost=2\n' >lost.std
printf 'a|w(x=1)|a.c:1\nb|w(x=2)|b.c:1\nb|r(x=2)|b.c:2\n' >race.std
printf 'a|acq(k)|\na|acq(l)|\na|rel(l)|\na|rel(k)|\nb|acq(l)|\nb|acq(k)|\nb|rel(k)|\nb|rel(l)|\n' >ring.std
printf '# heddle: guessed\na|w(x)|a.c:1\nb|acq(l)|b.c:1\n' >guessed.std
printf 'a|rel(x)|\n' >bad.std
heddle race --quiet --witness=witness.std race.std >/dev/null
printf '# heddle witness 1\n# claim: race 1 2\nb|w(x=2)|b.c:1\n' >wrong.std
say() {
    heddle "$@" >/dev/null 2>&1
    echo "$? heddle $*"
}
say explore one.hdm
say explore two.hdm
say explore bad.hdm
say explore --executions=1 one.hdm
say explore --random=5 one.hdm
say explore --algorithm=sdpor --stop=never --executions=2 two.hdm
for command in race deadlock nondet 'detect -e race' states validate; do
    for trace in none race ring bad lost guessed; do
        say $command $trace.std
    done
done
say race --method=hb none.std
say nondet --paper none.std
say detect --count none.std true
say validate race.std witness.std
say validate race.std wrong.std
for input in none.std race.std bad.std lost.std guessed.std one.hdm two.hdm; do
    say check -o "out $input" $input
done
for input in none.std race.std lost.std; do
    heddle race --json $input >answer.json 2>/dev/null
    say report answer.json
done
say report bad.std
