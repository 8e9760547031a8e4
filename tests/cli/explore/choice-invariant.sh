# A choice after which an invariant is checked: that it fails in one way does not hide the others,
# and what the check reads in any way counts as read.
cat >ways.hdm <<'END'
shared z;
invariant (z != 1);
thread t { z = choose(1, 3); assert (z != 2); }
END
cat >reads.hdm <<'END'
shared x, y, z;
invariant (z != 2 || x == y);
thread a { z = choose(0, 2); z = 0; }
thread b { atomic { x = 1; y = 1; } x = 2; y = 2; }
END
for algorithm in naive dpor sdpor odpor epor epor-sh auto; do
    echo "$algorithm: $(heddle explore -a $algorithm --stop=never ways.hdm | grep -cE 'assertion failed|invariant does')" \
        "$(heddle explore -a $algorithm --stop=never reads.hdm | grep -cE 'invariant does')"
done
