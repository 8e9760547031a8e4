// A thread uses an object while exit destroys it.
// Alone: the object is there whatever main does.
#include <pthread.h>
struct table {
    int *rows = new int(1);
    ~table() {
        delete rows;
        rows = nullptr;
    }
};
static table all;
static void *uses(void *unused) {
    if (all.rows)
        *all.rows = 2;
    return unused;
}
int main() {
    pthread_t thread;
    pthread_create(&thread, nullptr, uses, nullptr);
#ifdef CLEAN
    pthread_join(thread, nullptr);
#else
    pthread_detach(thread);
#endif
    return 0;
}
