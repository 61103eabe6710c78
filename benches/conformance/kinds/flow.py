"""Statements, scopes, linkage over several files, statement expressions, strings, enumerations."""

from conformance.kinds.base import Effects, case


def switches(draw):
    """switch with ranges, fall-through, cases inside other statements; types of the controlling expression."""
    effects = Effects(draw)
    ty = draw.choice(["int", "unsigned char", "long long", "unsigned", "short", "_Bool", "signed char"])
    lines = [f"  for (int i = 0; i < {draw.randint(3, 7)}; i++) {{ {ty} c = ({ty})({draw.choice(['i', 'i * 3', '300 - i', '-i', '255 + i', effects.value(1)])});",
             "    switch (" + draw.choice(["c", "c + 1", "c & 7", f"(c, {effects.value(1)})", "c++", "(long long)c << 1"]) + ") {"]
    used = set()
    for _ in range(draw.randint(1, 6)):
        value = draw.randint(-4, 9)
        if value in used or 100 * (value + 20) in used:
            continue
        used.add(value)
        label = f"case {value}:"
        if draw.random() < 0.2:
            used.add(100 * (value + 20))
            label += f" case {100 * (value + 20)} ... {100 * (value + 20) + 50}:"
        body = draw.choice([f"@m({value + 50});", f"@m(@f({abs(value)})); break;", "{ int i = 4; @m(i); } break;", "if (@g & 1) break; @m(8);", f"if (0) {{ case {10000 + value}: @m(77); }} break;",
                            "continue;", f"for (int j = 0; j < 2; j++) {{ case {20000 + value}: @m(5); if (@g++ & 1) break; j = 1; }} break;", ";", f"do {{ @m(3); case {30000 + value}: @m(4); }} while (@f(1) < 0); break;"])
        lines.append(f"      {label} {body}")
        if draw.random() < 0.15 and "default" not in " ".join(lines):
            lines.append("      default: @m(9);" + draw.choice(["", " break;"]))
    lines.append("    }\n    @m(c);\n  }")
    return case("switches", "\n".join(lines) + "\n")


def jumps(draw):
    """goto forwards and backwards, into blocks and loops, computed, with declarations on the way; nested loops."""
    n = draw.randint(2, 5)
    bodies = [
        f"  int i = 0;\nagain: @m(i); if (++i < {n}) goto again; else goto out;\n  @m(99);\nout: @m(1);\n",
        f"  int i = 0; goto in; while (i < {n}) {{ @m(i);\nin: i += @f(1) & 3; if (i > 9) break; }}\n",
        f"  static void *table[] = {{&&x, &&y, &&z}}; int i = 0;\nnext: if (i >= {n}) goto z; goto *table[i++ % {draw.randint(2, 3)}];\nx: @m(1); goto next;\ny: @m(2); @f(i); goto next;\nz: @m(3);\n",
        f"  for (int i = 0; i < {n}; i++) {{ for (int j = 0; j < 3; j++) {{ if (j == 1 && i == 1) goto done; if ((i + j) & 1) continue; @m(i * 8 + j); }} if (@f(i) > 7) break; }}\ndone: @m(5);\n",
        f"  int s = 0; {{ int k = {n};\nback: k += s; @m(k); if (s++ < 2) goto back; }}\n  do {{ if (s == 4) continue; @m(s); }} while (s++ < 5);\n",
        f"  int n = {n + 3}, i = 0; switch (n % 4) {{ case 0: do {{ @m(i++); case 3: @m(i++); case 2: @m(i++); case 1: @m(i++); }} while ((n -= 4) > 0); }}\n",
        f"  int i = 0; {{ goto skip; int x = 5; @m(x);\nskip: x = 7; @m(x); }}\n  for (;;) {{ if (i++ > {n}) break; if (i == 2) {{ continue; }} @m(i); }}\n",
        f"  int i = {n};\nl1: if (i & 1) goto l2; @m(10);\nl2: switch (i--) {{ case 3: goto l1; case 1: goto l3; default: goto l2; case 0: break; }}\nl3: @m(i);\n",
        f"  int x = 0; {{ __label__ here; for (x = 0; x < {n}; x++) if (@f(x) & 1) goto here; @m(4);\n  here: @m(x); }}\n  {{ __label__ here; goto here; @m(6);\n  here: ; }}\n",
        f"  for (int i = 0, j = {n}; i < j; i++, j--) @m(i * 10 + j); int w = {n}; while (w --> 0) if (w == 1) break; else @m(w); if (w) ; else @m(8);\n",
    ]
    return case("jumps", draw.choice(bodies) + ("  {\n" + "  int y = @f(2); if (y & 1) { @m(y); } else if (y > 3) @m(2); else { int y = 9; @m(y); }\n  }\n" if draw.random() < 0.5 else ""))


