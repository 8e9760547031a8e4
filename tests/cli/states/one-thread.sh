# One thread; a thread that was forked and has no event is no component.
echo 'a|w(x)|' >b.std
heddle states --list --model=loset b.std
printf 'm|fork(c)|\nm|w(x)|\n' >c.std
heddle states --list c.std
# By first event, not by first mention.
printf 'm|fork(c)|\nm|fork(b)|\nb|w(x)|\nc|w(y)|\nc|w(y)|\n' >d.std
heddle states --json d.std | jq -c .result.threads
