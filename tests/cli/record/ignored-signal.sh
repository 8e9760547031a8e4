# A program that ignores the signal that asks heddle to end has no second to react to it.  What is
# written, if it takes long, is said; a second signal ends that, and nothing is kept.
# In make test-long only.
cat >ignores.c <<'C'
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>
static volatile long x;
int main(int count, char **words) {
    signal(SIGTERM, SIG_IGN);
    for (long i = count > 1 ? atol(words[1]) : 0; i; i--)
        x++;
    close(open("ready", O_CREAT | O_WRONLY, 0600));
    for (;;)
        pause();
}
C
heddle cc -O1 -o ignores ignores.c
begin() { # with so many rounds; until they are done
    rm -f ready
    heddle record -o run.htr ./ignores "$1" 2>messages &
    for _ in $(seq 1000); do [ -e ready ] && break; sleep 0.05; done
}
# The machine may be busy: the fastest of some is taken.
for _ in $(seq 6); do
    begin 10
    before=$(date +%s%N)
    kill -TERM $!
    wait $!
    status=$?
    took=$((($(date +%s%N) - before) / 1000000))
    [ $took -lt 800 ] && break
done
[ $took -lt 800 ] && echo 'it ends at once' || echo "it ends after $took ms"
echo "status $status"
sed 's/[0-9,]* events/N events/' messages

echo 'many events'
begin 1000000
kill -TERM $!
wait $!
echo "status $?"
sed 's/[0-9,]* events/N events/' messages
heddle info run.htr | head -1 | sed 's|[0-9,]* events|N events|'

echo 'a second signal'
rm run.htr
begin 3000000
kill -TERM $!
for _ in $(seq 1000); do grep -q writes messages && break; sleep 0.01; done
sleep 0.25
kill -TERM $!
wait $!
echo "status $?"
sed 's/[0-9,]* events/N events/' messages
ls run.htr* 2>/dev/null || echo 'nothing is kept'
