# A failure of a recorded run has its place, and the fingerprint of the same one that is explored.
cat > late.c << 'END'
#include <assert.h>
#include <pthread.h>
static _Atomic int x;
static void *set(void *none) {
    x = 1;
    return none;
}
int main(void) {
    pthread_t a;
    pthread_create(&a, 0, set, 0);
    pthread_join(a, 0);
    assert(x == 0);
}
END
for ask in race race,explore; do
    heddle check -q --json --ask=$ask late.c |
        jq -c '.findings[] | [.rule, .message, (.places[] | .file, .line), .fingerprint, .found_by]'
done
