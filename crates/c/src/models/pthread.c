/* <pthread.h>, <semaphore.h> and <threads.h>, in programs that start threads. The first word of a lock is 0 or the number
   of the thread that has it. Waiting is an assumption in an atomic section: a thread that cannot go on is not chosen. */
typedef unsigned long __assay_thread;
__assay_thread __assay_spawn(void *(*)(void *), void *);
void *__assay_join(__assay_thread);
void __assay_thread_exit(void *);
__assay_thread __assay_current_thread(void);
void __assay_atomic_begin(void);
void __assay_atomic_end(void);
void __assay_acquire(void *);
int __assay_try_acquire(void *);
void __assay_release(void *);
void abort(void);
/* Where glibc keeps the kind of a mutex; 1 is recursive, 2 checks for errors. */
#define KIND(m) (((int *)(m))[sizeof(long) == 8 ? 4 : 3])
#define COUNT(m) (((int *)(m))[1])
#define OWNER(m) (*(int *)(m))

int pthread_create(__assay_thread *thread, const void *attributes, void *(*start)(void *), void *argument) {
  __assay_atomic_begin();
  __assay_thread number = __assay_spawn(start, argument);
  if (thread) *thread = number;
  __assay_atomic_end();
  return 0;
}
int pthread_join(__assay_thread thread, void **result) {
  void *value = __assay_join(thread);
  if (result) *result = value;
  return 0;
}
void pthread_exit(void *value) { __assay_thread_exit(value); }
__assay_thread pthread_self(void) { return __assay_current_thread(); }
int pthread_equal(__assay_thread a, __assay_thread b) { return a == b; }
int pthread_detach(__assay_thread thread) { return 0; }

/* A lock that the thread has already is given back and taken again in one step, so that it is plain to see that the thread
   has it after each way. */
static int __assay_again(void *m) {
  __assay_atomic_begin();
  int mine = OWNER(m) == (int)__assay_current_thread();
  if (mine) {
    if (KIND(m) == 1) COUNT(m)++;
    __assay_release(m);
    __assay_acquire(m);
  }
  __assay_atomic_end();
  return mine;
}
static int __assay_lock(void *m) {
  int kind = KIND(m);
  if (kind == 1 || kind == 2) {
    if (__assay_again(m)) return kind == 2 ? 35 : 0;
  }
  __assay_acquire(m);
  return 0;
}
static int __assay_try_lock(void *m) {
  if (KIND(m) == 1 && __assay_again(m)) return 0;
  return __assay_try_acquire(m) ? 0 : 16;
}
static int __assay_unlock(void *m) {
  int kind = KIND(m);
  if (kind == 1 && COUNT(m) > 0) {
    COUNT(m)--;
    return 0;
  }
  if (kind == 2) {
    __assay_atomic_begin();
    int mine = OWNER(m) == (int)__assay_current_thread();
    __assay_atomic_end();
    if (!mine) return 1;
  }
  __assay_release(m);
  return 0;
}
int pthread_mutex_init(void *m, const void *attributes) {
  OWNER(m) = 0;
  COUNT(m) = 0;
  KIND(m) = attributes ? *(const int *)attributes : 0;
  return 0;
}
int pthread_mutex_destroy(void *m) { return 0; }
int pthread_mutex_lock(void *m) { return __assay_lock(m); }
int pthread_mutex_trylock(void *m) { return __assay_try_lock(m); }
int pthread_mutex_unlock(void *m) { return __assay_unlock(m); }
int pthread_mutex_timedlock(void *m, const void *time) { return __assay_given_int() ? 110 : __assay_lock(m); }
int pthread_mutex_clocklock(void *m, int clock, const void *time) { return __assay_given_int() ? 110 : __assay_lock(m); }
int pthread_mutexattr_init(void *a) { *(int *)a = 0; return 0; }
int pthread_mutexattr_destroy(void *a) { return 0; }
int pthread_mutexattr_settype(void *a, int kind) { *(int *)a = kind; return 0; }
int pthread_mutexattr_gettype(const void *a, int *kind) { *kind = *(const int *)a; return 0; }

