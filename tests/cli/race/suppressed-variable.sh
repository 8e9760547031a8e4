# A rule that names one variable does not hide the race on another at the same two places.
cat > two.std << 'END'
M|fork(A)|
M|fork(B)|
A|w(hits)|two.c:3
B|w(hits)|two.c:5
A|w(misses)|two.c:3
B|w(misses)|two.c:5
M|join(A)|
M|join(B)|
END
echo 'variable:hits' > rules
for method in predictive hb shb lockset; do
    heddle race --method=$method --suppressions=rules two.std > out
    echo "$method: status $?"
    grep -e '^race' -e '^  suppressed' out
done
printf 'variable:hits\nvariable:misses\n' > rules
heddle race --suppressions=rules two.std | head -1
