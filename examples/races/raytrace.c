/*
 * A small ray tracer, after mtrt of the paper's table 1: threads take lines of a picture and
 * trace one ray a pixel through a scene of spheres.
 *
 * Lines are handed out under a lock and pixels belong to one thread, but rays that hit the
 * mirror count their reflections in a global that has no lock.  Few lines have the mirror in
 * them.  With FIXED reflections are counted under StatLock.
 */
#include <pthread.h>
#include <stdlib.h>

enum { MOST = 8, WIDTH = 6, HEIGHT = 6, SPHERES = 3 };

typedef struct sphere {
    int x, y, radius, colour, mirror;
} sphere;

static const sphere scene[SPHERES] = {{1, 1, 1, 3, 0}, {4, 4, 1, 5, 1}, {4, 1, 1, 7, 0}};
static pthread_mutex_t LineLock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t StatLock = PTHREAD_MUTEX_INITIALIZER;
static unsigned char picture[HEIGHT][WIDTH];
static int next_line;
static int reflections;

static void reflect(void) {
#ifdef FIXED
    pthread_mutex_lock(&StatLock);
#endif
    reflections++;
#ifdef FIXED
    pthread_mutex_unlock(&StatLock);
#endif
}

static int trace(int x, int y) {
    for (int i = 0; i < SPHERES; i++) {
        int dx = x - scene[i].x, dy = y - scene[i].y;
        if (dx * dx + dy * dy > scene[i].radius * scene[i].radius)
            continue;
        if (!scene[i].mirror)
            return scene[i].colour;
        reflect();
        return trace(WIDTH - 1 - x, HEIGHT - 1 - y);
    }
    return 0;
}

static int take_line(void) {
    pthread_mutex_lock(&LineLock);
    int line = next_line < HEIGHT ? next_line++ : -1;
    pthread_mutex_unlock(&LineLock);
    return line;
}

static void *render(void *argument) {
    int line;
    (void)argument;
    while ((line = take_line()) >= 0)
        for (int x = 0; x < WIDTH; x++)
            picture[line][x] = (unsigned char)trace(x, line);
    return NULL;
}

int main(int count, char **words) {
    pthread_t threads[MOST];
    int workers = count > 1 ? atoi(words[1]) : 2;
    if (workers < 1 || workers > MOST)
        return 2;
    pthread_mutex_lock(&StatLock);
    reflections = 0;
    pthread_mutex_unlock(&StatLock);
    for (int i = 0; i < workers; i++)
        pthread_create(&threads[i], NULL, render, NULL);
    for (int i = 0; i < workers; i++)
        pthread_join(threads[i], NULL);
    return picture[1][1] == 3 ? 0 : 1;
}
