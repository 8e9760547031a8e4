# Memory that is accessed whole and in parts: what was done to the whole was done to the part.
cat >parts.c <<'END'
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
struct pair {
    int first, second;
} shared, apart[2];
void *clear(void *unused) {
    memset(&shared, 0, sizeof shared);
    apart[0].first = 1;
    return unused;
}
void *set(void *unused) {
    shared.second = 2;
    apart[1].second = 2;
    return unused;
}
int main(int argc, char **argv) {
    pthread_t a, b;
    (void)argv;
    pthread_create(&a, NULL, clear, NULL);
    if (argc > 1)
        pthread_join(a, NULL);
    pthread_create(&b, NULL, set, NULL);
    if (argc == 1)
        pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
END
heddle cc -O1 -o parts parts.c
for seed in 0 1 2 3; do
    heddle detect --online --seed=$seed -e race -- ./parts | sed -n '/last.*shared/p' | sed 's/event [0-9]*, //' | sort
done | sort -u
heddle detect --online -e race -- ./parts ordered
echo "status $?"
heddle detect --online -e 'sum("shared.second") > 1' -- ./parts ordered | sed -n '/second/p'
