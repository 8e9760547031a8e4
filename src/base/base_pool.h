/*
 * A thread pool.  Jobs run in any order on `threads` threads; hd_pool_wait
 * returns when all jobs submitted so far, and those they submitted, are done.
 * With one thread no thread is started and a job runs inside hd_pool_submit,
 * so single-threaded runs are plain calls.  A job works for who submitted it (base_worker.h): what
 * is fatal in it is passed on by hd_pool_wait or hd_pool_free, when all have ended.
 */
#ifndef HD_BASE_POOL_H
#define HD_BASE_POOL_H

typedef struct hd_pool hd_pool;
typedef void hd_pool_job(void *context, unsigned worker); /* worker: 0..threads-1 */

hd_pool *hd_pool_create(unsigned threads); /* 0: one per core that this process may use */
unsigned hd_pool_cores(void);              /* that this process may use */
unsigned hd_pool_threads(const hd_pool *pool);
void hd_pool_submit(hd_pool *pool, hd_pool_job *job, void *context);
void hd_pool_wait(hd_pool *pool); /* not from inside a job */
void hd_pool_free(hd_pool *pool); /* waits first */

#endif
