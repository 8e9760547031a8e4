# In make test-long only.
# As recorded, which has its words: other programs.
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
ask barrier.c 4 1 tournament
ask daisy.c 2 5
ask philo.c 3 1
ask synch_bench.c 3 1
ask thrift.cc 2 2 1
