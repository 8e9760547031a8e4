# As observed, a take gets the oldest unit that was posted: b's post and the write before it are not
# ordered before m's read.  Only a's are.
printf '%s\n' 'a|w(x)|1' 'a|post(s)|2' 'b|w(y)|3' 'b|post(s)|4' 'm|take(s)|5' 'm|r(x)|6' \
    'm|r(y)|7' > posters.std
heddle race posters.std | grep -E '^race|races'
heddle race --method=hb posters.std | grep -E '^race|races'
heddle race --method=shb posters.std | grep -E '^race|races'
heddle detect posters.std race | grep -v '^ '
heddle detect --online posters.std race | grep -v '^ '
# With both units taken, both are ordered; b's is not before the first take.
printf '%s\n' 'a|w(x)|1' 'a|post(s)|2' 'b|w(y)|3' 'b|post(s)|4' 'm|take(s)|5' 'm|take(s)|6' \
    'm|r(x)|7' 'm|r(y)|8' > both.std
heddle race --method=hb both.std | grep -E 'races'
heddle detect both.std race | grep -v '^ '
heddle detect --online both.std race | grep -v '^ '
# shb claims a race for each report: here the relaxed read says that a's post came first, and then
# the second take is after both.
printf '%s\n' 'a|w(x)|1' 'a|post(s)|2' 'a|aw.relaxed(f)|3' 'b|ar.relaxed(f)|4' 'b|post(s)|5' \
    'm|take(s)|6' 'n|take(s)|7' 'n|r(x)|8' > relaxed.std
heddle race relaxed.std | grep -E '^race|races'
heddle race --method=shb relaxed.std | grep -E '^race|races'
heddle race --method=hb relaxed.std | grep -E '^race|races'
true
