# The whole answer, but for the counts of the algorithm.
cat >publish.hdm <<END
shared ready, data;
thread writer { ready = 1; data = 42; }
thread reader { await (ready == 1); assert (data == 42); }
END
heddle explore publish.hdm
echo "status $?"
