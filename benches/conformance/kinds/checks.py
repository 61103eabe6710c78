"""Pairs of a violating and a clean program, by check: a text with `«violating¦clean»`, and the range of its input `x`."""


def run(body, before="", low=0, high=3):
    """A pair whose function does `body` with the input `x`."""
    return f"{before}static int @run(int x) {{\n  {body}\n  return x;\n}}\n", low, high


def overflows():
    for ty, top in [("int", "INT_MAX"), ("long", "LONG_MAX"), ("long long", "LLONG_MAX")]:
        least = f"(-{top} - 1)"
        yield run(f"{ty} a = {top} - 3; a = a + x + «1¦0»; return a > 0;")
        yield run(f"{ty} a = {least} + 3; a -= x + «1¦0»; return a > 0;")
        yield run(f"{ty} a = {top} / 3 + «1¦0»; a = a * x; return a > 0;")
        yield run(f"{ty} a = {top} - x; «a++; a++; a++; a++;¦if (a < {top}) a++;» return a > 0;")
        yield run(f"{ty} a = {least} + x; a = -«a¦(a + 1)»; return a > 0;")
        yield run(f"{ty} a = {least} + «x¦x + 1»; a /= -1; return a > 0;")
        yield run(f"{ty} a = 1; for (int i = 0; i < «x + 61¦x»; i++) a *= 3; return a > 0;")
        yield run(f"struct @s s = {{{top} - x}}; s.a += «x + 1¦x»; return s.a > 0;", f"struct @s {{ {ty} a; }};\n")


def divisions():
    for ty in ["int", "unsigned", "long", "unsigned long long", "short", "unsigned char"]:
        yield run(f"{ty} a = 10, b = x - «2¦9»; return (int)(a / b);")
        yield run(f"{ty} a = 10, b = ({ty})(x * x + «0¦1»); a %= b; return (int)a;")
    yield run("int a[4] = {3, 2, «0¦1», 5}; return 7 / a[x];")


def shifts():
    for ty, width in [("int", 32), ("unsigned", 32), ("long", 64), ("unsigned long", 64), ("unsigned char", 32)]:
        yield run(f"{ty} a = 1; return (int)(a << (x + {width} - «3¦4») >> 1 & 1) & 0;" if ty.startswith("unsigned") else f"{ty} a = 0; return (int)(a << (x + {width} - «3¦4»));")
        yield run(f"{ty} a = 7; return (int)(a >> (x - «1¦0»));")
        yield run(f"{ty} a = 0; a <<= x * «{width}¦1»; return (int)a;")


def uninitialised():
    for ty in ["int", "long", "unsigned char", "int *"]:
        yield run(f"{ty} a«¦ = 0»; if (x > 2) a = 0; if (a) return 1; return 0;")
        yield run(f"{ty} *p = malloc(2 * sizeof *p); if (!p) return 0; p[0] = 0; int r = p[«1¦0»] != 0; free(p); if (r) return 1; return 0;")
        yield run(f"struct @s s; «s.b¦s.a» = 0; int r = s.a != 0; return r ? 2 : 3;", f"struct @s {{ {ty} a, b; }};\n".replace("int * a, b", "int *a, *b"))
        yield run(f"{ty} a[4]; for (int i = 0; i < «x¦4»; i++) a[i] = 0; if (a[3]) return 5; return 0;")


def dereferences():
    for ty in ["int", "char", "double", "struct @s"]:
        before = "struct @s { int a, b; };\n"
        zero = "((struct @s){0, 0})" if "struct" in ty else "0"
        yield run(f"{ty} a[4]; a[x + «1¦0»] = {zero};", before)
        yield run(f"@g[x - «1¦0»] = {zero};", before + f"static {ty} @g[4];\n")
        yield run(f"{ty} *p = malloc(4 * sizeof *p); if (!p) return 0; p[x + «1¦0»] = {zero}; free(p);", before)
        yield run(f"{ty} *p = malloc(sizeof *p); if (!p) return 0; *p = {zero}; «free(p); *p = {zero};¦*p = {zero}; free(p);»", before)
        yield run(f"{ty} a = {zero}, *p = «x == 2 ? 0 : &a¦&a»; *p = {zero};", before)
        yield run(f"{ty} *p; {{ {ty} a = {zero}; p = &a; «¦*p = {zero};» }} «*p = {zero};¦»", before)
        yield run(f"{ty} *p = malloc((x + 1) * sizeof *p); if (!p) return 0; memset(p, 0, (x + «2¦1») * sizeof *p); free(p);", before)
    yield run('char *s = «"abc"¦(char[]){"abc"}»; s[x] = 1;')
    yield run("char b[4]; strcpy(b, «\"abcd\"¦\"abc\"»); return b[0] & 1;")
    yield run("char b[«4¦5»]; memcpy(b, \"abcd\", 5); return b[0] & 1;")
    yield run("struct @s *p = «x == 2 ? 0 : &@g¦&@g»; return p->b;", "struct @s { int a, b; };\nstatic struct @s @g;\n")


