# Everything that info can show, on a small trace.
cat >a.std <<'END'
main|fork(T1)|m.c:1
main|acq(m)|m.c:2
main|acq(m)|m.c:2
T1|tryfail(m)|w.c:1
main|w4(x=1)|m.c:3
main|rel(m)|
main|rel(m)|
T1|acq(m)|w.c:2
T1|r4(x=1)|w.c:3
T1|aw(flag=1)|
T1|rel(m)|
T1|wait(c)|
main|ar(flag)|
main|notify(c)|
T1|wake(c)|
main|racq(rw)|
T1|racq(rw)|
T1|rrel(rw)|
main|rrel(rw)|
T1|bin(b)|
T1|bout(b)|
T1|send(s)|
main|recv(s)|
main|begin(f)|
main|end(f)|
main|mark(done=1)|
main|join(T1)|
END
heddle info a.std
