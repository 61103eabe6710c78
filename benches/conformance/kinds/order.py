"""Order of evaluation, assignments, calls, choices."""

from conformance.kinds.base import INTEGERS, Effects, case, number


def order(draw):
    """Reads beside calls that change what is read."""
    effects = Effects(draw)
    lines = [f"  @m({effects.value(draw.randint(1, 3))});" for _ in range(draw.randint(1, 3))]
    return case("order", "\n".join(lines) + "\n")


def place(draw, effects, depth, twice=False):
    """Something of type int or short that can be assigned to. Where it is read and written, gcc calls once and loads twice: it has no loads
    beside calls then."""
    value = effects.call() if twice else effects.value(depth)
    inner = str(draw.randint(0, 3)) if draw.random() < 0.4 else f"({value}) & 3"
    n = draw.randint(0, 7)
    return draw.choice([
        "@g", "@k", f"@a[{inner}]", "*@p", "@s.x", f"@s.z[({inner}) & 1]", f"@t[({inner}) & 1].y", f"*@q({n})", f"@r({n})->y",
        f"@r({n})->z[({inner}) & 1]", f"@q({n})[0]", f"(*@r({n})).x", f"*(@a + ({inner}))", "(&@t[1])->x",
    ])


def assignments(draw):
    """Plain and compound assignments whose places and values have effects."""
    effects = Effects(draw)
    lines = []
    for _ in range(draw.randint(1, 4)):
        kind = draw.randint(0, 5)
        to = place(draw, effects, 1, twice=2 <= kind <= 4)
        if kind <= 1:
            lines.append(f"  {to} = {effects.value(2)};")
        elif kind == 2:
            op = draw.choice(["+=", "-=", "^=", "|=", "&="])
            lines.append(f"  {to} {op} {effects.value(2)};")
        elif kind == 3:
            op = draw.choice(["/=", "%=", "<<=", ">>=", "*="])
            lines.append(f"  @a[2] = @a[2] & 1023; @s.x &= 255; @g &= 4095; @k &= 511; {to} {op} (({effects.value(1)}) & 7) + 1;")
        elif kind == 4:
            lines.append(f"  @m({draw.choice(['++', '--'])}({to}));" if draw.random() < 0.5 else f"  @m(({to}){draw.choice(['++', '--'])});")
        else:
            n = draw.randint(0, 5)
            to = draw.choice(["@s", f"@t[({effects.value(1)}) & 1]", f"*@r({n})"])
            value = draw.choice([f"@v({n})", f"*@r({n + 1})", f"@t[({effects.value(1)}) & 1]", "@s",
                                 f"(struct @S){{.y = @f(1), .x = @f({n})}}", f"({effects.value(1)} ? @s : @v({n}))"])
            lines.append(f"  {to} = {value};")
        lines.append("  @m(@g); @m(@a[1]); @g &= 65535; @k &= 65535; @s.x &= 65535; @s.y &= 4095;")
        lines.append("  for (int i = 0; i < 4; i++) @a[i] &= 65535;")
    return case("assignments", "\n".join(lines) + "\n")


def compound(draw):
    """Compound assignments and steps of all arithmetic types."""
    lines = []
    types = INTEGERS + ["float", "double"]
    for index in range(draw.randint(1, 4)):
        left, right = draw.choice(types), draw.choice(types)
        lines.append(f"  {left} l{index} = ({left}){number(draw)}; {right} r{index} = ({right}){number(draw)};")
        floats = "float" in left + right or "double" in left + right
        if left in ("float", "double") or floats:
            lines[-1] = f"  {left} l{index} = ({left}){draw.randint(0, 60)}; {right} r{index} = ({right}){draw.randint(1, 90)};"
            op = draw.choice(["+=", "-=", "*="]) if left in ("int", "long", "long long", "float", "double") else "+="
            if left in ("char", "signed char", "unsigned char", "_Bool"):
                lines.append(f"  l{index} = 3; r{index} = 2;")
        else:
            op = draw.choice(["+=", "-=", "*=", "^=", "|=", "&=", "/=", "%=", "<<=", ">>="])
            if op in ("/=", "%="):
                lines.append(f"  if (!r{index} || r{index} == ({right})-1) r{index} = 1;")
            if op in ("<<=", ">>="):
                lines.append(f"  r{index} = r{index} & 7;")
                if op == "<<=":
                    lines.append(f"  l{index} = l{index} & 15;")
        lines.append(f"  @m((long long)(l{index} {op} r{index})); @m((long long)l{index});")
        step = draw.choice(["l{0}++", "++l{0}", "l{0}--", "--l{0}"]).format(index)
        lines.append(f"  @m((long long)({step})); @m((long long)l{index});")
    return case("compound", "\n".join(lines) + "\n")


