# The schedule is a witness, also where reads change and where none may.
cat >a.std <<'END'
a|w(x=1)|1
b|r(x=1)|2
b|mark(late)|3
a|mark(early)|4
END
heddle detect -o w.std a.std 'at(b, late) && pos(a) == 0'
echo "status $?"
cat w.std
heddle validate a.std w.std
heddle detect --keep-reads a.std 'at(b, late) && pos(a) == 0'
echo "status $?"
heddle detect --keep-reads --explain -o w.std a.std 'at(b, late)'
echo "status $?"
heddle validate a.std w.std
