# Beside a program whose threads are real.
# In make test-long only.
# (Two commits of the server that race may count as one; and how far heddle is behind a program, and
# so what it leaves out, depends on the machine.)
heddle cc -I$ROOT/include -O1 -o server $ROOT/examples/detect/server.c
heddle detect --online --free --json -e 'count(commit) > 3' -- ./server 5000 2>said |
    jq -c '[.result.found, .result.intervals, .result.lost, .result.ending]'
sed -E 's/^[0-9]+ entries/N entries/' said
heddle detect --online --free -e 'count(commit) > 3' -- ./server >stopped &
for _ in $(seq 600); do [ -n "$(cat /proc/$!/task/$!/children)" ] && break; sleep 0.05; done
sleep 1
kill -INT $!
wait $!
echo "status $?"
sed -E '/was ahead|not seen|looked at before/d; s/[0-9,]+ (events|waits)/N \1/' stopped

cat >waits.c <<'END'
#include <heddle/mark.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>
int shared;
void *open_it(void *line) {
    HEDDLE_MARK("open");
    shared++;
    return line;
}
int main(void) {
    char line[100];
    pthread_t a, b;
    pthread_create(&a, NULL, open_it, NULL);
    pthread_create(&b, NULL, open_it, NULL);
    ssize_t length = read(0, line, sizeof line);
    if (length > 0)
        fprintf(stderr, "the program has read: %.*s", (int)length, line);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 7;
}
END
heddle cc -I$ROOT/include -o waits waits.c
mkfifo input answer
(read -r line; echo "${line/event [0-9]*/event N}" >input; cat >rest) <answer &
heddle detect --online --free --all -e 'mutex(open, open)' -- ./waits <>input >answer
echo "status $?"
wait
grep program rest
heddle detect --online --free -e race -- ./waits </dev/null >raced
echo "status $?"
grep -c 'last.*shared.*waits.c:8' raced
