# The release and the wait of a condition wait are one step, online as offline and in `states`.
ask() {
    heddle detect "$@" >answer
    local status=$?
    head -1 answer
    echo "status $status"
}
cat >wait.std <<'END'
T1|acq(L)|
T1|rel(L)|
T1|wait(c)|
T2|acq(L)|
END
ask wait.std 'held(T2, L)'
ask --online wait.std 'held(T2, L)'
ask --online wait.std 'pos(T1) == 2'
heddle states --list wait.std

echo '-- the release is the last event'
head -2 wait.std >short.std
ask short.std 'pos(T1) == 2'
ask --online short.std 'pos(T1) == 2'

echo '-- a race behind a wait'
cat >race.std <<'END'
M|acq(m)|
M|fork(A)|
M|fork(B)|
M|rel(m)|
M|wait(c)|
A|acq(m)|
A|rel(m)|
A|w(x)|
B|acq(m)|
B|rel(m)|
B|w(x)|
END
ask race.std race
ask --online race.std race

echo '-- of two that wait, the later one is woken'
cat >other.std <<'END'
A|wait(c)|
B|wait(c)|
C|notify(c)|
B|wake(c)|
C|w(x)|
END
ask --online other.std 'pos(C) > 5'
ask --online other.std 'pos(C) == 1 && pos(A) == 0'
ask --online other.std 'pos(C) == 1 && pos(B) == 0'
ask other.std 'pos(C) == 1 && pos(B) == 0'

echo '-- held back until it wakes, or the window is full'
cat >late.std <<'END'
A|wait(c)|
B|wait(c)|
C|notify(c)|
C|w(x)|
C|w(x)|
C|w(x)|
C|w(x)|
B|wake(c)|
END
ask --online late.std 'pos(C) == 2 && pos(B) == 0'
ask --online --window=4 late.std 'pos(C) == 2 && pos(B) == 0'
ask --online --window=40 late.std 'pos(C) == 2 && pos(A) == 0'

echo '-- semaphores in a growing loset'
printf '%s\n' 'A|post(s)|' 'B|take(s)|' >take.std
ask --online --model=loset --class=consistent take.std 'pos(B) == 1'
ask --model=loset --class=consistent take.std 'pos(A) == 0 && pos(B) == 1'
ask --model=loset take.std 'pos(B) == 1'
heddle states --model=loset --list take.std