def rounds(draw):
    """Long loops that count: registers that grow by constants, conditions that change on the way, copies, wrapping."""
    types = ["int", "unsigned", "long long", "unsigned long long", "short", "unsigned char"]
    names = ["x", "y", "z"][: draw.randint(1, 3)]
    kinds = {name: draw.choice(types) for name in names}
    lines = [f"  {kinds[name]} {name} = {draw.choice([0, 1, 12, -7, 250, 32000, '2147480000', '4294960000u', -2000000000])};" for name in names]
    # Plain types keep their bits when they wrap; signed ones are kept away from it by unsigned arithmetic.
    def grown(name):
        step = draw.choice([1, 1, 1, -1, 2, -2, 3, 7, -13, 1000])
        wide = "unsigned long long" if "long" in kinds[name] else "unsigned"
        return f"{name} = ({kinds[name]})(({wide}){name} + ({wide}){step});"
    other = draw.choice(names)
    extra = ["", f"if ({other} < {draw.choice([5, 100, 40000, 2147482000])}) c += 2; else c ^= 1;", f"if ({other} != {draw.choice([0, 77, 4096])}) c++;",
             f"t = {other}; c = t + 1;", f"c = {other} * 3u;", f"if ({other} == {draw.choice([0, 33, 70000])}) break;", f"if (({other} & 7) == 3) c++;",
             f"while ({other} < -100) {{ {other} = {other} + 1; if (c++ > n) break; }}"]
    lines += [f"  unsigned c = 0, t = 0, i = 0, n = {draw.choice([9000, 20000, 40000])};", f"  {draw.choice(['while (i < n)', 'for (; i != n;)', 'while (i <= n - 1)'])} {{"]
    lines += [f"    {grown(name)}" for name in names]
    lines += [f"    {draw.choice(extra)}", f"    i{draw.choice(['++', ' += 1', '++'])};", "  }"]
    lines += [f"  @m({name});" for name in [*names, "c", "t", "i"]]
    return case("rounds", "\n".join(lines) + "\n")


def scopes(draw):
    """The same name in several scopes and name spaces, static locals, extern in blocks, parameters."""
    before = """static int @n = 4; int @ext = 6; typedef int @T; struct @n2 { int a; }; enum { @e1 = 3, @e2 };
static int @count(void) { static int c = 10; static int *p = &c; return ++*p; }
static int @shadow(int @n) { { int @n = 7; @m(@n); } @m(@n); return @n; }
static int @tag(void) { struct @S { char c; } s = {2}; enum { @e1 = 30 }; @m(sizeof(struct @S)); return s.c + @e1; }
"""
    lines = []
    for _ in range(draw.randint(3, 7)):
        n = draw.randint(1, 9)
        lines.append("  " + draw.choice([
            f"{{ int @n = {n}; {{ extern int @ext; @m(@ext + @n); }} int @ext = @n; @m(@ext); }}", "@m(@count()); @m(@count());", f"@m(@shadow({n}));", "@m(@tag()); @m(@e1);", f"{{ int @T = {n}; @m(@T * 2); }}",
            f"for (int @n = 0; @n < 2; @n++) {{ int @n = {n}; @n++; @m(@n); }} @m(@n);", f"{{ int x = {n}; {{ int x = @n; x++; @m(x); }} @m(x); }}", f"{{ struct @n2 @n2 = {{{n}}}; @m(@n2.a); @n2: @m(sizeof(struct @n2)); goto @n3; @n3: ; }}".replace("@n2:", "").replace("goto @n3; @n3: ;", ""),
            f"{{ typedef short @T; @T t = (@T)70000; @m(t); @m(sizeof(@T)); }} @m(sizeof(@T));", f"for (int i = 0; i < 3; i++) {{ static int s = {n}; int a = s++; @m(a); }}", f"{{ int @f = {n}; @m(@f); }}", f"@n += {n}; {{ int y = @n, @n = y + 1; @m(@n); }}",
            f"if (sizeof(enum {{ @z1 = {n} }}) && @z1) @m(@z1);".replace("@z1", f"@z{len(lines)}"), f"{{ int a = {n}, b = a + 1, *p = &b, **q = &p; **q += a; @m(b); }}", "{ int x = 1; switch (x) { int y; case 1: y = 3; @m(y); } }",
        ]))
    return case("scopes", "\n".join(lines) + "\n", before)


