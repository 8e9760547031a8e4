# A thread without an end is cut off, however long it is until then.
echo 'shared x; thread a { while (1) x++; }' >endless.hdm
heddle explore -q -a naive endless.hdm | head -1
