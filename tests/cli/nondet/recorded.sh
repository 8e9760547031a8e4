# Programs after the subjects of Sinha, Malik and Gupta, recorded: they end well, both ways of
# deciding ask about the same witnesses, and what the exact one shows has checked schedules.
H=$ROOT/examples/nondet
ask() {
  source=$1; shift
  case $source in *.cc) make=c++ ;; *) make=cc ;; esac
  heddle $make -O1 -g -pthread -o program $H/$source || return
  for seed in 1 2; do
    heddle record -q --seed=$seed -o run.htr ./program "$@" >/dev/null || echo "$source: record $?"
    heddle nondet --json --summary run.htr >exact.json
    echo "$source: status $?"
    heddle nondet --paper --json --summary run.htr >paper.json
    for answer in exact paper; do
      grep -o '"witnesses": {"possible": [0-9]*' $answer.json >$answer
      grep -q '"unknown": 0, "unknown_reads": 0' $answer.json || echo "$source: unknown"
    done
    cmp exact paper
  done
}
ask account.c 3 1
ask barrier.c 3 1
ask bounded_buffer.c 2 2 2 1
ask bubble_sort.c 4
ask conpool.c 3 1 1
ask elevator.c 2 3 2 6
ask ping_pong.c 2 2 1