def frees():
    for size in ["4", "x + 1", "sizeof(long) * 3", "16 - x"]:
        yield run(f"char *p = malloc({size}); free(p); «free(p);¦»")
        yield run(f"char *p = malloc({size}); if (!p) return 0; free(p + «1¦0»);")
        yield run(f"char *p = malloc({size}), *q = p; «if (x == 2) free(q);¦» free(p);")
    yield run("char b[4], *p = malloc(4); free(«x == 1 ? b¦x == 9 ? b» : p); «if (x == 1) free(p);¦»")
    yield run("free(«&@g¦0»);", "static int @g;\n")


def leaks():
    for size in ["4", "x + 1", "sizeof(long) * 2", "9 - x"]:
        yield run(f"char *p = malloc({size}); «¦free(p);» p = 0;")
        yield run(f"char *p = malloc({size}); «if (x != 2)¦» free(p); p = 0;")
        yield run(f"@g = malloc({size}); «@g = 0;¦free(@g); @g = 0;»", "static char *@g;\n")
        yield run(f"struct @n *n = malloc(sizeof *n); if (!n) return 0; n->p = malloc({size}); «¦free(n->p);» free(n); n = 0;", "struct @n { char *p; };\n")


def unreachable():
    for condition in ["x == 2", "x > 2", "(x & 1) == 1", "x * x == 9"]:
        yield run(f"if («{condition}¦x > 3») __builtin_unreachable();")
        yield run(f"switch (x) {{ case 0: return 1; «¦case 1: case 2: case 3:» case 9: return 2; default: __builtin_unreachable(); }}")
        yield run(f"return @f(«{condition}¦x < 0»);", "static int @f(int c) { if (!c) return 0; __builtin_unreachable(); }\n")
        yield run(f"for (int i = 0; i < 4; i++) if (i == x && «{condition}¦i > 3») __builtin_unreachable();")


def counts():
    for suffix, ty in [("", "unsigned"), ("l", "unsigned long"), ("ll", "unsigned long long")]:
        for which in ["clz", "ctz"]:
            call = f"__builtin_{which}{suffix}"
            yield run(f"return {call}(({ty})(x + «0¦1»));")
            yield run(f"{ty} a = x; a &= «12¦12; a |= 1»; return {call}(a);")
            yield run(f"{ty} a = 8; int n = 0; while (n < 2 + «x¦0») {{ n += {call}(a) * 0 + 1; a >>= 2; }} return n;")
            yield run(f"return «¦!x ? 32 :» {call}(@f(x));", f"static {ty} @f(int x) {{ return ({ty})x * 2; }}\n")


def lengths():
    for ty in ["int", "char", "struct @s", "long *"]:
        before = "struct @s { int a, b; };\n"
        yield run(f"int n = x - «1¦-1»; {ty} a[n]; return sizeof a > 3;", before)
        yield run(f"int n = «x¦x + 1»; {ty} a[2][n]; return sizeof a > 3;", before)
        yield run(f"int n = x; typedef {ty} row[n - «2¦-2»]; return sizeof(row) > 3;", before)
        yield run(f"int n = x + 1; {ty} a[n «- 2¦+ 2»][2]; return sizeof a > 3;", before)
        yield run(f"short n = (short)(x - «3¦-1»); {ty} (*p)[n] = 0; return p != 0;", before)


def float_to_integer():
    for source, suffix in [("float", "f"), ("double", ""), ("long double", "L")]:
        for to, bad, good in [("int", "3e9", "2e9"), ("unsigned", "-1.5", "-0.5"), ("long", "1e19", "1e18"), ("unsigned long", "2e19", "1e19"),
                              ("signed char", "128.0", "127.0"), ("unsigned char", "-1.0", "-0.5"), ("short", "-32769.0", "-32768.0")]:
            yield run(f"{source} a = «{bad}¦{good}»{suffix}; if (x == 2) return (int)({to})a;")
        yield run(f"{source} a = x, b = «0¦1»; int i = (int)((a + 1) / b); return i;")
        yield run(f"{source} a = 1; for (int i = 0; i < x * «20¦5»; i++) a *= 10; long l = (long)a; return l > 3;")


def negative_shifts():
    for ty in ["int", "long", "long long", "short", "signed char"]:
        yield run(f"{ty} a = ({ty})(x - «2¦0»); return (int)(a << 2);")
        yield run(f"{ty} a = ({ty})(«-x¦x»); a <<= 1; return (int)a;")
        yield run(f"{ty} a[2] = {{1, «-1¦1»}}; return (int)(a[x & 1] << x);")


