"""Values of several parts, and functions that see or leave others: vectors, complex numbers, inner functions, `longjmp`."""

from conformance.kinds.base import case

LANES = {"unsigned char": 1, "signed char": 1, "unsigned short": 2, "unsigned": 4, "unsigned long long": 8, "float": 4, "double": 8}
MASKS = {1: "signed char", 2: "short", 4: "int", 8: "long long"}


def vectors(draw):
    """Operators, parts, conversions and shuffles of vectors of one size, by value and in memory."""
    bytes_ = draw.choice([8, 16, 16, 32])
    names = draw.sample(sorted(set(LANES) - {"signed char"}), 2)
    before = []
    for index, name in enumerate(names):
        count = bytes_ // LANES[name]
        before.append(f"typedef {name} @v{index} __attribute__((vector_size({bytes_})));")
        before.append(f"typedef {MASKS[LANES[name]]} @m{index} __attribute__((vector_size({bytes_})));")
        before.append(f"struct @s{index} {{ char c; @v{index} v; }};")
        before.append(f"static @v{index} @g{index} = {{ {', '.join(str(draw.randint(0, 9)) for _ in range(draw.randint(1, count)))} }};")
        before.append(f"static @v{index} @f{index}(@v{index} a, int k) {{ a[k & {count - 1}] += 3; return a {draw.choice('+-*')} @g{index}; }}")
        whole = name not in ("float", "double")
        sum_ = "(unsigned long long)v[i]" if whole else "(unsigned long long)(long long)(v[i] * 4)"
        before.append(f"static unsigned long long @h{index}(@v{index} v) {{ unsigned long long s = 0; for (int i = 0; i < {count}; i++) s = s * 31 + {sum_}; return s; }}")
    lines = []
    for index, name in enumerate(names):
        count = bytes_ // LANES[name]
        whole = name not in ("float", "double")
        width = LANES[name] * 8
        vector, mask = f"@v{index}", f"@m{index}"
        values = lambda: ", ".join(str(draw.randint(0, 20)) for _ in range(count))
        lines.append(f"  {vector} a{index} = {{ {values()} }}, b{index} = {{ {values()} }}, c{index} = {{ {draw.randint(1, 9)} }};")
        a, b, c = f"a{index}", f"b{index}", f"c{index}"
        for _ in range(draw.randint(3, 7)):
            op = draw.choice(["+", "-", "*"] + (["&", "|", "^"] if whole else []))
            lines.append("  " + draw.choice([
                f"{c} = {a} {op} {b};", f"{c} {op}= {a};", f"{b} = {b} {op} 3;", f"{c} = 5 {op} {c};", f"{a} = @f{index}({c}, {draw.randint(0, 40)});",
                f"{a}[{draw.randrange(count)}] = {b}[{draw.randrange(count)}] + 1;", f"for (int i = 0; i < {count}; i++) {a}[i] = {b}[{count} - 1 - i];",
                f"{c} = -{c};", f"{c}++;", f"{c} = {a}--;", f"{{ struct @s{index} s = {{ 1, {a} }}, t = s; t.v {op}= {b}; {c} = t.v; @m(@h{index}(s.v)); }}",
                f"{{ {vector} x[2] = {{ {a}, {b} }}, *p = x; p[1] {op}= *p; {c} = x[1]; }}", f"@g{index} = {a} {op} @g{index};",
                f"{{ {mask} m = ({mask})({a} {draw.choice(['<', '<=', '==', '!=', '>', '>='])} {b}); @m((unsigned long long)m[0]); @m((unsigned long long)m[{count - 1}]); }}",
                f"{c} = ({vector})(({mask}){a} & ({mask})({a} < {b}));", f"{c} = __builtin_shuffle({a}, ({mask}){{ {', '.join(str(draw.randint(-9, 99)) for _ in range(count))} }});",
                f"{c} = __builtin_shuffle({a}, {b}, ({mask}){{ {', '.join(str(draw.randint(0, 2 * count)) for _ in range(count))} }});",
                *([f"{c} = {a} << {draw.randrange(width)};", f"{c} = {a} >> {draw.randrange(width)};", f"{c} = ~{c};", f"{c} = {a} / ({b} | 1);", f"{c} = {a} % 7;"] if whole else [f"{c} = {a} / 4;"]),
                f"{c} = @m0_if ? {a} : {b};".replace("@m0_if", f"({a}[0] > {b}[0])"),
            ]))
        lines.append(f"  @m(@h{index}({a})); @m(@h{index}({b})); @m(@h{index}({c})); @m(sizeof({a}));")
    whole = [name not in ("float", "double") for name in names]
    if all(whole):
        lines.append("  { @v1 w = (@v1)a0; @m(@h1(w)); @m(@h0((@v0)w)); }")
    if LANES[names[0]] == LANES[names[1]]:
        lines.append("  { @v0 w = a0 - a0 + 7; @m(@h1(__builtin_convertvector(w, @v1))); }")
    return case("vectors", "\n".join(lines) + "\n", "\n".join(before) + "\n")