def linkage(draw):
    """Two files: static and external names, tentative definitions, weak and strong, aliases, inline functions, arrays of unknown length."""
    parts = []
    n = draw.randint(1, 9)
    options = [
        # (first file, second file, statements)
        ("extern int @ga; int @ga_get(void);", f"int @ga = {n}; int @ga_get(void) {{ return @ga++; }}", "@m(@ga_get()); @ga += 4; @m(@ga_get());"),
        ("static int @sa = 1; int @sa_get(void); static int @sf(void) { return 1; }", f"static int @sa = {n}; static int @sf(void) {{ return 2; }} int @sa_get(void) {{ return @sa++ * 10 + @sf(); }}", "@sa = 5; @m(@sa_get()); @m(@sa); @m(@sf());"),
        ("int @te; int @te; int @te_get(void);", "int @te_dummy; extern int @te; int @te_get(void) { return @te; }", f"@te = {n}; @m(@te_get());"),
        (f"__attribute__((weak)) int @wf(void) {{ return 1; }}", f"int @wf(void) {{ return {n}; }}", "@m(@wf());"),
        (f"int @wg(void) {{ return {n}; }}", f"__attribute__((weak)) int @wg(void) {{ return 1; }} int @wg2(void) {{ return @wg(); }}", "int @wg2(void); @m(@wg()); @m(@wg2());"),
        (f"__attribute__((weak)) int @wv = 1; int *@wv_at(void);", f"int @wv = {n}; int *@wv_at(void) {{ return &@wv; }}", "@m(@wv); *@wv_at() = 8; @m(@wv);"),
        ("extern int @un(void) __attribute__((weak)); extern int @uv __attribute__((weak));", "", "@m(@un == 0); @m(&@uv == 0); if (@un) @m(@un());"),
        (f"int @al(void) {{ return {n}; }} int @am(void) __attribute__((alias(\"@al\"))); int @ao = {n}; extern int @ap __attribute__((alias(\"@ao\")));", "", "@m(@am()); @ap++; @m(@ao); @m(&@ap == &@ao);"),
        (f"int @lab(void) __asm__(\"@real\"); extern int @labv __asm__(\"@realv\");", f"int @real(void) {{ return {n}; }} int @realv = {n + 1};", "@m(@lab()); @m(@labv); @labv = 3; @m(@lab());"),
        (f"extern int @pw(void);\n#pragma weak @pw = @pt\nint @pt(void) {{ return {n}; }}", "", "@m(@pw());"),
        (f"extern int @pu(void);\n#pragma weak @pu\n", "", "@m(@pu == 0);"),
        ("static inline int @in(int x) { return x * 3; } inline int @ix(int x) { return x + 1; } extern int @ix(int x);", f"int @in2(void) {{ return {n}; }}", "@m(@in(4)); @m(@ix(2));"),
        ("extern const char @ar[]; extern int @as[]; int @alen(void);", f"const char @ar[] = \"hello\"; int @as[3] = {{1, {n}}}; int @alen(void) {{ return sizeof @ar + sizeof @as; }}", "@m(@ar[1]); @m(@as[1]); @m(@alen());"),
        ("struct @X { int a; char b; }; extern struct @X @xs; void @xset(int);", f"struct @X {{ int a; char b; }} @xs = {{{n}, 2}}; void @xset(int v) {{ @xs.a = v; }}", "@m(@xs.a); @xset(6); @m(@xs.a + @xs.b);"),
        ("extern int (*@fp)(int); int @fcall(int);", "static int @hid(int x) { return x * 5; } int (*@fp)(int) = @hid; int @fcall(int x) { return @fp(x); }", f"@m(@fp({n})); @fp = @f; @m(@fcall({n}));"),
        (f"static int @fw(void); static int @fv; int @fw2(void) {{ return @fw() + @fv; }} static int @fv = {n}; static int @fw(void) {{ return 7; }}", "", "@m(@fw2());"),
        ("__attribute__((constructor)) static void @ct(void) { @g += 100; }", "", "@m(@g);"),
        ("extern __thread int @tl; int @tl2(void);", f"__thread int @tl = {n}; int @tl2(void) {{ return ++@tl; }}", "@m(@tl); @m(@tl2()); @m(@tl);"),
        (f"void @imp_user(void); ", f"int @imp(int x) {{ return x + {n}; }} void @imp_user(void) {{ }}", "@imp_user(); { int @imp(); @m(@imp(3)); }"),
        (f"extern int @c1; int @c1 = {n}; extern int @c1; int @c1;", "", "@m(@c1);"),
    ]
    chosen = draw.sample(options, draw.randint(1, 4))
    first = "\n".join(part[0] for part in chosen) + "\n"
    second = "\n".join(part[1] for part in chosen) + "\n"
    lines = "".join(f"  {{ {part[2]} }}\n" for part in chosen)
    return case("linkage", lines, first, [second])


