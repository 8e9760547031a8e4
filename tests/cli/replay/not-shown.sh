# A witness without events claims its steps only; a mended model does not fail.
cat >m.hdm <<END
shared x;
thread a { x = 1; }
thread b { assert (x == 0); }
END
heddle explore m.hdm -o w.std >/dev/null
sed -i '/^[ab]|/d' w.std
heddle replay -q m.hdm w.std
echo "status $?"
sed -i 's/x == 0/x < 2/' m.hdm
heddle replay m.hdm w.std
echo "status $?"
sed -i 's/violation/stuck/' w.std
heddle replay -q m.hdm w.std
echo "status $?"
sed -i 's/b:0//; /^# steps/d' w.std
heddle replay -q m.hdm w.std
echo "status $?"
