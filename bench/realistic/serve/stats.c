/* What the server has done. */
#include "serve.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static counts all;

void stats_request(size_t bytes, bool error) {
    pthread_mutex_lock(&lock);
    all.requests++;
    all.errors += error;
    all.bytes += bytes;
    pthread_mutex_unlock(&lock);
}

void stats_cache(bool hit) {
#if BUG == 8
    if (hit)
        all.hits++; /* bug 8 */
    else
        all.misses++; /* bug 8 */
#else
    pthread_mutex_lock(&lock);
    if (hit)
        all.hits++;
    else
        all.misses++;
    pthread_mutex_unlock(&lock);
#endif
}

counts stats_get(void) {
    counts copy;
    pthread_mutex_lock(&lock);
    copy = all; /* bug 8 */
    pthread_mutex_unlock(&lock);
    return copy;
}
