/* Lines of any content and length, in memory that grows as it must. */
static ssize_t __assay_line(char **line, size_t *size, int end) {
  size_t length = (size_t)__assay_given_long();
  ssize_t failed = __assay_given_int();
  if (!*line || !*size) {
    char *first = realloc(*line, 120);
    if (!first) return -1;
    *size = 120;
    *line = first;
  }
  if (failed) return -1;
  __VERIFIER_assume(length > 0 && length < (size_t)-1 >> 2);
  if (length + 1 > *size) {
    size_t more = (size_t)__assay_any_long();
    __VERIFIER_assume(more > length);
    char *larger = realloc(*line, more);
    if (!larger) return -1;
    *line = larger;
    *size = more;
  }
  for (size_t i = 0; i < length; i++) {
    int c = __assay_given_int();
    __VERIFIER_assume(c >= 0 && c <= 255 && (c != end || i == length - 1));
    (*line)[i] = (char)c;
  }
  (*line)[length] = 0;
  return (ssize_t)length;
}
ssize_t getline(char **line, size_t *size, void *file) { return __assay_line(line, size, '\n'); }
ssize_t getdelim(char **line, size_t *size, int end, void *file) { return __assay_line(line, size, (unsigned char)end); }
ssize_t __getdelim(char **line, size_t *size, int end, void *file) { return __assay_line(line, size, (unsigned char)end); }
/* With a buffer of the program's the library goes on to read and write there. */
void setbuf(void *file, char *buffer) { if (buffer) __assay_unknown_effects(); }
void setbuffer(void *file, char *buffer, size_t size) { if (buffer) __assay_unknown_effects(); }
int setvbuf(void *file, char *buffer, int mode, size_t size) {
  if (buffer && mode != 2) __assay_unknown_effects();
  return mode == 0 || mode == 1 || mode == 2 ? 0 : -1;
}
