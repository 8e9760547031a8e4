# Programs after the subjects of Sinha, Malik and Gupta, recorded: they end well, both ways of
# deciding ask about the same witnesses, and what the exact one shows has checked schedules.
# In make test-long only.
. "$TESTDIR/recorded.words"
ask account.c 3 1
ask barrier.c 3 1
ask bounded_buffer.c 2 2 2 1
ask bubble_sort.c 4
ask conpool.c 3 1 1
ask elevator.c 2 3 2 6
ask liveness.c 3 1 1
ask ping_pong.c 2 2 1
