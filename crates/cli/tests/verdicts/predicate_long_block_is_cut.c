// expect: true config: predicate set: block-ends=bottlenecks also: value-predicate
// A token goes round; each round of the scheduler is long and is cut after each task.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int state0, token0, state1, token1, state2, token2, state3, token3, state4, token4;
static int tokens(void) { return token0 + token1 + token2 + token3 + token4; }
static void task0(void) {
  if (state0 == 0) {
    if (token0 == 1) {
      token0 = 0;
      token1 = 1;
      state0 = 2;
      state1 = 0;
    } else if (token0 != 0) {
      reach_error();
    }
  } else if (state0 == 2) {
    state0 = 1;
  } else {
    state0 = 0;
  }
}
static void task1(void) {
  if (state1 == 0) {
    if (token1 == 1) {
      token1 = 0;
      token2 = 1;
      state1 = 2;
      state2 = 0;
    } else if (token1 != 0) {
      reach_error();
    }
  } else if (state1 == 2) {
    state1 = 1;
  } else {
    state1 = 0;
  }
}
static void task2(void) {
  if (state2 == 0) {
    if (token2 == 1) {
      token2 = 0;
      token3 = 1;
      state2 = 2;
      state3 = 0;
    } else if (token2 != 0) {
      reach_error();
    }
  } else if (state2 == 2) {
    state2 = 1;
  } else {
    state2 = 0;
  }
}
static void task3(void) {
  if (state3 == 0) {
    if (token3 == 1) {
      token3 = 0;
      token4 = 1;
      state3 = 2;
      state4 = 0;
    } else if (token3 != 0) {
      reach_error();
    }
  } else if (state3 == 2) {
    state3 = 1;
  } else {
    state3 = 0;
  }
}
static void task4(void) {
  if (state4 == 0) {
    if (token4 == 1) {
      token4 = 0;
      token0 = 1;
      state4 = 2;
      state0 = 0;
    } else if (token4 != 0) {
      reach_error();
    }
  } else if (state4 == 2) {
    state4 = 1;
  } else {
    state4 = 0;
  }
}
int main(void) {
  token0 = 1;
  while (__VERIFIER_nondet_int()) {
    if (__VERIFIER_nondet_int()) task0();
    if (__VERIFIER_nondet_int()) task1();
    if (__VERIFIER_nondet_int()) task2();
    if (__VERIFIER_nondet_int()) task3();
    if (__VERIFIER_nondet_int()) task4();
    if (tokens() != 1) reach_error();
  }
  return 0;
}
