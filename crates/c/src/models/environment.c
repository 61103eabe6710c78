/* The variables of the environment: whether one is there and where its text lies is for anybody to choose, but only once for a name. */
static struct { const char *name; char *value; } __assay_variables[8];
static int __assay_asked, __assay_changed;
static char *__assay_variable(const char *name) {
  char *value;
  if (__assay_changed) return __assay_any_pointer();
  for (int i = 0; i < __assay_asked; i++) {
    size_t k = 0;
    while (name[k] && name[k] == __assay_variables[i].name[k]) k++;
    if (name[k] == __assay_variables[i].name[k]) return __assay_variables[i].value;
  }
  if (__assay_asked == 8) return __assay_any_pointer();
  value = __assay_given_pointer();
  __assay_variables[__assay_asked].name = name;
  __assay_variables[__assay_asked++].value = value;
  return value;
}
char *getenv(const char *name) { return __assay_variable(name); }
char *secure_getenv(const char *name) { return __assay_variable(name); }
static int __assay_status(void) { int r = __assay_given_int(); __VERIFIER_assume(r == 0 || r == -1); return r; }
int setenv(const char *name, const char *value, int overwrite) { __assay_changed = 1; while (*name) name++; while (*value) value++; return __assay_status(); }
int unsetenv(const char *name) { __assay_changed = 1; while (*name) name++; return __assay_status(); }
int putenv(char *text) { __assay_changed = 1; while (*text) text++; return __assay_any_int(); }
int clearenv(void) { __assay_changed = 1; return __assay_status(); }
