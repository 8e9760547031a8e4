# Standard output under two numbers, and a file under both: who writes first shows.
cat >two.c <<'C'
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>
static int other;
static void *write_one(void *file) {
    write(*(int *)file, file == &other ? "B" : "A", 1);
    return NULL;
}
int main(void) {
    int output = 1, file = -1;
    char first = 'A';
    pthread_t a, b;
#ifdef ELSEWHERE
    file = open("kept", O_CREAT | O_TRUNC | O_RDWR, 0600);
    dup2(file, 1);
#endif
#ifdef APART
    other = dup(open("/dev/null", O_WRONLY));
#else
    other = dup(1);
#endif
    pthread_create(&a, NULL, write_one, &output);
    pthread_create(&b, NULL, write_one, &other);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    pread(file, &first, 1, 0);
    return first != 'A';
}
C
for flags in -DSAME -DAPART -DELSEWHERE; do
    heddle cc -O1 -w $flags -o two two.c
    heddle nondet -q ./two 2>/dev/null | head -1
    echo "status ${PIPESTATUS[0]}"
done
