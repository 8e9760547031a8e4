/* A thread for each argument after the first, which is that of main: letters say what it does. */
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>

enum { MOST = 3 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static sem_t units;
static pthread_t thread[MOST];
static const char *script[MOST];
static int flag, length;
static char said[256];

static void say(char who, char what) {
    said[length++] = who;
    said[length++] = what;
}

static void locked_say(char who, char what) {
    pthread_mutex_lock(&mutex);
    say(who, what);
    pthread_mutex_unlock(&mutex);
}

static void clean(void *who) {
    say(*(const char *)who, 'C');
    pthread_mutex_unlock(&mutex);
}

static void wait_for_signal(char who, char how) {
    const struct timespec past = {1, 0};
    int error = 0;
    pthread_mutex_lock(&mutex);
    pthread_cleanup_push(clean, &who);
    if (how == 'n')
        while (!flag)
            pthread_cond_wait(&condition, &mutex);
    else
        error = how == 't' ? pthread_cond_timedwait(&condition, &mutex, &past)
                           : pthread_cond_wait(&condition, &mutex);
    say(who, error == ETIMEDOUT ? 'T' : error ? '?' : how);
    pthread_cleanup_pop(0);
    pthread_mutex_unlock(&mutex);
}

static void *nothing(void *unused) {
    return unused;
}

static void join_child(void) {
    pthread_t child;
    pthread_create(&child, NULL, nothing, NULL);
    pthread_join(child, NULL);
}

static void act(char who, char what) {
    int old;
    switch (what) {
    case 'w': /* wait, with a time limit that has passed, for the flag */
    case 't':
    case 'n':
        wait_for_signal(who, what);
        break;
    case 's':
        sem_wait(&units);
        locked_say(who, what);
        break;
    case 'j':
        join_child();
        locked_say(who, what);
        break;
    case 'l':
        locked_say(who, what);
        break;
    case 'p':
        sem_post(&units);
        break;
    case 'g':
        pthread_cond_signal(&condition);
        break;
    case 'b':
        pthread_cond_broadcast(&condition);
        break;
    case 'd':
        pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &old);
        break;
    case 'e':
        pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, &old);
        break;
    case 'c':
        pthread_testcancel();
        break;
    case 'x':
        pthread_cancel(pthread_self());
        break;
    case '(':
        pthread_mutex_lock(&mutex);
        break;
    case ')':
        pthread_mutex_unlock(&mutex);
        break;
    case 'F': /* with the mutex */
        flag = 1;
        break;
    default:
        pthread_cancel(thread[what - '0']);
        break;
    }
}

static void *work(void *number) {
    for (const char *at = *(const char **)number; *at; at++)
        act((char)('0' + ((const char **)number - script)), *at);
    return NULL;
}

int main(int count, char **argument) {
    int value;
    char end[MOST + 1] = "";
    sem_init(&units, 0, 0);
    for (int i = 0; i < count - 2; i++) {
        script[i] = argument[i + 2];
        pthread_create(&thread[i], NULL, work, &script[i]);
    }
    for (const char *at = argument[1]; *at; at++)
        act('m', *at);
    for (int i = 0; i < count - 2; i++) {
        void *result;
        pthread_join(thread[i], &result);
        end[i] = result == PTHREAD_CANCELED ? 'c' : 'r';
    }
    sem_getvalue(&units, &value);
    printf("%s %s %d", said, end, value);
    return 0;
}
