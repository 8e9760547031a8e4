# One line each, status 2.
printf 'shared x;\nthread t { x = 1; }\n' >m.hdm
check() { heddle explore "$@"; echo "status $?"; }
check --algorithm=none m.hdm
check --stop=sometimes m.hdm
check --classes=all m.hdm
check --classes=reads --algorithm=sdpor m.hdm
check --classes=traces --algorithm=unfold m.hdm
check --classes=reads --bound=preemptions=1 m.hdm
check --classes=reads --random=3 m.hdm
check --executions=0 m.hdm
check --executions=many m.hdm
check --depth=-1 m.hdm
for time in 0 -1 1x '' . 1. .5 1e3 nan inf 99999999999 5mm; do check "--time=$time" m.hdm; done
for time in 60 60s 2m 1h 0.5 250ms 0.5m; do heddle explore --time=$time m.hdm | head -1; done
check -o - m.hdm
check --dot=- m.hdm
check
check m.hdm m.hdm
check --dot=none/g.dot m.hdm
printf 'thread t { assert (false); }\n' >bad.hdm
check -o none/w.std bad.hdm
