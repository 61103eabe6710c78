"""Random programs for `fuzz_verdicts.py`, each of one of five kinds:

- `reach`: the error function must not be called. Records, unions, bit-fields, floats, calls with addresses of locals, recursion.
- `overflow`: no signed operator overflows.
- `recursion`: the error function must not be called; one or two functions that call themselves and each other.
- `machine`: the error function must not be called; an event loop whose functions are entered again and again with other values.
- `memory`: heap and stack objects are used while they live, released once, and not lost.

Programs use a few macros that mean nothing special where the program is verified; the trial gives them the meaning of a checker
(see `fuzz_verdicts.py`): `TICK` counts rounds of loops, `STATE` marks what outlives a run, `KNOW(x)` tells of an object that begins to
live, `ROOT(x)` of a pointer that nothing points to, `AT(p)` is an access, objects that are `APART` do not touch others, and of
`SHIFT_LEFT` the result counts and not the operand.
"""

import random

INTEGERS = ["int", "unsigned", "unsigned char", "short", "long long", "signed char", "unsigned short", "long", "unsigned long", "_Bool"]
CONSTANTS = [0, 1, 2, 3, 4, 5, 7, 8, 10, 255, -1, -2, 127, 128, 256, 65535]
LIMITS = ["2147483647", "(-2147483647 - 1)", "2147483646", "1073741824", "46341", "-65536", "4294967295u", "9223372036854775807LL"]


