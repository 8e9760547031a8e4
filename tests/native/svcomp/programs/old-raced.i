// Preprocessed for 32 bits, with lines that come from another file: a witness has the file's own.
// word: explore --sv-comp = false(unreach-call), 1, [data-model]
// witness: explore --sv-comp --inputs=any:0..3 = 2 waypoints
# 1 "old-raced.c"
# 1 "/usr/include/pthread.h" 1 3 4
typedef unsigned int size_t;
typedef unsigned long int pthread_t;
typedef union
{
  char __size[36];
  long int __align;
} pthread_attr_t;
extern int pthread_create (pthread_t *__restrict, const pthread_attr_t *__restrict, void *(*) (void *), void *__restrict);
extern int pthread_join (pthread_t, void **);
# 3 "old-raced.c" 2
extern void __VERIFIER_error() __attribute__((noreturn));
extern unsigned int __VERIFIER_nondet_uint();
unsigned stock;
void *buyer(unused) void *unused; {
  stock = __VERIFIER_nondet_uint();
  return 0;
}
main() {
  pthread_t thread;
  pthread_create(&thread, 0, buyer, 0);
  if (stock == 3)
    { ERROR: __VERIFIER_error(); }
  pthread_join(thread, 0);
  return 0;
}