int pthread_spin_init(volatile int *m, int shared) { *m = 0; return 0; }
int pthread_spin_destroy(volatile int *m) { return 0; }
int pthread_spin_lock(volatile int *m) { __assay_acquire((void *)m); return 0; }
int pthread_spin_trylock(volatile int *m) { return __assay_try_acquire((void *)m) ? 0 : 16; }
int pthread_spin_unlock(volatile int *m) { __assay_release((void *)m); return 0; }

/* The first word counts readers, the second is the writer. */
#define READERS(m) (((int *)(m))[0])
#define WRITER(m) (((int *)(m))[1])
int pthread_rwlock_init(void *m, const void *attributes) { READERS(m) = 0; WRITER(m) = 0; return 0; }
int pthread_rwlock_destroy(void *m) { return 0; }
static int __assay_read_lock(void *m) {
  __assay_atomic_begin();
  __VERIFIER_assume(WRITER(m) == 0);
  READERS(m)++;
  __assay_atomic_end();
  return 0;
}
static int __assay_write_lock(void *m) {
  __assay_atomic_begin();
  __VERIFIER_assume(WRITER(m) == 0 && READERS(m) == 0);
  WRITER(m) = (int)__assay_current_thread();
  __assay_atomic_end();
  return 0;
}
int pthread_rwlock_rdlock(void *m) { return __assay_read_lock(m); }
int pthread_rwlock_wrlock(void *m) { return __assay_write_lock(m); }
int pthread_rwlock_timedrdlock(void *m, const void *time) { return __assay_given_int() ? 110 : __assay_read_lock(m); }
int pthread_rwlock_timedwrlock(void *m, const void *time) { return __assay_given_int() ? 110 : __assay_write_lock(m); }
int pthread_rwlock_tryrdlock(void *m) {
  int result = 16;
  __assay_atomic_begin();
  if (WRITER(m) == 0) { READERS(m)++; result = 0; }
  __assay_atomic_end();
  return result;
}
int pthread_rwlock_trywrlock(void *m) {
  int result = 16;
  __assay_atomic_begin();
  if (WRITER(m) == 0 && READERS(m) == 0) { WRITER(m) = (int)__assay_current_thread(); result = 0; }
  __assay_atomic_end();
  return result;
}
int pthread_rwlock_unlock(void *m) {
  __assay_atomic_begin();
  if (WRITER(m)) WRITER(m) = 0;
  else READERS(m)--;
  __assay_atomic_end();
  return 0;
}

/* A waiting thread may wake up at any time, so that signals need not do anything. */
int pthread_cond_init(void *c, const void *attributes) { return 0; }
int pthread_cond_destroy(void *c) { return 0; }
int pthread_cond_signal(void *c) { return 0; }
int pthread_cond_broadcast(void *c) { return 0; }
int pthread_cond_wait(void *c, void *m) { __assay_unlock(m); return __assay_lock(m); }
int pthread_cond_timedwait(void *c, void *m, const void *time) {
  __assay_unlock(m);
  __assay_lock(m);
  return __assay_given_int() ? 110 : 0;
}

static void __assay_once(int *once, void (*f)(void)) {
  __assay_atomic_begin();
  int first = *once == 0;
  if (first) *once = 1;
  __VERIFIER_assume(first || *once == 2);
  __assay_atomic_end();
  if (first) {
    f();
    __assay_atomic_begin();
    *once = 2;
    __assay_atomic_end();
  }
}
int pthread_once(int *once, void (*f)(void)) { __assay_once(once, f); return 0; }
void call_once(int *once, void (*f)(void)) { __assay_once(once, f); }

