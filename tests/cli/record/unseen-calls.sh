# A function of a library that heddle does not know: its name is in the recording.
printf 'void fill(char *to) { to[0] = 1; }\n' > lib.c
gcc -shared -fPIC -o libfill.so lib.c
cat > main.c << 'END'
#include <pthread.h>
void fill(char *);
static char text[4];
static void *work(void *none) {
    return none;
}
int main(void) {
    pthread_t thread;
#ifdef BEFORE
    fill(text);
#endif
    pthread_create(&thread, 0, work, 0);
#ifndef BEFORE
    fill(text);
#endif
    pthread_join(thread, 0);
    return 0;
}
END
for way in "" --free; do
    for when in AFTER BEFORE; do
        heddle cc -D$when -o main main.c -L. -lfill -Wl,-rpath,.
        heddle record -q $way -o run.htr ./main
        heddle race run.htr > said
        echo "$way $when: status $?"
        heddle convert -q run.htr - --to=text | grep '# heddle: unseen'
    done
done
true