class Maker:
    """Makes one program; `kind` is one of reach, overflow, recursion, machine, memory."""

    def __init__(self, seed, kind):
        self.random = random.Random(seed)
        self.kind = kind
        self.counter = 0
        self.integers = []  # lvalues of integer type
        self.floats = []
        self.records = []  # lvalues of type struct record
        self.pointers = []  # pointers to int, surely valid
        self.calls = []  # functions of one integer
        self.in_loop = 0
        self.features = {name for name in ["floats", "records", "calls", "bytes", "wide"] if self.random.random() < 0.35}

    # Small choices.

    def pick(self, items):
        return self.random.choice(items)

    def chance(self, p):
        return self.random.random() < p

    def name(self, prefix):
        self.counter += 1
        return f"{prefix}{self.counter}"

    # Expressions of integer type.

    def constant(self):
        if self.kind == "overflow" and self.chance(0.3) or "wide" in self.features and self.chance(0.1):
            return self.pick(LIMITS)
        return str(self.pick(CONSTANTS)) if self.chance(0.9) else f"(-{self.pick([1, 2, 3])})"

    def leaf(self):
        choices = self.integers * 3 + ["a[1]", "b[2]"]
        if self.pointers:
            choices.append("*" + self.pick(self.pointers))
        if self.records:
            r = self.pick(self.records)
            choices += [f"{r}.x", f"{r}.c", f"{r}.u.lo", f"{r}.f3", f"{r}.s5"]
        return self.pick(choices)

    def expression(self, depth=2):
        r = self.random.random()
        if depth == 0 or r < 0.25:
            return self.leaf()
        if r < 0.42:
            return self.constant()
        if r < 0.50:
            return f"{self.pick(['a', 'b'])}[({self.expression(depth - 1)}) & 3]"
        if r < 0.55 and self.calls:
            return f"{self.pick(self.calls)}({self.expression(depth - 1)})"
        if r < 0.60 and self.floats:
            return self.pick([f"({self.real(1)} {self.pick(['<', '==', '>='])} {self.real(1)})", f"(int)({self.bounded_real()})"])
        if r < 0.66:
            return f"({self.pick(['unsigned char', 'signed char', 'short', 'int', 'unsigned', 'long long', '_Bool'])})({self.expression(depth - 1)})"
        if r < 0.71:
            return f"({self.condition()} ? {self.expression(depth - 1)} : {self.expression(depth - 1)})"
        if r < 0.75:
            return f"({self.pick(['-', '~', '!'])}({self.expression(depth - 1)}))"
        if r < 0.80:
            op = self.pick(["/", "%"])
            divisor = self.pick(["2", "3", "7", "(-3)", f"((({self.expression(0)}) & 3) + 1)"])
            return f"(({self.expression(depth - 1)}) {op} {divisor})"
        if r < 0.84:
            value, by = self.expression(depth - 1), self.pick(["1", "2", f"(({self.expression(0)}) & 3)"])
            return f"SHIFT_LEFT({value}, {by})" if self.chance(0.35) else f"(({value}) >> {by})"
        op = self.pick(["+", "-", "+", "-", "*", "&", "|", "^", "<", "<=", "==", "!=", "&&", "||"])
        return f"({self.expression(depth - 1)} {op} {self.expression(depth - 1)})"

    def condition(self):
        op = self.pick(["<", "<=", "==", "!=", ">", ">="])
        if self.floats and self.chance(0.2):
            return f"{self.real(1)} {op} {self.real(1)}"
        return f"{self.expression(1)} {op} {self.expression(1)}"

    # Floats.

    def real(self, depth):
        r = self.random.random()
        if depth == 0 or r < 0.4:
            return self.pick(self.floats)
        if r < 0.6:
            return self.pick(["0.0", "1.0f", "0.5", "0.1f", "0.1", "3.0f", "-2.5", "1e10f", "16777216.0f"])
        if r < 0.7:
            return f"({self.pick(['float', 'double'])})({self.expression(0)})"
        return f"({self.real(depth - 1)} {self.pick(['+', '-', '*', '/'])} {self.real(depth - 1)})"

    def bounded_real(self):
        """A conversion to an integer is defined only where the value fits."""
        name = self.pick(self.floats)
        return f"{name} > -1000.0 && {name} < 1000.0 ? {name} : 0.0"

    # Statements.

    def statement(self, indent, depth):
        pad = "  " * indent
        r = self.random.random()
        if r < 0.22:
            return [f"{pad}{self.target()} = {self.expression()};"]
        if r < 0.36:
            op = self.pick(["+=", "-=", "^=", "*=", "|=", "&=", "+=", "-="])
            return [f"{pad}{self.target()} {op} {self.pick(['1', '1', '2', '3', self.expression(1)])};"]
        if r < 0.42:
            return [f"{pad}{self.pick(['a', 'b'])}[({self.expression(1)}) & 3] = {self.expression(1)};"]
        if r < 0.47 and self.pointers:
            return [f"{pad}{self.pick(self.pointers)} = {self.pick(['&a[1]', '&a[2]', '&g', self.pick(self.pointers), *self.addresses])};"]
        if r < 0.52 and self.pointers:
            return [f"{pad}*{self.pick(self.pointers)} = {self.expression(1)};"]
        if r < 0.57:
            return [f"{pad}{self.target()} = input();"]
        if r < 0.60:
            return [f"{pad}{self.pick([f'{self.target()}++', f'--{self.target()}'])};"]
        if r < 0.64 and self.floats:
            return [f"{pad}{self.pick(self.floats)} = {self.real(2)};"]
        if r < 0.69 and self.records:
            return [f"{pad}{self.record_statement()}"]
        if r < 0.73 and "bytes" in self.features:
            return [f"{pad}{self.byte_statement()}"]
        if r < 0.76 and "calls" in self.features and self.pointers:
            return [f"{pad}bump({self.pick(self.pointers + self.addresses)}, {self.expression(1)});"]
        if depth == 0:
            return [f"{pad}{self.target()}++;"]
        if r < 0.86:
            lines = [f"{pad}if ({self.condition()}) {{"] + self.block(indent + 1, depth - 1, 2)
            if self.chance(0.5):
                lines += [f"{pad}}} else {{"] + self.block(indent + 1, depth - 1, 2)
            return lines + [f"{pad}}}"]
        if r < 0.89:
            lines = [f"{pad}switch ({self.expression(1)}) {{"]
            for label in self.random.sample(range(-1, 6), 2):
                lines += [f"{pad}  case {label}:"] + self.block(indent + 2, depth - 1, 1) + ([f"{pad}    break;"] if self.chance(0.6) else [])
            return lines + [f"{pad}  default:"] + self.block(indent + 2, 0, 1) + [f"{pad}}}"]
        return self.loop(indent, depth)

    def target(self):
        choices = list(self.integers)
        if self.records:
            r = self.pick(self.records)
            choices += [f"{r}.x", f"{r}.c", f"{r}.f3", f"{r}.s5", f"{r}.u.word", f"{r}.u.lo"]
        return self.pick(choices)

    def record_statement(self):
        r, other = self.pick(self.records), self.pick(self.records)
        value, index = self.expression(1), self.expression(0)
        literal = f"(struct record){{.c = {index}, .x = {value}}}"
        return self.pick([f"{r} = {other};", f"{r} = change({other}, {value});", f"{r}.v[({index}) & 1] = {value};", f"{r} = {literal};"])

    def byte_statement(self):
        value, index = self.expression(0), f"({self.expression(0)})"
        copies = ["memcpy(a, a + 2, 2 * sizeof a[0]);", "memmove(a + 1, a, 2 * sizeof a[0]);", f"memcpy(b + ({index} & 1), a, 2);"]
        sets = [f"memset(a, {index} & 255, sizeof a);", f"((unsigned char *)a)[{index} & 15] = {value};"]
        return self.pick(copies + sets + [f"g = ((unsigned char *)a)[{index} & 15];"])

    def loop(self, indent, depth):
        pad = "  " * indent
        self.in_loop += 1
        body = self.block(indent + 1, depth - 1, 3)
        if self.chance(0.25):
            body.append(f"{pad}  if ({self.condition()}) {self.pick(['break', 'continue'])};")
        self.in_loop -= 1
        kind = self.random.random()
        if kind < 0.5:
            name = self.name("i")
            bound = self.pick([str(self.random.randint(1, 6)), "input()", "(input() + 2)", "1000"])
            counter = self.pick(["int", "int", "unsigned", "unsigned char", "short"]) if bound != "1000" else "int"
            if self.chance(0.4):
                self.integers.append(name)
                body += self.block(indent + 1, 0, 1)
                self.integers.remove(name)
            return [f"{pad}int n{name} = {bound};", f"{pad}for ({counter} {name} = 0; {name} < n{name}; {name}++) {{", f"{pad}  TICK;"] + body + [f"{pad}}}"]
        if kind < 0.75:
            return [f"{pad}while ({self.condition()}) {{", f"{pad}  TICK;"] + body + [f"{pad}}}"]
        if kind < 0.9:
            return [f"{pad}while (input()) {{", f"{pad}  TICK;"] + body + [f"{pad}}}"]
        return [f"{pad}do {{", f"{pad}  TICK;"] + body + [f"{pad}}} while ({self.condition()});"]

    def block(self, indent, depth, most):
        lines = []
        for _ in range(self.random.randint(1, most)):
            lines += self.statement(indent, depth)
        return lines

    def check(self, indent):
        if self.kind != "reach":
            return []
        return [f"{'  ' * indent}if ({self.condition()}) reach_error();"]

    # Whole programs.

    RECORD = [
        "struct record { int x; signed char c; unsigned f3 : 3; int s5 : 5; union { unsigned word; unsigned short lo; } u; short v[2]; };",
        "static struct record change(struct record r, int by) { r.x -= by; r.c = by; r.v[1]++; return r; }",
    ]

    def program(self):
        if self.kind == "memory":
            return MemoryMaker(self.random).program()
        if self.kind == "machine":
            return MachineMaker(self.random).program()
        if self.kind == "recursion":
            return RecursionMaker(self.random).program()
        element = self.pick(["signed char", "unsigned short", "long long", "unsigned char"])
        lines = ["STATE int g;", "STATE int a[4];", f"STATE {element} b[4];"]
        self.addresses = []
        if "records" in self.features:
            lines += self.RECORD + ["STATE struct record gr;"]
        if "calls" in self.features:
            lines += self.functions()
        locals_ = [self.name("v") for _ in range(self.random.randint(2, 4))]
        body = []
        for index, name in enumerate(locals_):
            kind = "int" if index < 1 else self.pick(INTEGERS)
            first = self.pick(["0", "0", "1", "3", "input()"] + (LIMITS[:6] if self.kind == "overflow" else []))
            body.append(f"  {kind} {name} = {first};")
        self.integers = ["g"] + locals_
        self.addresses = ["&" + locals_[0]]
        body.append("  int *p = &g, *q = &a[3];")
        self.pointers = ["p", "q"]
        if "floats" in self.features:
            body += [f"  float x = {self.pick(['0', '1.5f', 'input()'])};", f"  double y = {self.pick(['0', '0.1', 'input()'])};"]
            self.floats = ["x", "y"]
        if "records" in self.features:
            body.append("  struct record lr = {.x = 1};")
            self.records = ["gr", "lr"]
        for _ in range(self.random.randint(1, 4) + (3 if self.kind == "overflow" else 0)):
            body += self.statement(1, 2)
            if self.chance(0.4):
                body += self.check(1)
        body += self.check(1)
        return "\n".join(lines + ["int main(void) {"] + body + ["  (void)p;", "  return 0;", "}"]) + "\n"

    def functions(self):
        """Functions that change globals, memory of their caller and their own static variable; one recurs."""
        lines = ["static void bump(int *at, int by) { static int calls STATE; calls++; *at ^= by; if (calls & 2) g = calls; }"]
        saved = (self.integers, self.pointers)
        self.integers, self.pointers = ["g", "x", "t"], ["p"]
        self.addresses = ["&t"]
        lines += ["static int f(int x) {", "  int t = 1;", "  int *p = &g;"] + self.block(1, 1, 2) + ["  (void)p;", "  return t;", "}"]
        step = self.pick(["r(n - 1) + 1", "r(n - 1) ^ n", "n - r(n - 1)", "(r(n - 1), g++)"])
        lines += [f"static int r(int n) {{ if (n <= 0 || n > 4) return {self.pick(['0', 'g', '1'])}; return {step}; }}"]
        self.integers, self.pointers = saved
        self.addresses = []
        self.calls = ["f", "r"]
        return lines


