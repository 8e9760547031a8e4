// Preprocessed for 32 bits long ago: old parameters and inline functions, a function that is not
// declared, and a mutex that is smaller than it is here.
// word: explore --sv-comp = unknown, 3, [data-model]
// word: check --sv-comp = unknown, 3
// word: race --sv-comp = unknown, 3, [data-model]
# 1 "old.c"
# 1 "/usr/include/pthread.h" 1 3 4
typedef unsigned int size_t;
typedef unsigned long int pthread_t;
typedef union
{
  char __size[36];
  long int __align;
} pthread_attr_t;
typedef union
{
  struct
  {
    int __lock;
    unsigned int __count;
    int __owner;
  } __data;
  char __size[24];
  long int __align;
} pthread_mutex_t;
extern int pthread_create (pthread_t *__restrict, const pthread_attr_t *__restrict, void *(*) (void *), void *__restrict);
extern int pthread_join (pthread_t, void **);
extern int pthread_mutex_lock (pthread_mutex_t *);
extern int pthread_mutex_unlock (pthread_mutex_t *);
extern void __assert_fail (__const char *__assertion, __const char *__file, unsigned int __line, __const char *__function) __attribute__ ((__nothrow__)) __attribute__ ((__noreturn__));
# 3 "old.c" 2
extern void __VERIFIER_error();
inline int sum(int a, int b) { return a + b; }
struct account { pthread_mutex_t guard; int money; } account = { { { 0, 0, 0 } }, 5 };
void pay(to, amount) struct account *to; int amount; {
  pthread_mutex_lock(&to->guard);
  to->money = sum(to->money, amount);
  pthread_mutex_unlock(&to->guard);
}
void *payer(void *unused) {
  pay(&account, 1);
  return 0;
}
main() {
  pthread_t thread;
  pthread_create(&thread, 0, payer, 0);
  pay(&account, 2);
  pthread_join(thread, 0);
  if (is_wrong(account.money)) { ERROR: __VERIFIER_error(); }
  return 0;
}
is_wrong(money) { return money != 8; }
