// expect: unknown | true
// two answers: Nothing is known of what is behind the zero that ends a text.
extern void reach_error(void);
int main(int argc, char *argv[]) {
  if (argc == 2 && argv[1][0] == 'a' && argv[1][1] == 0 && argv[1][2] == 'b') reach_error();
  return 0;
}
