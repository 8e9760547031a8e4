# In make test-long only.
# As recorded: other programs.
. "$TESTDIR/recorded.words"
ask barrier.c 4 1 tournament
ask daisy.c 2 5
ask philo.c 3 1
ask synch_bench.c 3 1
ask thrift.cc 2 2 1