def calls(draw):
    """Arguments with effects, structures by value, pointers to functions, variable arguments, recursion."""
    effects = Effects(draw)
    before = """#include <stdarg.h>
static int @three(int a, short b, struct @S c) { @m(a); @m(b); @m(c.x + c.y * 3 + c.z[1]); c.x = 99; return a - b; }
static long @many(int n, ...) {
  va_list l; va_start(l, n); long sum = 0;
  for (int i = 0; i < n; i++) {
    switch (i % 3) {
      case 0: sum = sum * 5 + va_arg(l, int); break;
      case 1: sum = sum * 5 + (long)va_arg(l, double); break;
      default: { struct @S s = va_arg(l, struct @S); sum = sum * 5 + s.x + s.z[0]; }
    }
  }
  va_end(l); return sum;
}
static struct @S @twice(struct @S s) { s.x *= 2; s.z[1] += s.x; @g++; return s; }
static int @depth(int n) { static int calls; calls++; return n <= 0 ? calls & 255 : @depth(n - 1) + (@g & 3) * n; }
static int @one(int x) { return @f(x) * 2; }
static int (*@table[2])(int) = {@f, @one};
static int (*@pick(int n))(int) { @m(n + 50); return @table[n & 1]; }
static int @old(a, b) int a; char b; { return a * 3 + b; }
"""
    lines = []
    for _ in range(draw.randint(1, 4)):
        v = lambda: effects.value(1)
        n = draw.randint(0, 6)
        lines.append("  @m(" + draw.choice([
            f"@three({v()}, {v()}, @v({n}))", f"@three({v()}, {v()}, @t[({v()}) & 1])", f"@three(@g, @f({n}), @s)",
            f"@many(3, {v()}, (double)({v()}), @v({n}))", f"@many(4, {v()}, 2.5, @s, {v()})", f"@twice(@v({n})).x", f"@twice(@twice(@s)).z[1]",
            f"@depth(({v()}) & 7)", f"@pick({n})({v()})", f"@table[({v()}) & 1]({v()})", f"(*@table[1])({v()})", f"@old({v()}, ({v()}) & 63)",
            f"({v()} & 1 ? @f : @one)({v()})", f"@f(@f(@f({n})))", f"@three(@f(1), @f(2), @v(3))", f"({v()}, @one)({n})",
        ]) + ");")
    return case("calls", "\n".join(lines) + "\n", before)


def choices(draw):
    """&&, ||, ?:, comma and GNU's ?: nested, in values and in conditions."""
    effects = Effects(draw)
    lines = []
    for index in range(draw.randint(1, 3)):
        v = lambda: effects.value(1)
        condition = draw.choice([
            f"{v()} && {v()} || {v()}", f"!({v()} || {v()}) && {v()}", f"({v()} ? {v()} && {v()} : {v()} || {v()})", f"({v()}, {v()} && {v()})",
            f"(({v()}) & 1) == (({v()}) && ({v()}))", f"({v()} ?: {v()}) > {v()}",
        ])
        lines.append(draw.choice([
            f"  if ({condition}) @m(1{index}); else @m(2{index});", f"  @m({condition});", f"  int c{index} = {condition}; @m(c{index});",
            f"  for (int i = 0; i < 3 && ({condition}); i++) @m(i);", f"  do @m(7); while (({condition}) && @g++ < 2);",
            f"  @m(({condition}) ? {v()} : {v()});", f"  int w{index} = 0; while (w{index}++ < 3) {{ if ({condition}) continue; @m(w{index}); if ({v()} & 1) break; }}",
        ]))
    return case("choices", "\n".join(lines) + "\n")
