# What an event needs is before it.
check() { printf '%s\n' "$@" >w.std; heddle validate -q t.std w.std; echo "status $?"; }
printf 'm|fork(a)|\na|w(x)|\na|w(y)|\nm|join(a)|\n' >t.std
check 'a|w(x)|' 'm|fork(a)|'
check 'm|fork(a)|' 'a|w(x)|' 'm|join(a)|'
printf 'a|acq(l)|\na|rel(l)|\na|wait(c)|\nb|notify(c)|\na|wake(c)|\n' >t.std
check 'b|notify(c)|'
check 'a|acq(l)|' 'a|rel(l)|' 'a|wait(c)|' 'a|wake(c)|'
check 'a|acq(l)|' 'a|rel(l)|'
check 'a|acq(l)|' 'a|rel(l)|' 'b|notify(c)|' 'a|wait(c)|'
printf 'a|send(s)|\nb|recv(s)|\na|bin(b)|\nb|bin(b)|\na|bout(b)|\n' >t.std
check 'b|recv(s)|'
check 'a|send(s)|' 'a|bin(b)|' 'a|bout(b)|'
printf 'a|racq(l)|\nb|acq(k)|\nb|rel(k)|\na|rrel(l)|\nb|acq(l)|\nb|rel(l)|\na|tryfail(l)|\n' >t.std
check 'b|acq(k)|' 'b|rel(k)|' 'a|racq(l)|' 'b|acq(l)|'
check 'a|racq(l)|' 'a|rrel(l)|' 'a|tryfail(l)|'
