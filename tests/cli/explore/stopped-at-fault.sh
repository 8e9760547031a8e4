# A run that heddle stops at a failure which is not looked for: what would have come after it is not
# known, so the search is not complete.
cat >first.c <<'C'
#include <pthread.h>
#include <stdlib.h>
static int word;
static void *overflow(void *block) {
    ((char *)block)[4] = 1;
    return NULL;
}
static void *write_word(void *unused) {
    word = 1;
    return unused;
}
int main(void) {
    char *block = malloc(4);
    pthread_t a, b;
    pthread_create(&a, NULL, overflow, block);
    pthread_join(a, NULL);
    pthread_create(&a, NULL, write_word, NULL);
    pthread_create(&b, NULL, write_word, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
C
heddle cc -O1 -o first first.c
for find in race deadlock outcome; do
    heddle explore --find=$find ./first | sed -n '1p; s/^  search  *//p'
    echo "status ${PIPESTATUS[0]}"
done
heddle nondet ./first | head -1
echo "status ${PIPESTATUS[0]}"
heddle explore ./first | head -1

# Something else than the schedule decides.
cat >pid.c <<'C'
#include <stdio.h>
#include <unistd.h>
int main(void) {
    char number[32] = "";
    readlink("/proc/self", number, sizeof number - 1);
    printf("%s\n", number);
    return 0;
}
C
heddle cc -o pid pid.c
heddle nondet -q --json ./pid 2>/dev/null | jq -c '[.verdict.complete, (.verdict.why_not[].code)]'
echo "status ${PIPESTATUS[0]}"
