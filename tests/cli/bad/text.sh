# What is no trace: one line with file and line, status 2, and nothing is written.
try() {
    printf "$1" >a.std
    heddle convert a.std b.htr
    echo "status $?"
    [ -e b.htr ] && echo 'b.htr is there'
}
try 't|write(x)|\n'
try 'a|w(x)|\na|rel(l)|\n'
try 'a|acq(l)|\nb|acq(l)|\n'
try 'm|fork(a)|\nm|join(a)|\na|w(x)|\n'
try 'a|w(x)|\nm|join(a)|\na|w(x)|\n'
try 'm|fork(a)|\nm|fork(a)|\n'
try 'a|racq(l)|\na|acq(l)|\n'
try 'a|acq(l)|\nb|rel(l)|\n'
try 'a|wake(c)|\n'
try 'a|bin(b)|\na|w(x)|\n'
try 'a|end(f)|\n'
try 'a|acq(l)|\na|rel(l)|\nb|w(x)|\na|wait(c)|\n'
try 'a|w(x=9223372036854775808)|\n'
try 'a|w(x=-9223372036854775809)|\n'
try 'a|w(x=1.5)|\n'
try 'a|w65536(x)|\n'
try 'a|acq4(l)|\n'
try 'a|w(x)|1|2\n'
try 'a w(x) 1\n'
try 'a|w x|1\n'
try '|w(x)|1\n'
try 'a|w()|1\n'
try 'T0|fork(10)|\nT10|w(x)|\n10|w(x)|\n'
ls