class MemoryMaker:
    """Makes a program for the properties of memory. Every access goes through `AT`, every object is told of."""

    def __init__(self, source):
        self.random = source
        self.counter = 0

    def pick(self, items):
        return self.random.choice(items)

    def chance(self, p):
        return self.random.random() < p

    def pointer(self):
        return self.pick(self.pointers)

    def node(self):
        return self.pick(self.nodes)

    def number(self):
        return self.pick(["n", "m", "0", "1", "2", "3", "n + 1", "n - 1", "(n & 3)", "(m & 1)", "g"])

    def statement(self, indent, depth):
        pad = "  " * indent
        p, q, l, k = self.pointer(), self.pointer(), self.node(), self.node()
        i, j = self.number(), self.number()
        r = self.random.random()
        if r < 0.10:
            sizes = ["4", "8", "12", "(n + 1) * 4", "m * 4", "6"]
            call = self.pick([f"malloc({self.pick(sizes)})", f"calloc({self.pick(['2', 'n + 1'])}, 4)"])
            return [pad + self.guarded(p, f"{p} = {call};")]
        if r < 0.18:
            link = self.pick(["0", k, "0"])
            text = f"{l} = malloc(sizeof *{l}); AT(&{l}->next) = {link}; AT(&{l}->data) = 0; AT(&{l}->value) = n;"
            return [pad + self.guarded(l, text)]
        if r < 0.28:
            release = f"free({p}); {p} = 0;"
            return [pad + self.pick([release, release, f"free({p});", f"free({l}); {l} = 0;", f"if ({p}) {{ {release} }}"])]
        if r < 0.36:
            return [pad + self.pick([f"if ({p}) AT({p} + ({i})) = {j};", f"AT({p} + ({i})) = n;", f"if ({p}) AT({p}) = {i};"])]
        if r < 0.42:
            reads = [f"if ({p}) n = AT({p}) & 3;", f"m = AT(&a[{i}]) & 3;", f"AT(&a[{i} & 3]) = n;", "if (m >= 0 && m < 4) AT(&a[m]) = 1;"]
            return [pad + self.pick(reads)]
        if r < 0.50:
            return [pad + self.pick([f"{p} = {q};", f"{p} = {q};", f"{l} = {k};", f"{p} = &g;", f"{p} = &a[1];", f"if ({p}) {p}++;"])]
        if r < 0.60:
            uses = [f"AT(&{l}->next) = {k};", f"{k} = AT(&{l}->next);", f"AT(&{l}->data) = {p};", f"{p} = AT(&{l}->data);"]
            uses += [f"n = AT(&{l}->value) & 3;", f"{{ struct node *t = AT(&{l}->next); ROOT(t); free({l}); {l} = t; }}"]
            return [f"{pad}if ({l}) {{ {self.pick(uses)} }}"]
        if r < 0.66:
            return [f"{pad}{self.pick(['n', 'm', 'g'])} = {self.pick(['input()', 'input()', i])};"]
        if r < 0.73:
            calls = [f"fill({p}, {i});", f"use({p}, {i});", f"m = within({i});"]
            later = f"{{ int later[1] APART; KNOW(later); AT(later) = {i}; if (gp) AT(gp) = 1; }}"
            return [pad + self.pick([*calls, f"m = within({i}); {later}", f"m = within({i}); {later}"])]
        if r < 0.75:
            first = self.pick([f"{p} = &local;", f"AT({p} ? {p} : &local) = 2;"])
            then = self.pick(["", "AT(&local) = 3;", f"{p} = 0;"])
            return [f"{pad}{{ int local APART = {i}; KNOW(local); {first} {then} }}"]
        if r < 0.78:
            return [pad + self.guarded(p, f"{p} = make({i});")]
        if depth == 0:
            return [f"{pad}n = (n + 1) & 3;"]
        if r < 0.90:
            condition = self.pick(["n > 1", "m == 2", "n < m", "g", "n", p, f"{p} == {q}", f"{l} != {k}", f"!{l}"])
            lines = [f"{pad}if ({condition}) {{"] + self.block(indent + 1, depth - 1, 2)
            if self.chance(0.4):
                lines += [f"{pad}}} else {{"] + self.block(indent + 1, depth - 1, 2)
            return lines + [f"{pad}}}"]
        if r < 0.93:
            data = self.pick(["", f"free(AT(&{l}->data)); "])
            return [f"{pad}while ({l}) {{ TICK; struct node *t = AT(&{l}->next); ROOT(t); {data}free({l}); {l} = t; }}"]
        if r < 0.95:
            return [f"{pad}if ({self.pick(['n == 3', 'm', 'g > 1'])}) {self.pick(['return 0;', 'stop();'])}"]
        self.counter += 1
        i = f"i{self.counter}"
        bound = self.pick(["n", "2", "3", "m + 1"])
        return [f"{pad}for (int {i} = 0; {i} < {bound}; {i}++) {{", f"{pad}  TICK;"] + self.block(indent + 1, depth - 1, 2) + [f"{pad}}}"]

    def guarded(self, name, text):
        """Most programs take care not to lose what they have."""
        if self.chance(0.3):
            return text
        return f"if (!{name}) {{ {text} }}"

    def block(self, indent, depth, most):
        lines = []
        for _ in range(self.random.randint(1, most)):
            lines += self.statement(indent, depth)
        return lines

    def program(self):
        limit = self.pick(["&& index < 2", "&& index == 0", ""])
        size = self.pick(["8", "(count & 3) * 4 + 4"])
        also = self.pick(["AT(made) = count;", "gp = made;", "AT(made + 1) = 1;", ""])
        # Blocks that keep the address of a caller's local, with and without a look at it.
        kept = self.pick(["keep(&own);", "for (int i = 0; i < 2; i++) { TICK; gp = &own; }", "if (count) keep(&own);", "gp = 0;"])
        lines = [
            "struct node { struct node *next; int *data; int value; };",
            "STATE int g;",
            "STATE int *gp;",
            "STATE struct node *gn;",
            "static void fill(int *at, int count) { ROOT(at); for (int i = 0; i < count; i++) { TICK; if (at) AT(at + i) = i; } }",
            f"static int use(int *at, int index) {{ ROOT(at); if (at {limit}) return AT(at + index) & 3; return index; }}",
            f"static void keep(int *at) {{ gp = at; {self.pick(['', 'if (at) AT(at) = 2;'])} }}",
            f"static int within(int count) {{ int own APART = count; KNOW(own); {kept} return AT(&own) & 3; }}",
            f"static int *make(int count) {{ int *made = malloc({size}); ROOT(made); {also} return made; }}",
        ]
        self.pointers = ["p", "q", "gp"]
        self.nodes = ["l", "gn"]
        body = ["  int n = input(), m = 1;", "  int a[4] APART = {0};", "  int *p = 0, *q = 0;", "  struct node *l = 0;"]
        body.append("  KNOW(a); ROOT(p); ROOT(q); ROOT(l);")
        for _ in range(self.random.randint(2, 6)):
            body += self.statement(1, 2)
        if self.chance(0.8):
            body += ["  if (q != p && q != gp) { free(q); }", "  if (p != gp) { free(p); }"] if self.chance(0.6) else ["  free(p);"]
            body += ["  while (l) { TICK; struct node *t = AT(&l->next); ROOT(t); free(l); l = t; }"]
        return "\n".join(lines + ["int main(void) {"] + body + ["  return 0;", "}"]) + "\n"


