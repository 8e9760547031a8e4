# A predicate that can come true, and one that cannot.
cat >door.std <<END
main|fork(a)|1
main|fork(b)|1
a|mark(open)|door.c:3
a|mark(shut)|door.c:5
b|mark(open)|door.c:3
b|mark(shut)|door.c:5
END
heddle check --detect='at(a, "open") && at(b, "open")' --detect='at(a, "shut") && !at(a, "shut")' door.std | sed 's/([0-9.]* s)/(TIME)/'
echo "status ${PIPESTATUS[0]}"
heddle check --ask=race --detect='at(' door.std | sed 's/([0-9.]* s)/(TIME)/'
echo "status ${PIPESTATUS[0]}"
