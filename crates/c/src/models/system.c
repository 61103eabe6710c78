/* What the system says. Nobody chooses the clock, so a violation that depends on it is not believed; who runs the program and whether a
   person sits there is for anybody to choose, but only once. */
long time(long *p) { long t = __assay_any_long(); __VERIFIER_assume(t >= -1); if (p) *p = t; return t; }
long clock(void) { long t = __assay_any_long(); __VERIFIER_assume(t >= -1); return t; }
static int __assay_pid, __assay_ppid, __assay_pgrp;
int getpid(void) { if (!__assay_pid) { __assay_pid = __assay_given_int(); __VERIFIER_assume(__assay_pid > 0); } return __assay_pid; }
int gettid(void) { if (!__assay_pid) { __assay_pid = __assay_given_int(); __VERIFIER_assume(__assay_pid > 0); } return __assay_pid; }
int getppid(void) { if (!__assay_ppid) { __assay_ppid = __assay_given_int(); __VERIFIER_assume(__assay_ppid > 0); } return __assay_ppid; }
int getpgrp(void) { if (!__assay_pgrp) { __assay_pgrp = __assay_given_int(); __VERIFIER_assume(__assay_pgrp > 0); } return __assay_pgrp; }
static unsigned __assay_uid, __assay_gid;
static int __assay_uid_known, __assay_gid_known;
unsigned getuid(void) { if (!__assay_uid_known) { __assay_uid_known = 1; __assay_uid = (unsigned)__assay_given_int(); } return __assay_uid; }
unsigned getgid(void) { if (!__assay_gid_known) { __assay_gid_known = 1; __assay_gid = (unsigned)__assay_given_int(); } return __assay_gid; }
unsigned geteuid(void) { return (unsigned)__assay_any_int(); }
unsigned getegid(void) { return (unsigned)__assay_any_int(); }
/* 1 for a terminal, 2 for none, 0 where nobody has asked. */
static char __assay_terminals[3];
int isatty(int fd) {
  if (fd < 0) return 0;
  if (fd > 2) { int r = __assay_given_int(); __VERIFIER_assume(r == 0 || r == 1); return r; }
  if (!__assay_terminals[fd]) __assay_terminals[fd] = __assay_given_int() ? 1 : 2;
  return __assay_terminals[fd] == 1;
}
int getpagesize(void) { return 4096; }
long sysconf(int name) {
  long value;
  if (name == 30) return 4096;
  if (name == 2) return 100;
  value = __assay_any_long();
  __VERIFIER_assume(value >= -1);
  return value;
}
static unsigned long __assay_self;
unsigned long pthread_self(void) {
  if (!__assay_self) { __assay_self = (unsigned long)__assay_any_long(); __VERIFIER_assume(__assay_self != 0); }
  return __assay_self;
}
int pthread_once(int *done, void (*run)(void)) { if (!*done) { *done = 2; run(); } return 0; }
void call_once(int *done, void (*run)(void)) { if (!*done) { *done = 2; run(); } }
