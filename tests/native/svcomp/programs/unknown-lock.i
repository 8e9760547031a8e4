// refused: with a pthread_mutex_t that is not known here
# 1 "unknown-lock.c"
typedef unsigned int size_t;
typedef struct { int state; } pthread_mutex_t;
extern int pthread_mutex_lock (pthread_mutex_t *);
pthread_mutex_t guard;
int main() { return pthread_mutex_lock(&guard); }