def blocks(draw):
    """Statement expressions: values, effects, jumps out of them, objects inside."""
    effects = Effects(draw)
    lines = []
    for index in range(draw.randint(2, 5)):
        v = lambda: effects.value(1)
        lines.append("  " + draw.choice([
            f"@m(({{ int x = {v()}; x += {v()}; x; }}) + {v()});", f"@m({v()} + ({{ @f(2); @g; }}));", f"@a[({{ int j = {v()}; j & 3; }})] = ({{ {v()}; }});", f"@m(({{ struct @S s = @v(3); s; }}).y);",
            f"for (int i = 0; i < 3; i++) @m(({{ if (i == 1) continue; {v()}; }}));", f"@m(({{ int r = 0; for (int i = 0; i < 3; i++) {{ if (i == 2) break; r += {v()}; }} r; }}));", f"@m(({{ ({{ {v()}; }}) + ({{ {v()}; }}); }}));",
            f"@m(@f(({{ int q = {v()}; q & 7; }})));", f"@m(({{ __typeof__(@g) t = {v()}; (void)0; t; }}) ? ({{ {v()}; }}) : {v()});", f"({{ @f(1); }}); @m(({{ switch ({v()} & 1) {{ case 0: @g = 3; }} @g; }}));", f"@m(({{ *@q(1); }}) + ({{ @a[1]; }}));",
        ]))
    return case("blocks", "\n".join(lines) + "\n")