class RecursionMaker:
    """Makes a program of recursive functions of two integers, with global variables, loops and writes through a pointer."""

    def __init__(self, source):
        self.random = source
        self.functions = ["f", "h"][: source.randint(1, 2)]

    def pick(self, items):
        return self.random.choice(items)

    def expression(self, names, depth=0):
        r = self.random.random()
        if depth > 2 or r < 0.35:
            return self.pick(names)
        if r < 0.55:
            return str(self.random.randint(-2, 5))
        if r < 0.6:
            return f"({self.expression(names, depth + 1)} & 1)"
        return f"({self.expression(names, depth + 1)} {self.pick('+-+-*&|')} {self.expression(names, depth + 1)})"

    def condition(self, names):
        return f"{self.expression(names, 1)} {self.pick(['<', '<=', '>', '>=', '==', '!='])} {self.expression(names, 1)}"

    def call(self, names, inside):
        arguments = []
        for name in ("a", "b"):
            r = self.random.random() if inside else 1
            step = f"{name} - {self.random.randint(1, 2)}"
            arguments.append(step if r < 0.45 else name if r < 0.75 else self.expression(names, 1))
        return f"{self.pick(self.functions)}({arguments[0]}, {arguments[1]})"

    def statements(self, names, inside, depth, count):
        lines = []
        for _ in range(count):
            r = self.random.random()
            if r < 0.25:
                lines.append(f"x = {self.expression(names)};")
            elif r < 0.4:
                lines.append(f"{self.pick(['g', 'k'])} = {self.expression(names)};")
            elif r < 0.5:
                lines.append(f"{self.pick(['x', 'g', 'k'] + (['a'] if inside else []))} = {self.call(names, inside)};")
            elif r < 0.6:
                lines.append(f"*q = {self.expression(names)};")
            elif r < 0.75 and depth < 2:
                yes, no = (" ".join(self.statements(names, inside, depth + 1, n)) for n in (self.random.randint(1, 2), 1))
                lines.append(f"if ({self.condition(names)}) {{ {yes} }} else {{ {no} }}")
            elif r < 0.83 and depth < 1:
                body = " ".join(self.statements(names, inside, depth + 1, self.random.randint(1, 2)))
                lines.append(f"for (int i = 0; i < {self.random.randint(1, 3)}; i++) {{ TICK; {body} }}")
            elif r < 0.93:
                lines.append(f"if ({self.condition(names)} && {self.condition(names)}) reach_error();")
            elif inside:
                lines.append(f"if ({self.condition(names)}) return {self.expression(names)};")
        return lines

    def program(self):
        names = ["a", "b", "a", "b", "x", "g", "k"] + (["*q"] if self.random.random() < 0.4 else [])
        lines = ["STATE int g, k, m;", "STATE int *q = &m;"] + [f"static int {f}(int a, int b);" for f in self.functions]
        for f in self.functions:
            body = ["TICK; int x = 0;", f"if (a {self.pick(['<= 0', '== 0', '<= 1', '> 4'])}) return {self.expression(['a', 'b', 'g'])};"]
            body += self.statements(names, True, 0, self.random.randint(0, 2))
            if self.random.random() < 0.8:
                body.append(f"x = {self.call(names, True)};")
            body += self.statements(names, True, 0, self.random.randint(0, 2)) + [f"return {self.expression(names + ['x', 'x'])};"]
            lines += [f"static int {f}(int a, int b) {{"] + ["  " + line for line in body] + ["}"]
        names = ["n", "m1", "x", "g", "k"]
        body = ["int n = input(), m1 = input(), x = 0;"] + (["q = &x;"] if self.random.random() < 0.3 else [])
        body += self.statements(names, False, 0, self.random.randint(0, 2))
        body.append(f"x = {self.pick(self.functions)}({self.pick(['n', 'm1', '3'])}, {self.pick(['n', 'm1', '1'])});")
        body += self.statements(names, False, 0, self.random.randint(0, 1))
        body += [f"if ({self.condition(names)} && {self.condition(names)}) reach_error();", "return 0;"]
        return "\n".join(lines + ["int main(void) {"] + ["  " + line for line in body] + ["}"]) + "\n"