/* The number that is waited for, who has come, and which time it is. */
int pthread_barrier_init(void *b, const void *attributes, unsigned count) {
  unsigned *w = b;
  w[0] = count; w[1] = 0; w[2] = 0;
  return 0;
}
int pthread_barrier_destroy(void *b) { return 0; }
int pthread_barrier_wait(void *b) {
  unsigned *w = b;
  __assay_atomic_begin();
  unsigned now = w[2];
  w[1]++;
  int last = w[1] == w[0];
  if (last) { w[1] = 0; w[2] = now + 1; }
  __assay_atomic_end();
  if (last) return -1;
  __assay_atomic_begin();
  __VERIFIER_assume(w[2] != now);
  __assay_atomic_end();
  return 0;
}

int sem_init(void *s, int shared, unsigned value) { *(unsigned *)s = value; return 0; }
int sem_destroy(void *s) { return 0; }
int sem_wait(void *s) {
  __assay_atomic_begin();
  __VERIFIER_assume(*(unsigned *)s > 0);
  (*(unsigned *)s)--;
  __assay_atomic_end();
  return 0;
}
static int __assay_try_wait(void *s) {
  int result = -1;
  __assay_atomic_begin();
  if (*(unsigned *)s > 0) { (*(unsigned *)s)--; result = 0; }
  __assay_atomic_end();
  return result;
}
int sem_trywait(void *s) { return __assay_try_wait(s); }
int sem_timedwait(void *s, const void *time) { return __assay_try_wait(s); }
int sem_post(void *s) {
  __assay_atomic_begin();
  (*(unsigned *)s)++;
  __assay_atomic_end();
  return 0;
}
int sem_getvalue(void *s, int *value) {
  __assay_atomic_begin();
  int now = (int)*(unsigned *)s;
  __assay_atomic_end();
  *value = now;
  return 0;
}

/* Destructors of keys run when a thread ends, which is not followed. */
static _Thread_local void *__assay_values[8];
static unsigned __assay_keys;
int pthread_key_create(unsigned *key, void (*destructor)(void *)) {
  if (destructor) __assay_unknown_effects();
  __assay_atomic_begin();
  unsigned number = __assay_keys++;
  __assay_atomic_end();
  if (number >= 8) __assay_unknown_effects();
  *key = number;
  return 0;
}
int pthread_key_delete(unsigned key) { return 0; }
void *pthread_getspecific(unsigned key) { return __assay_values[key]; }
int pthread_setspecific(unsigned key, const void *value) { __assay_values[key] = (void *)value; return 0; }

typedef int (*__assay_start)(void *);
int thrd_create(__assay_thread *thread, __assay_start start, void *argument) {
  __assay_atomic_begin();
  __assay_thread number = __assay_spawn((void *(*)(void *))start, argument);
  *thread = number;
  __assay_atomic_end();
  return 0;
}
int thrd_join(__assay_thread thread, int *result) {
  void *value = __assay_join(thread);
  if (result) *result = (int)(long)value;
  return 0;
}
void thrd_exit(int value) { __assay_thread_exit((void *)(long)value); }
__assay_thread thrd_current(void) { return __assay_current_thread(); }
int thrd_equal(__assay_thread a, __assay_thread b) { return a == b; }
int thrd_detach(__assay_thread thread) { return 0; }
int mtx_init(void *m, int kind) { OWNER(m) = 0; COUNT(m) = 0; KIND(m) = kind & 1; return 0; }
void mtx_destroy(void *m) { }
int mtx_lock(void *m) { return __assay_lock(m) ? 2 : 0; }
int mtx_trylock(void *m) { return __assay_try_lock(m) ? 1 : 0; }
int mtx_timedlock(void *m, const void *time) { return __assay_given_int() ? 4 : __assay_lock(m) ? 2 : 0; }
int mtx_unlock(void *m) { return __assay_unlock(m) ? 2 : 0; }
int cnd_init(void *c) { return 0; }
void cnd_destroy(void *c) { }
int cnd_signal(void *c) { return 0; }
int cnd_broadcast(void *c) { return 0; }
int cnd_wait(void *c, void *m) { __assay_unlock(m); return __assay_lock(m) ? 2 : 0; }
int cnd_timedwait(void *c, void *m, const void *time) {
  __assay_unlock(m);
  __assay_lock(m);
  return __assay_given_int() ? 4 : 0;
}
