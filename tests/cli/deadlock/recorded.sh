# The deadlock that a recorded run ended in is found, shown and checked.
cat > run.std << 'END'
main|fork(a)|m.c:3
main|acq(k)|m.c:4
a|acq(l)|a.c:1
# heddle: ended deadlock
# heddle: next main|acq(l)|m.c:5
# heddle: next a|acq(k)|a.c:2
END
heddle deadlock -o w.std run.std; echo "status $?"
cat w.std
heddle validate run.std w.std; echo "status $?"
heddle convert run.std run.htr && heddle convert run.htr - | cmp - run.std && heddle deadlock --json run.htr | sed 's/"seconds": [^,]*/"seconds": 0/; s/"heddle": [^,]*/"heddle": ""/'
heddle info run.htr | grep -A 3 -e ended
# The events do not show it: l is free.
grep -v 'a|acq(l)' run.std > not.std
heddle deadlock not.std; echo "status $?"
# A run that was cut off, or killed, is not all of it; an exit is.
for how in 'exit 3' 'signal 11' limit 'stopped 15' exec; do
    { grep -v heddle run.std; echo "# heddle: ended $how"; } > ended.std
    heddle deadlock ended.std | sed -n 1,2p; echo "status ${PIPESTATUS[0]}"
done