def complexes(draw):
    """Complex numbers of floats and integers: operators with real and complex sides, halves, comparisons, conversions."""
    element = draw.choice(["float", "double", "long double", "int", "double"])
    whole = element == "int"
    before = f"""typedef {"_Complex " + element} @c;
static @c @one = {draw.randint(1, 4)} + {draw.randint(1, 4)}i;
static @c @two(@c a, {element} k) {{ a *= k; return a - @one; }}
static unsigned long long @sum(@c z) {{ return (unsigned long long)(long long)(__real__ z * 8) * 31 + (unsigned long long)(long long)(__imag__ z * 8); }}
"""
    def value():
        return f"({draw.randint(-4, 4)} + {draw.randint(1, 5)}i)"
    lines = [f"  @c a = {value()}, b = {value()}, c = {draw.randint(-3, 3)}; {element} r = {draw.choice([1, 2, 4])};"]
    for _ in range(draw.randint(4, 9)):
        op = draw.choice("+-*")
        lines.append("  " + draw.choice([
            f"c = a {op} b;", f"c = a {op} r;", f"c = r {op} b;", f"a = @two(b, r);", "c = ~b;", "c = -a;", f"c {op}= b; c = __real__ c > 1000 || __real__ c < -1000 ? 1 : c;",
            "__real__ a = r;", "__imag__ b += 1;", f"r {op}= a; r = r > 50 || r < -50 ? 3 : r;", "c++;", "b = a--;", f"@m(a == b); @m(a != a {op} r); @m(!c); @m(a ? 1 : 2);",
            f"{{ @c x[2] = {{ a, b }}, *p = x; p[1] {op}= *p; c = x[1]; }}", f"{{ struct {{ char k; @c z; }} s = {{ 1, a }}, t = s; t.z += 1; @m(@sum(t.z) - @sum(s.z)); }}",
            f"{{ _Complex {draw.choice(['float', 'double', 'int'])} z = a; @m((unsigned long long)(long long)(__real__ z + 3 * __imag__ z)); }}", "@m((unsigned long long)(int)a);",
            "{ _Bool t = a; @m(t); }", "@one = @one + 1;",
            *([] if whole else [f"c = a / {draw.choice([2, 4])};", "c = c / 2;", f"c = a / {draw.choice(['1i', '2i', '(1 + 1i)'])};"]),
        ]))
    lines.append("  @m(@sum(a)); @m(@sum(b)); @m(@sum(c)); @m((unsigned long long)(long long)(r * 8)); @m(sizeof(a));")
    return case("complexes", "\n".join(lines) + "\n", before)


