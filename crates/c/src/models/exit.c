/* Functions that run when the program ends, the last one first. */
typedef void (*__assay_handler)(void);
static __assay_handler __assay_at_exit[64], __assay_at_quick_exit[64];
static int __assay_exits, __assay_quick_exits;
void _Exit(int);
int atexit(__assay_handler f) {
  if (__assay_exits == 64) __assay_unknown_effects();
  else __assay_at_exit[__assay_exits++] = f;
  return 0;
}
int at_quick_exit(__assay_handler f) {
  if (__assay_quick_exits == 64) __assay_unknown_effects();
  else __assay_at_quick_exit[__assay_quick_exits++] = f;
  return 0;
}
void __assay_run_exit_handlers(void) { while (__assay_exits > 0) __assay_at_exit[--__assay_exits](); }
void quick_exit(int status) {
  while (__assay_quick_exits > 0) __assay_at_quick_exit[--__assay_quick_exits]();
  _Exit(status);
}
