# A loset that is no run: classes, valid posets, one state, predicates.
cat > cross.loset <<'END'
# two processes take two locks in opposite orders
loset
process P1
  acq(a)
  @x acq(b)
  mark(both)
  rel(b)
  rel(a)
process P2
  acq(b)|second.c:3
  @y acq(a)
  rel(a)
  rel(b)
END
heddle states cross.loset
for class in consistent feasible lock-free viable strongly-feasible reachable; do
    heddle states --class=$class cross.loset | head -1
done
heddle states --posets cross.loset
heddle states --posets --list cross.loset
heddle states --posets --list --json cross.loset | grep -o '"posets.*' | head -1
heddle states --reach P1=1,P2=2 cross.loset
heddle detect cross.loset deadlock
echo "status $?"
# The same with an order.
{ cat cross.loset; echo 'before x y'; } > ordered.loset
heddle states ordered.loset | head -1
heddle detect ordered.loset 'held(P1, a) && held(P2, b)' | head -1
# No run at all: each process waits for the other inside its scope.
cat > none.loset <<'END'
loset
process P1
  @a acq(l)
  @b mark(in)
  rel(l)
process P2
  @c acq(l)
  @d mark(in)
  rel(l)
before a d
before c b
END
heddle states --posets none.loset | head -1
heddle states none.loset | head -1
heddle states -c feasible none.loset | head -1
heddle detect none.loset 'done(P1)' | head -1
heddle detect -c lock-free none.loset 'done(P1)'
echo "status $?"
# 3 holds in each of two processes: C(6, 3) orders of them.
{ echo loset; for p in P1 P2; do echo "process $p"; for i in 1 2 3; do echo "acq(l)"; echo "rel(l)"; done; done; } > many.loset
heddle states --posets many.loset | head -1
{ echo loset; for p in 1 2 3 4 5; do printf 'process P%s\nacq(l)\nrel(l)\n' $p; done; } > many.loset
heddle states --posets many.loset | head -1
heddle generate handover 3 2 | heddle states --posets - | head -1
for a in '1 1 1' '2 2 2' '3 3 3' '4 3 2'; do
    heddle generate tableaux $a -o t.loset
    heddle states t.loset | head -1
done
