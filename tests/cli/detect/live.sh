# Beside a program that runs: a state is printed while it does, and it is ended in order.
heddle cc -I$ROOT/include -O1 -o server $ROOT/examples/detect/server.c
heddle detect --online -e 'count(commit) > 1' -- ./server >found
echo "status $?"
sed -E "s|$ROOT|\$ROOT|; "'s/[0-9,]+ events/N events/; s/  main[^|]*$/  STATE/; s/[0-9][0-9,]*/N/g' found |
    sed -nE '1p; /commit.*$/p; /checked/p; /program/p' | sort -u

# The program waits until what it did was found.
cat >waits.c <<'END'
#include <heddle/mark.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>
void *open_it(void *line) {
    HEDDLE_MARK("open");
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
(read -r line; echo "$line" >input; cat >rest) <answer &
heddle detect --online --all --max=2 -e 'mutex(open, open)' -- ./waits <>input >answer
echo "status $?"
wait
cat rest

# Ctrl-C ends both; so does a time.
heddle detect --online -e 'count(commit) > 3' -- ./server >stopped &
sleep 0.3
kill -INT $!
wait $!
echo "status $?"
sed -E '/was ahead/d; s/[0-9,]+ (events|waits)/N \1/' stopped
heddle detect --online --time=300ms -e 'count(commit) > 3' -- ./server | head -1
echo "status ${PIPESTATUS[0]}"

# How it ended, if it did so by itself.
heddle detect --online -e 'count(open) > 2' -- ./waits </dev/null
echo "status $?"
heddle cc -o crash $ROOT/tests/native/crash.c
heddle detect --online -e 'count(open) > 2' -- ./crash | tail -1
heddle detect --online --json -e 'mutex(open, open)' -- ./waits </dev/null |
    jq -c '[.complete, .result.found, .findings[0].proved]'

# What cannot be asked.
for predicate in deadlock 'done(main)'; do
    heddle detect --online -e "$predicate" -- ./waits
    echo "status $?"
done
heddle detect --online -e race -- /bin/true
echo "status $?"
heddle detect --online -e race -- ./missing x
echo "status $?"
heddle detect --online --definitely -e race -- ./waits
echo "status $?"
heddle detect --online --free --seed=3 -e race -- ./waits
echo "status $?"
heddle detect --free -e race trace.std
echo "status $?"
