/* Options of the command line, in the order of glibc's default only where no word that is no option comes before one: others are
   given back as POSIX has it, by a result that nobody may choose. */
extern char *optarg;
extern int optind, opterr, optopt;
char *optarg;
int optind = 1, opterr = 1, optopt = '?';
static char *__assay_rest;
static int __assay_plain_after(int argc, char *const *argv, int at) {
  for (int i = at + 1; i < argc; i++) if (argv[i][0] == '-' && argv[i][1]) return 1;
  return 0;
}
int getopt(int argc, char *const *argv, const char *options) {
  const char *found;
  int silent = 0, c;
  optarg = 0;
  if (optind == 0) { optind = 1; __assay_rest = 0; }
  while (*options == '+' || *options == '-') options++;
  if (*options == ':') { silent = 1; options++; }
  if (!__assay_rest || !*__assay_rest) {
    if (optind >= argc) return -1;
    if (argv[optind][0] != '-' || !argv[optind][1]) {
      if (__assay_plain_after(argc, argv, optind)) __assay_unknown_effects();
      return -1;
    }
    if (argv[optind][1] == '-' && !argv[optind][2]) { optind++; return -1; }
    __assay_rest = argv[optind] + 1;
  }
  c = *__assay_rest++;
  for (found = options; *found && *found != c; found++) ;
  if (!*__assay_rest) optind++;
  if (c == ':' || !*found) { optopt = c; return '?'; }
  if (found[1] == ':') {
    if (*__assay_rest) { optarg = __assay_rest; optind++; }
    else if (found[2] != ':') {
      if (optind >= argc) { optopt = c; __assay_rest = 0; return silent ? ':' : '?'; }
      optarg = argv[optind++];
    }
    __assay_rest = 0;
  }
  return c;
}