def indices():
    for ty in ["int", "char", "long", "unsigned short"]:
        yield run(f"@s.a[x + «1¦0»] = 1;", f"static struct {{ {ty} a[4]; {ty} b[4]; }} @s;\n")
        yield run(f"return (int)@m[1][x «+ 2¦/ 2»];", f"static {ty} @m[3][2];\n")
        yield run(f"@s[1].a[x - «1¦0»]++;", f"static struct {{ {ty} b, a[4], c; }} @s[3];\n")
        yield run(f"struct @r r = {{0}}, *p = &r; for (int i = 0; i < «x + 2¦4»; i++) p->a[i] = 2; return (int)p->b;", f"struct @r {{ {ty} a[4], b, c; }};\n")
        yield run(f"return (int)@c[1][x & 1][x + «1¦0»];", f"static {ty} @c[2][3][4];\n")
        yield run(f"struct @r *p = malloc(sizeof *p); if (!p) return 0; p->a[x + «1¦0»] = 1; free(p);", f"struct @r {{ {ty} a[4], b; }};\n")


def alignments():
    for ty in ["int", "short", "long", "double", "void *", "struct @s"]:
        before = "struct @s { int a, b; };\n"
        odd = "«1¦sizeof(long)»"
        zero = "((struct @s){0, 0})" if "struct" in ty else "0"
        yield run(f"char *p = malloc(64); if (!p) return 0; {ty} *q = ({ty} *)(p + x * {odd}); *q = {zero}; free(p);", before)
        yield run(f"_Alignas(16) static char b[64]; {ty} *q = ({ty} *)(b + x * {odd}); {ty} v = *q; (void)v;", before)
        yield run(f"long b[8] = {{0}}; void *p = (char *)b + x * {odd}; @set(p);", before + f"static void @set({ty} *p) {{ *p = {zero}; }}\n")
        yield run(f"char *p = malloc(64); if (!p) return 0; struct @w *q = (struct @w *)(p + «x¦8 * x»); q->v = {zero}; free(p);", before + f"struct @w {{ {ty} u, v; }};\n".replace("void * u, v", "void *u, *v"))


def unsequenced():
    for before, name in [("", "i"), ("static int @i;\n", "@i"), ("static struct { int a, b; } @s;\n", "@s.a")]:
        start = "int i = x;" if name == "i" else f"{name} = x;"
        for bad, good in [
            (f"{name} = {name}++;", f"{name}++;"), (f"{name} = {name}++ + 1;", f"{name} = {name} + 1;"), (f"a[{name}] = {name}++;", f"a[{name}] = {name}; {name}++;"),
            (f"a[{name}++] = {name};", f"a[{name}] = {name} + 1;"), (f"b = {name}++ + {name}++;", f"b = {name}++; b += {name}++;"),
            (f"b = {name} + {name}++;", f"b = {name} + 1;"), (f"b = @f({name}++, {name});", f"b = @f({name}, {name}); {name}++;"), (f"{name} += {name}++;", f"{name} += 1;"),
            (f"b = ({name} = 3) + ({name} = 4);", f"b = ({name} = 3, {name} + 4);"), (f"b = (--{name}) * {name};", f"b = (--{name}, {name} * {name});"),
            (f"b = {name}++ > 1 | {name} == 2;", f"b = {name}++ > 1 || {name} == 2;"), (f"{name} = @f({name}++, {name}--);", f"{name} = @f({name}++, 3);"),
        ]:
            yield run(f"{start} int a[8] = {{0}}, b = 0; «{bad}¦{good}» (void)a; return b;", before + "static int @f(int a, int b) { return a + b; }\n")


def float_overflows():
    for ty, top, suffix in [("float", "FLT_MAX", "f"), ("double", "DBL_MAX", "")]:
        before = "#include <float.h>\n"
        yield run(f"{ty} a = {top} / 2; a = a * (x «¦/ 2»); return a > 1;", before)
        yield run(f"{ty} a = {top}; a += {top} / 8 * «x¦0»; return a > 1;", before)
        yield run(f"{ty} a = {top}, b = 4 - x; a = a / (b «/ 2¦»); return a > 1;", before)
        yield run(f"{ty} a = 1; for (int i = 0; i < x * «200¦9»; i++) a *= 100{suffix or '.0'}; return a > 1;".replace("100f", "100.0f"), before, 1, 2)
        yield run(f"{ty} a = -{top}; a = a - «{top} / 4¦1»; return a > 1;", before)
        yield run(f"{ty} a = x, b = «0¦1»; a = (a + 1) / b; return a > 1;", before)
    yield run("double a = «1e200¦1e30»; float f = (float)a; return f > 1;")
    yield run("long double a = «1e4000L¦1e300L»; double f = (double)a; return f > 1;")