def inner(draw):
    """Functions inside of functions that use and change what is around them; clang does not have them."""
    count = draw.randint(1, 3)
    lines = [f"  int x = {draw.randint(0, 9)}, y = {draw.randint(0, 9)}; int v[3] = {{ 1, 2, 3 }}; struct {{ int p; char q; }} s = {{ 4, 5 }};"]
    names = []
    for index in range(count):
        effect = draw.choice(["x += k;", "v[k & 1] += 2;", "s.p ^= k;", "y = x + k;", "{ int *p = &x; *p += 1; }", "s.q++;"])
        more = f" if (k > 0) r += f{draw.randrange(index)}(k - 1);" if index and draw.random() < 0.6 else ""
        again = f" if (k > 2) r += f{index}(k - 2);" if draw.random() < 0.4 else ""
        deep = " int g(int z) { x ^= z; return z + y + k; } r += g(k) + g(1);" if draw.random() < 0.4 else ""
        lines.append(f"  int f{index}(int k) {{ int r = k; {effect}{deep}{more}{again} return r + x; }}")
        names.append(f"f{index}")
    for _ in range(draw.randint(2, 5)):
        name = draw.choice(names)
        lines.append("  " + draw.choice([
            f"@m((unsigned)@o({name}, {draw.randint(0, 5)}));", f"{{ int r = {name}({draw.randint(0, 5)}); @m((unsigned)r); }}", f"x += 2; {{ int r = {name}(x & 3); @m((unsigned)r); }}",
            f"{{ int (*p)(int) = {name}; int r = p(2); @m((unsigned)r); }}",
        ]))
    lines.append("  @m((unsigned)x); @m((unsigned)y); @m((unsigned)(v[0] + 3 * v[1])); @m((unsigned)(s.p + s.q));")
    return case("inner", "\n".join(lines) + "\n", "static int @o(int (*f)(int), int k) { return f(k) + f(k + 1); }\n")


def leaps(draw):
    """`setjmp` and `longjmp` to functions that are active, through calls and recursion."""
    before = f"""#include <setjmp.h>
static jmp_buf @env, @two;
static int @n;
static void @down(int k, int code) {{ int a[3] = {{ 1, 2, 3 }}; @n += a[k % 3]; if (k == 0) {draw.choice(['longjmp(@env, code)', 'longjmp(code & 1 ? @env : @two, code)'])}; @down(k - 1, code); @n = 1000; }}
static int @own(int k) {{
  jmp_buf b; volatile int i = k;
  int r = setjmp(b);
  if (r > {draw.randint(1, 3)}) return i * 10 + r;
  i++;
  if (k > 0 && r == 0) @n += @own(k - 1);
  longjmp(b, r + 1);
}}
static void (*@through)(int, int) = @down;
"""
    lines = ["  volatile int c = 0; int r;"]
    for _ in range(draw.randint(2, 4)):
        k, code = draw.randint(0, 4), draw.choice([1, 3, 5, 7])
        lines.append("  " + draw.choice([
            f"r = setjmp(@env); if (r == 0) {{ c++; @down({k}, {code}); }} @m((unsigned)(r + 10 * c + @n));",
            f"switch (setjmp(@env)) {{ case 0: @through({k}, {code}); break; case {code}: c += 5; break; default: c += 7; }} @m((unsigned)c);",
            f"for (int i = 0; i < 3; i++) if (setjmp(@env) == 0) @down(i, {code}); else c++; @m((unsigned)c); @m((unsigned)@n);",
            f"@m((unsigned)@own({draw.randint(0, 3)})); @m((unsigned)@n);",
            f"if (!setjmp(@env)) {{ if (!setjmp(@two)) @down({k}, {draw.choice([2, 4, 1])}); else {{ c += 3; @down(1, 1); }} }} else c += 11; @m((unsigned)c);" if "code & 1" in before else
            f"{{ volatile int z = 0; setjmp(@env); if (++z < {draw.randint(2, 5)}) longjmp(@env, z); @m((unsigned)z); }}",
        ]))
    return case("leaps", "\n".join(lines) + "\n", before)
