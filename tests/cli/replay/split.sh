# A word that threads access in different widths: an access of all of it has several events, but
# comes as a whole, and a shorter run does not split it as the recording does.
cat >split.c <<'C'
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
union {
    uint64_t whole;
    uint32_t half[2];
    unsigned char byte[8];
} word;
static atomic_int go;
static void *halves(void *unused) {
    word.half[0] = 1;
    go++;
    word.half[1] = 2;
    return unused;
}
static void *whole(void *unused) {
    go++;
    word.whole = 5;
    go++;
    return unused;
}
static void *byte(void *unused) {
    go++;
    word.byte[3] = 7;
    return unused;
}
int main(void) {
    pthread_t threads[3];
    pthread_create(&threads[0], NULL, halves, NULL);
    pthread_create(&threads[1], NULL, whole, NULL);
    pthread_create(&threads[2], NULL, byte, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
C
heddle cc -O1 -o split split.c
for seed in 1 3 6; do
    heddle record -q --seed=$seed -o split.htr ./split
    heddle race --all --witness=race.std split.htr >/dev/null
    for witness in race.std*; do
        heddle replay ./split $witness 2>&1 | grep -oE 'shown: .*|diverges.*|.*as a whole'
    done
    rm race.std*
done