def not_numbers():
    for ty in ["float", "double", "long double"]:
        yield run(f"{ty} a = x, b = x; a = a / «b¦(b + 1)»; return a > 1;")
        yield run(f"{ty} a = HUGE_VAL; a = a - «a¦1»; return a > 1;")
        yield run(f"{ty} a = HUGE_VAL, b = x; a = a * (b + «0¦1»); return a > 1;")
        yield run(f"{ty} a[2] = {{«0¦1», 3}}, b = 0; b /= a[x & 1]; return b > 1;")


def wraps():
    for ty, top in [("unsigned", "UINT_MAX"), ("unsigned long", "ULONG_MAX"), ("unsigned long long", "ULLONG_MAX"), ("size_t", "SIZE_MAX")]:
        yield run(f"{ty} a = x; a = a - «1¦0»; return a > 3;")
        yield run(f"{ty} a = {top} - 3; a += x + «1¦0»; return a > 3;")
        yield run(f"{ty} a = {top} / 3 + «1¦0»; a = a * x; return a > 3;")
        yield run(f"{ty} a = {top} - x; a = a + «1¦0»; return a > 3;")
        yield run(f"{ty} a = x; for ({ty} i = 3; i «>= 0 && i < 9¦> 0»; i--) a |= 1; return a > 3;")
        yield run(f"{ty} a[2] = {{1, 2}}; return a[0] - a[«1¦0»] > 3;")


def conversions():
    for to, bad, good in [("unsigned char", 256, 255), ("signed char", 128, 127), ("short", 32768, 32767), ("unsigned short", 65536, 65535),
                          ("char", 200, 100)]:
        yield run(f"int a = {good} - 3 + x + «{bad - good}¦0»; {to} b = a; return b > 3;")
        yield run(f"return @f(x == 2 ? «{bad}¦{good}» : 0);", f"static int @f({to} a) {{ return a > 3; }}\n")
        yield run(f"long a = x == 3 ? «{bad}L¦{good}L» : 1; @g = a; return @g > 3;", f"static {to} @g;\n")
        yield run(f"struct @s s = {{0}}; s.a += x * «{bad}¦1»; return s.a > 3;", f"struct @s {{ {to} a; }};\n")
    yield run("int a = x - «2¦0»; unsigned b = a; return b > 3;")
    yield run("unsigned a = «3000000000u¦3u»; int b = a; return b > 3;")
    yield run("long a = x + «(1L << 31)¦3»; int b = a; return b > 3;")
    yield run("int a = x - «2¦0»; size_t b = a; return b > 3;")


def results():
    for bad, good in [
        ("malloc(3);", "void *p = malloc(3); free(p);"), ("fopen(\"/none\", \"r\");", "FILE *f = fopen(\"/none\", \"r\"); if (f) fclose(f) ? x = 1 : 0;"),
        ("remove(\"/none/none\");", "if (remove(\"/none/none\")) x = 1;"), ("rename(\"/none/a\", \"/none/b\");", "if (rename(\"/none/a\", \"/none/b\")) x = 1;"),
        ("strtol(\"12\", 0, 10);", "long l = strtol(\"12\", 0, 10); x += l > 3;"), ("setvbuf(stdout, 0, _IONBF, 0);", "if (setvbuf(stdout, 0, _IONBF, 0)) x = 1;"),
        ("fflush(stdout);", "if (fflush(stdout)) x = 1;"), ("fseek(stdin, 0, SEEK_SET);", "if (fseek(stdin, 0, SEEK_SET)) x = 1;"), ("getenv(\"A\");", "char *e = getenv(\"A\"); x += e != 0;"),
        ("strtoul(\"1\", 0, 10);", "(void)strtoul(\"1\", 0, 10);"), ("ftell(stdin);", "(void)ftell(stdin);"), ("strdup(\"a\");", "free(strdup(\"a\"));"),
    ]:
        yield run(f"«{bad}¦{good}»")


PAIRS = {
    "no-overflow": list(overflows()), "no-division-by-zero": list(divisions()), "no-invalid-shift": list(shifts()),
    "no-uninitialised-read": list(uninitialised()), "valid-deref": list(dereferences()), "valid-free": list(frees()),
    "valid-memtrack": list(leaks()), "no-builtin-unreachable": list(unreachable()), "no-bit-count-of-zero": list(counts()),
    "valid-array-size": list(lengths()), "no-float-to-integer-overflow": list(float_to_integer()),
    "no-shift-of-negative": list(negative_shifts()), "no-index-out-of-bounds": list(indices()), "no-misaligned-access": list(alignments()),
    "no-unsequenced": list(unsequenced()), "no-float-overflow": list(float_overflows()), "no-nan": list(not_numbers()),
    "no-unsigned-wrap": list(wraps()), "no-lossy-conversion": list(conversions()), "no-ignored-result": list(results()),
}
