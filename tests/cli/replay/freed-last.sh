# The free of a block whose last page has no other access is an event, so the replay counts as the
# recording does.
cat >prints.c <<'C'
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
static atomic_int turn;
static void *(*volatile take)(size_t) = malloc; /* so that it is not left out */
static void *print(void *word) {
    for (int i = 0; i < 3; i++) {
        turn++;
        free(take(4096));
        turn++;
    }
    return word;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, print, "a");
    pthread_create(&b, NULL, print, "b");
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
C
heddle cc -O1 -w -o prints prints.c
for seed in 1 2 3; do
    heddle record -q --seed=$seed -o prints.htr ./prints >/dev/null
    heddle convert prints.htr prints.std 2>/dev/null
    grep -c '|free4096(' prints.std
    heddle replay ./prints prints.htr 2>&1 | grep -E 'followed|diverges'
done
