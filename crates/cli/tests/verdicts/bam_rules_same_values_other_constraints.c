// expect: true config: bam-symbolic set: block-rules=1 set: blocks=functions also: bam-value also: symbolic
// A block is entered with the same values under other constraints while it is still explored.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int input, number, result, far;
void decide(void) {
  int i = 0, sum = 0;
  while (i < 30) {
    sum = sum + i;
    i = i + 1;
  }
  if (number == 1000) far = 1;
  if (input > 10) {
    result = 1;
  } else if (input & 1) {
    result = 2;
  } else {
    result = 3;
  }
}
int main(void) {
  input = __VERIFIER_nondet_int();
  result = 1;
  if (input <= 10) {
    number = 200;
    decide();
    input = __VERIFIER_nondet_int();
    result = 1;
    if (input > 10) decide();
  } else {
    for (number = 0; number < 190; number++) decide();
  }
  if (result == 4) reach_error();
  return 0;
}
