// Stores that are not aligned, packed, of odd sizes: what is written is what is there behind them.
//@ levels 0 2
// clang-format off
//@ outcomes 0:1111222222220000,1.0.1 0:1111111122220000,1.0.1 0:1111222222220000,1.2.1 0:1111111122220000,1.2.1
// clang-format on
#include <pthread.h>
#include <stdio.h>

union {
    unsigned char byte[8];
    unsigned half[2];
    unsigned long long whole;
} shared;

struct __attribute__((packed)) packed {
    unsigned value;
};

struct odd {
    int a, b, c;
} odd;

static void *aligned(void *unused) {
    shared.half[1] = 0x11111111;
    odd = (struct odd){1, 0, 1};
    return unused;
}

static void *packed(void *unused) {
    ((struct packed *)(shared.byte + 2))->value = 0x22222222;
    odd.b = 2;
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, aligned, NULL);
    pthread_create(&b, NULL, packed, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    printf("%llx,%d.%d.%d", shared.whole, odd.a, odd.b, odd.c);
    return 0;
}