class MachineMaker:
    """Makes a program that answers one input after the other: most of what it holds only decides what happens next, or is handed on."""

    def __init__(self, source):
        self.random = source
        self.states = ["s0", "s1", "s2", "s3", "s4"][: source.randint(2, 5)]
        self.inner = source.random() < 0.6

    def pick(self, items):
        return self.random.choice(items)

    def value(self, names):
        r = self.random.random()
        name = self.pick(names)
        if r < 0.2:
            return str(self.pick([0, 1, 2, 3, 7, 100, -1, 255]))
        if r < 0.4:
            return f"{name} {self.pick('+-')} {self.random.randint(1, 9)}"
        if r < 0.5:
            return f"({name} * {self.random.randint(2, 5)} + {self.pick(names)}) % {self.random.randint(3, 50)}"
        if r < 0.58:
            return f"({self.pick(['unsigned char', 'signed char', 'unsigned', 'short', 'long long'])})({name} * {self.random.randint(1, 60)})"
        if r < 0.65:
            return f"t[{name} & 3]"
        if r < 0.72:
            return f"({self.condition(names)} ? {name} : {self.pick(names)})"
        return name

    def condition(self, names, depth=0):
        r = self.random.random()
        if depth < 2 and r < 0.25:
            return f"({self.condition(names, depth + 1)} {self.pick(['&&', '||'])} {self.condition(names, depth + 1)})"
        name, number = self.pick(names), self.random.randint(-3, 60)
        if r < 0.5:
            return f"{name} == {self.random.randint(0, 4)}"
        if r < 0.75:
            return f"{name} {self.pick(['<', '>', '<=', '>='])} {number}"
        if r < 0.82:
            return f"(unsigned){name} {self.pick(['<', '>'])} {abs(number)}u"
        if r < 0.9:
            return f"({name} & {self.pick([1, 2, 6])})"
        return f"{name} {self.pick(['<', '!=', '=='])} {self.pick(names)}"

    def statements(self, names, depth, count, last=False):
        lines = []
        for _ in range(count):
            r = self.random.random()
            if r < 0.35:
                lines.append(f"{self.pick(self.states)} = {self.value(names)};")
            elif r < 0.4:
                lines.append(f"t[{self.pick(names)} & 3] = {self.value(names)};")
            elif r < 0.45:
                lines.append(f"*q = {self.value(names)};")
            elif r < 0.85 and depth < 3:
                yes = " ".join(self.statements(names, depth + 1, self.random.randint(1, 2), last))
                no = " ".join(self.statements(names, depth + 1, 1, last))
                lines.append(f"if ({self.condition(names)}) {{ {yes} }}" + (f" else {{ {no} }}" if self.random.random() < 0.5 else ""))
            elif r < 0.9 and depth < 2:
                body = " ".join(self.statements(names, depth + 2, 1))
                lines.append(f"for (int i = 0; i < {self.pick([2, 3, '(' + self.pick(names) + ' & 3)'])}; i++) {{ TICK; {body} }}")
            elif last:
                lines.append(f"return {self.value(names)};")
            else:
                lines.append(f"{self.pick(self.states)} += {self.random.randint(-2, 7)};")
        return lines

    def program(self):
        pointed = self.pick(["m", "m", self.pick(self.states)])
        lines = [f"STATE int {', '.join(f'{name} = {self.pick([0, 0, 1, 5])}' for name in self.states)}, m;", "STATE int t[4];"]
        lines.append(f"STATE int *q = &{pointed};")
        names = self.states + self.states + ["x"]
        if self.inner:
            body = self.statements(names, 0, self.random.randint(2, 5), True) + [f"return {self.value(names)};"]
            lines += ["static int inner(int x) {"] + ["  " + line for line in body] + ["}"]
        calls = ["x = inner(x);", f"{self.pick(self.states)} = inner({self.pick(names)});"] if self.inner else []
        body = self.statements(names, 0, self.random.randint(3, 8), True)
        for call in calls:
            body.insert(self.random.randint(0, len(body)), call)
        error = f"if ({self.condition(names, 1)} && {self.condition(names, 1)} && {self.condition(names, 1)}) reach_error();"
        body.insert(self.random.randint(0, len(body)), error)
        lines += ["static int step(int x) {"] + ["  " + line for line in body] + [f"  return {self.value(names)};", "}"]
        lines += ["int main(void) {", "  for (int round = 0; round < 5; round++) {", "    TICK;"]
        lines += ["    int x = input();", "    x = step(x);", "    if (x == 77) break;", "  }", "  return 0;", "}"]
        return "\n".join(lines) + "\n"
