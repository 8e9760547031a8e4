# Hundreds of threads are fine; ten thousand are refused with a clear word.
make_trace() { for i in $(seq $1); do echo "t$i|w(x=$i)|"; done; }
make_trace 300 >some.std
heddle nondet --summary some.std | head -1
make_trace 10000 >many.std
heddle nondet --summary many.std
echo "status $?"