def strings(draw):
    """String literals: arrays and pointers, escapes, wide ones, lengths, sharing of bytes."""
    texts = ['"abc"', '"a\\0b"', '""', '"\\x41\\102\\n"', '"tab\\t" "joined"', '"\\377\\x80"', '"??!"', '"h\\u00e9"']
    lines = []
    for index in range(draw.randint(2, 5)):
        text = draw.choice(texts)
        lines.append("  " + draw.choice([
            f"{{ char a[] = {text}; for (unsigned i = 0; i < sizeof a; i++) @m(a[i]); }}", f"{{ const char *p = {text}; while (*p) @m((unsigned char)*p++); }}", f"@m(sizeof {text}); @m({text}[0]);", f"{{ char a[12] = {text}; a[1] = 'X'; for (int i = 0; i < 12; i++) @m(a[i]); }}",
            f"{{ static const char *t[] = {{{text}, {draw.choice(texts)}}}; @m(t[1][0]); @m(t[0][0]); }}", "{ int w[] = L\"w\\x3b1z\"; @m(sizeof w); @m(w[1]); }", "{ unsigned short w[] = u\"a\\u20ac\"; @m(w[1]); @m(sizeof w); }", "{ unsigned w[4] = U\"\\U0001F600\"; @m(w[0]); @m(w[2]); }",
            f"{{ char a[2][6] = {{\"ab\", {{\"cdefg\"}}}}; for (int i = 0; i < 12; i++) @m(((char *)a)[i]); }}", f"{{ struct {{ int n; char s[4]; }} x = {{1, \"wxyz\"}}; @m(x.s[3]); @m(x.n); }}", "@m(*(\"xyz\" + 1)); @m(\"abc\"[@f(1) & 1]); @m(sizeof(__func__) > 1);", "@m(u8\"ab\"[1]); { unsigned char c[] = u8\"z\"; @m(c[0]); }",
        ]))
    return case("strings", "\n".join(lines) + "\n")


def enumerations(draw):
    """Enumerations, _Generic, typeof, alignment, sizes, unions that overlay types."""
    lines = []
    before = f"enum @E {{ @A = {draw.randint(-3, 3)}, @B, @C = 200 }}; enum @P {{ @P1, @P2 }} __attribute__((packed)); union @U {{ int i; unsigned char c[4]; float f; struct {{ unsigned short lo, hi; }} h; }}; struct @N {{ char c; union {{ int i; struct {{ short a, b; }}; }}; struct {{ int z; }} in[2]; int f[]; }};\n"
    for index in range(draw.randint(3, 6)):
        n = draw.randint(0, 99999)
        lines.append("  " + draw.choice([
            "{ enum @E e = @B; e++; @m(e); e = (enum @E)7; @m(e); @m((enum @E)-1 < 0); }", "@m(sizeof(enum @P)); { enum @P p = @P2; @m(p + 1); }", f"{{ union @U u = {{{n}}}; @m(u.c[1]); u.h.hi = 7; @m(u.i); u.f = 1.5f; @m(u.h.hi); }}",
            "@m(_Generic((char)1, char: 1, int: 2, default: 3)); @m(_Generic(@A, int: 4, unsigned: 5, default: 6)); @m(_Generic(\"a\", char *: 7, default: 8));", "{ struct @N s = {.a = 3, .b = 4, .c = 1}; @m(s.i); @m(sizeof s); @m(s.in[1].z); }",
            "@m(__builtin_offsetof(struct @N, in[1].z)); @m(_Alignof(struct @N)); @m(__alignof__(long long));", "{ __typeof__(@s.z) t = {1, 2}; @m(sizeof t + t[1]); __auto_type x = 3ull; @m(sizeof x); }", f"{{ union @U u; u.i = {n}; union @U v = u; v.c[0] ^= 255; @m(v.i); @m(u.i == v.i); }}",
            "{ _Alignas(16) char a[3]; @m(_Alignof(a)); @m(sizeof a); }", "{ struct { _Alignas(8) char c; char d; } s; @m(sizeof s); }", "{ struct __attribute__((packed)) { char c; int i; } s = {1, 2}; @m(sizeof s); s.i += 5; @m(s.i); }", "_Static_assert(@C == 200, \"c\"); @m(@C);",
            "{ struct { int a; struct { int b, c; }; } x = {1, {2, 3}}, *p = &x; @m(p->b + x.c); }", f"{{ union {{ long long l; struct {{ int a, b; }} p; char c[8]; }} u = {{.p = {{1, {n}}}}}; @m(u.l); u.c[3] = 9; @m(u.p.a); }}",
        ]))
    return case("enumerations", "\n".join(lines) + "\n", before)
