# The same of both formats, but for the first line; from a pipe too.
heddle generate locks 4 300 --rwlocks 300 --waits 200 --barriers 50 --semaphores 100 -o a.std
heddle convert a.std a.htr
heddle info a.std >text
heddle info a.htr >binary
heddle info - <a.htr >pipe
head -n 1 text binary pipe
cmp <(tail -n +2 text) <(tail -n +2 binary) && cmp <(tail -n +2 text) <(tail -n +2 pipe)
