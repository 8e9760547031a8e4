# Two locks in opposite orders: a deadlock of the loset, none of the poset.
heddle detect $ROOT/examples/race/opposite.std deadlock
echo "status $?"
heddle detect --model=loset $ROOT/examples/race/opposite.std deadlock
echo "status $?"
# Beside a lock that another holds: a unit that nobody sent, a thread that has not ended, a
# notify that is still to come, a round that is not complete.
printf '%s\n' 'T2|acq(L)|' 'T2|send(c)|' 'T2|rel(L)|' 'T1|acq(L)|' 'T1|recv(c)|' 'T1|rel(L)|' >recv.std
printf '%s\n' 'M|fork(T1)|' 'T1|acq(L)|' 'T1|rel(L)|' 'M|acq(L)|' 'M|join(T1)|' 'M|rel(L)|' >join.std
printf '%s\n' 'T2|acq(K)|' 'T2|rel(K)|' 'T1|acq(K)|' 'T1|acq(L)|' 'T1|rel(L)|' 'T1|wait(c)|' \
    'T2|acq(L)|' 'T2|notify(c)|' 'T2|rel(L)|' 'T1|wake(c)|' 'T1|acq(L)|' 'T1|rel(L)|' 'T1|rel(K)|' >wake.std
printf '%s\n' 'T2|acq(L)|' 'T2|rel(L)|' 'T1|acq(L)|' 'T1|bin(b)|' 'T2|bin(b)|' 'T1|bout(b)|' \
    'T2|bout(b)|' 'T1|rel(L)|' >round.std
for trace in recv join wake round; do
    heddle detect $trace.std deadlock
    heddle detect --model=loset $trace.std deadlock
    echo "status $?"
    heddle detect --model=loset --count $trace.std deadlock
done
# Who is about to notify is not blocked, and neither is anybody while a unit is left.
heddle detect --model=loset $ROOT/tests/data/examples/fig1.8a-wait.std deadlock
printf '%s\n' 'T1|recv(c)|' 'T1|acq(L)|' 'T1|rel(L)|' 'T2|acq(L)|' 'T2|send(c)|' 'T2|rel(L)|' >unit.std
heddle detect --model=loset unit.std deadlock
