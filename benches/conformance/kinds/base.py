"""What the generators share: the head of a program, types, numbers, and expressions with side effects."""

from conformance.common import Case

# Every program mixes what it sees into `@h`; `@f` has effects that others can see.
HEAD = """static unsigned long long @h;
static void @m(unsigned long long x) { @h = (@h ^ x) * 1099511628211ULL + 7; }
static int @g = 3, @k = 5, @a[4] = {1, 2, 3, 4};
static struct @S { int x, y; short z[2]; } @s = {6, 7, {8, 9}}, @t[2] = {{1, 2, {3, 4}}, {5, 6, {7, 8}}};
static int *@p = &@a[1];
static int @f(int x) { @m(x); @g += x; @k ^= x * 2; @a[x & 3] += x; @s.x -= x; @t[x & 1].y += 3 * x; return x + 1; }
static int *@q(int x) { @m(x + 100); @g ^= x; @p = &@a[x & 3]; return &@a[(x + 1) & 3]; }
static struct @S *@r(int x) { @m(x + 200); @s.y += x; @k += x; return &@t[x & 1]; }
static struct @S @v(int x) { @m(x + 300); @s.z[0] += x; struct @S s = {x, x + 1, {@g, @k}}; return s; }
"""

TAIL = """  @m(@g); @m(@k); for (int i = 0; i < 4; i++) @m(@a[i]);
  @m(@s.x); @m(@s.y); @m(@s.z[0]); @m(@s.z[1]);
  for (int i = 0; i < 2; i++) { @m(@t[i].x); @m(@t[i].y); @m(@t[i].z[0]); @m(@t[i].z[1]); }
  @m(@p - @a);
  return @h;
}
"""

INTEGERS = ["signed char", "unsigned char", "short", "unsigned short", "int", "unsigned", "long", "unsigned long", "long long",
            "unsigned long long", "_Bool", "char"]
FLOATS = ["float", "double", "long double"]


def case(kind, body, before="", others=()):
    """A program whose function does `body`; `before` is at file scope, `others` are further files."""
    return Case(kind, [HEAD + before + "unsigned long long @run(void) {\n" + body + TAIL, *others])


def number(draw, small=False):
    """An integer constant as C writes it."""
    if small or draw.random() < 0.5:
        value = draw.choice([0, 1, 2, 3, 5, 7, 8, 15, 31, 100, 127, 128, 255, 256])
        return str(-value) if draw.random() < 0.3 and value else str(value)
    value = draw.choice([2**15, 2**16 - 1, 2**31 - 1, 2**31, 2**32 - 1, 2**40 + 5, 2**63 - 1, 12345, 99999, 0xDEADBEEF])
    if draw.random() < 0.5:
        value -= draw.randint(0, 9)
    suffix = draw.choice(["", "u", "L", "UL", "LL", "ULL"])
    text = hex(value) if draw.random() < 0.4 else str(value)
    return f"(-{text}{suffix})" if draw.random() < 0.2 else text + suffix


class Effects:
    """Expressions whose value depends on the order in which calls and reads happen; nothing in them is undefined: only calls change things."""

    def __init__(self, draw):
        self.draw = draw
        self.calls = 0

    def call(self, depth=0):
        self.calls += 1
        argument = str(self.draw.randint(1, 9)) if depth <= 0 or self.draw.random() < 0.6 else f"({self.value(depth - 1)}) & 7"
        return f"@f({argument})"

    def read(self, depth):
        draw = self.draw
        inner = str(draw.randint(0, 3)) if depth <= 0 or draw.random() < 0.5 else f"({self.value(depth - 1)}) & 3"
        number = draw.randint(0, 7)
        return draw.choice([
            "@g", "@k", f"@a[{inner}]", "*@p", "@s.x", "@s.y", f"@s.z[({inner}) & 1]", f"@t[({inner}) & 1].x", f"@t[({inner}) & 1].y",
            f"*@q({number})", f"@r({number})->y", f"@v({number}).x", f"@v({number}).z[1]", f"@r({number})->z[({inner}) & 1]", "@p[0]",
            "(&@s)->x",
        ])

    def value(self, depth):
        """An expression of type int whose value is small enough for nothing to overflow."""
        draw = self.draw
        # No operand is a plain number: gcc folds what it knows, and then evaluates what has effects before all else.
        if depth <= 0:
            return draw.choice([self.read(0), self.read(0), self.call(), self.call(), f"({self.read(0)} + {draw.randint(1, 9)})"])
        kind = draw.randint(0, 17)
        deeper = lambda: self.value(depth - 1)
        if kind <= 4:
            return f"({deeper()} {draw.choice('+-^|&')} {deeper()})"
        if kind == 5:
            return f"(({deeper()}) % 97 * (({deeper()}) % 89))"
        if kind == 6:
            return f"(({deeper()}) {draw.choice(['/', '%'])} ((({deeper()}) & 15) + 1))"
        if kind == 7:
            return f"(((({deeper()}) & 1023) {draw.choice(['<<', '>>'])} (({deeper()}) & 7)))"
        if kind == 8:
            return f"({deeper()} {draw.choice(['<', '<=', '==', '!=', '>', '>='])} {deeper()})"
        if kind == 9:
            return draw.choice(["-", "+", "~", "!"]) + f"({deeper()})"
        if kind == 10:
            return f"({deeper()} ? {deeper()} : {deeper()})"
        if kind == 11:
            return f"({deeper()} {draw.choice(['&&', '||'])} {deeper()})"
        if kind == 12:
            return f"({deeper()}, {deeper()})"
        if kind == 13:
            return f"({{ int w = {deeper()}; w + {deeper()}; }})"
        if kind == 14:
            return f"({draw.choice(['short', 'unsigned char', 'long', 'int', '_Bool', 'unsigned'])})({deeper()})"
        if kind == 15:
            return self.call(depth)
        if kind == 16:
            return f"({deeper()} ?: {deeper()})"
        return self.read(depth)
