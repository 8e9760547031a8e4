# Another write that leaves the same value is no difference to --values.
printf 'm|w(x=1)|\nm|fork(a)|\nm|fork(b)|\na|r(x=1)|7\nb|w(x=1)|8\n' >same.std
printf 'm|w(x=1)|\nm|fork(a)|\nm|fork(b)|\na|r(x=1)|7\nb|w(x=2)|8\n' >other.std
for trace in same other; do
    heddle nondet --summary --thread=a $trace.std | head -1
    heddle nondet --summary --thread=a --values $trace.std | head -1
done
heddle nondet --paper --values same.std
echo "status $?"
