"""Arithmetic: conversions, promotions, constants, floats, 128 bits, bit-fields, builtins."""

from conformance.kinds.base import FLOATS, INTEGERS, case, number


def conversions(draw):
    """Converts values along a chain of arithmetic types."""
    types = INTEGERS + ["__int128", "unsigned __int128"]
    chain = [draw.choice(types) for _ in range(draw.randint(2, 6))]
    lines = [f"  {chain[0]} v0 = ({chain[0]}){number(draw)};"]
    for index, name in enumerate(chain[1:], 1):
        op = draw.choice(["+", "-", "*", "^", "|", "&"])
        lines.append(f"  {name} v{index} = ({name})((unsigned __int128)v{index - 1} {op} {number(draw, True)});")
        if draw.random() < 0.3:
            lines.append(f"  {{ {name} w = v{index - 1}; @m(w == v{index}); @m(w < v{index}); }}")
    lines += [f"  @m((unsigned long long)v{index});" for index in range(len(chain))]
    return case("conversions", "\n".join(lines) + "\n")


def promotions(draw):
    """Operators on operands of two types; what is done is in the common type."""
    lines = []
    for index in range(draw.randint(2, 5)):
        left, right = draw.choice(INTEGERS), draw.choice(INTEGERS)
        lines.append(f"  {left} a{index} = ({left}){number(draw)}; {right} b{index} = ({right}){number(draw)};")
        kind = draw.randint(0, 5)
        a, b = f"a{index}", f"b{index}"
        if kind <= 1:
            lines.append(f"  @m({a} {draw.choice(['<', '<=', '==', '!=', '>', '>=', '&&', '||'])} {b});")
        elif kind == 2:
            lines.append(f"  @m(({a} {draw.choice(['&', '|', '^', '+', '-'])} {b}) > {number(draw)}); @m(sizeof({a} * {b})); @m(sizeof(-{a}));")
        elif kind == 3:
            lines.append(f"  if ({b} && !({b} == ({right})-1)) {{ @m({a} / {b}); @m({a} % {b}); }}")
        elif kind == 4:
            lines.append(f"  @m({a} >> ({b} & 7)); @m((unsigned long long)({a} & 63) << ({b} & 7)); @m(~{a}); @m(-(({a}) & 127)); @m(!{a});")
        else:
            lines.append(f"  @m({a} ? {a} : {b}); @m(sizeof({a} ? {a} : {b})); @m((1 ? {a} : {b}) < 0); @m(_Generic(({a}) + ({b}), int: 1, "
                         "unsigned: 2, long: 3, unsigned long: 4, long long: 5, unsigned long long: 6, default: 7));")
    return case("promotions", "\n".join(lines) + "\n")


def constants(draw):
    """The same expression folded and computed: integer constants of all spellings, enumerations, sizes."""
    before = f"""enum @E {{ @A = {draw.randint(-5, 5)}, @B, @C = @A + {draw.randint(2, 9)}, @D = 'x', @L = {draw.choice(['0x7fffffff', '-1', '0x80000000u', '1'])} }};
enum @W {{ @X = 1LL << {draw.randint(3, 40)}, @Y = @X - 1 }};
static const int @n[@C > 0 ? 3 : 2] = {{ @A, @B, }};
"""
    lines = [f"  enum @E e = {draw.choice(['@A', '@B', '@C', '@D'])}; @m(e); @m(sizeof(enum @E)); @m(sizeof(enum @W)); @m(@Y); @m(@n[1]); @m(@L < 0);"]
    for _ in range(draw.randint(2, 5)):
        a, b = number(draw), number(draw)
        op = draw.choice(["&", "|", "^", "<", ">", "==", "!=", "<=", ">="])
        lines.append(f"  {{ __typeof__({a}) x = {a}; __typeof__({b}) y = {b}; @m(({a} {op} 3{draw.choice(['', 'u', 'll'])}) == (x {op} 3)); @m(x {draw.choice('&|^')} y); "
                     f"@m(sizeof(x {draw.choice('+-*')} y)); @m((unsigned long long){a}); }}")
        lines.append("  @m(" + draw.choice([
            "'\\377'", "'ab'", "L'\\x100'", "u'\\u00e9'", "'\\0'", "sizeof('a')", "sizeof \"abc\\0d\"", "\"a\" \"b\"[1]", "sizeof(L\"ab\")", "07777", "0b1011", "'\\n' * 3",
            "sizeof(long double)", "_Alignof(double)", "__builtin_offsetof(struct @S, z[1])", "sizeof(struct @S)", "(char)200 < 0", "-1 < 0u", "1 ? -1 : 0u",
            "sizeof(char[@C > 0 ? @C + 9 : 2])", "!!(unsigned char)256",
        ]) + ");")
    return case("constants", "\n".join(lines) + "\n", before)


def floats(draw):
    """Floating arithmetic, comparisons and conversions of all formats."""
    lines = []
    constants = ["0.0", "-0.0", "1.5", "-2.25", "1e10", "0.1", "3.0f", "0.1f", "1e-3L", "16777217.0", "1e30", "0x1.8p3", "9007199254740993.0", "1.0/3"]
    for index in range(draw.randint(2, 4)):
        left, right = draw.choice(FLOATS), draw.choice(FLOATS + ["int", "unsigned", "long long", "unsigned char"])
        value = draw.choice(constants) if right in FLOATS else str(draw.randint(-100 if right in ("int", "long long") else 0, 100))
        lines.append(f"  {left} a{index} = {draw.choice(constants)}; {right} b{index} = {value};")
        a, b = f"a{index}", f"b{index}"
        lines.append(f"  {{ {draw.choice(FLOATS)} c = {a} {draw.choice('+-*')} {b}; double d = (double)c; unsigned long long u; __builtin_memcpy(&u, &d, 8); @m(u); }}")
        lines.append(f"  if ({b} != 0) {{ float c = {a} / {b}; unsigned u; __builtin_memcpy(&u, &c, 4); if (c == c) @m(u); }}")
        lines.append(f"  @m({a} {draw.choice(['<', '<=', '==', '!=', '>', '>='])} {b}); @m(!{a}); @m({a} ? 1 : 2); @m(sizeof({a} + {b}));")
        lines.append(f"  if ({a} > -1e9 && {a} < 1e9) {{ @m((int){a}); @m((long long)({a} * 3)); @m((_Bool){a}); @m((short)(int){a}); }}")
        lines.append(f"  {{ {left} d = {a}; d {draw.choice(['+=', '-=', '*='])} {b}; double e = d++; e -= --d; @m(e == 0); float w = (float)(long long){draw.randint(0, 2**62)}LL; unsigned u; "
                     "__builtin_memcpy(&u, &w, 4); @m(u); }")
    return case("floats", "\n".join(lines) + "\n")


def wide(draw):
    """128 bits: arithmetic, shifts, comparisons, conversions from and to floats."""
    lines = []
    for index in range(draw.randint(1, 3)):
        signed = draw.choice(["", "unsigned "])
        make = lambda: f"((({signed}__int128){number(draw)} << {draw.randint(0, 62)}) {draw.choice('^+|')} {number(draw)})"
        lines.append(f"  {signed}__int128 a{index} = (unsigned __int128){make()}; {signed}__int128 b{index} = (unsigned __int128){make()};")
        a, b = f"a{index}", f"b{index}"
        split = lambda e: f"@m((unsigned long long)({e})); @m((unsigned long long)((unsigned __int128)({e}) >> 64));"
        u = "(unsigned __int128)"
        lines.append("  " + split(f"{u}{a} {draw.choice('+-*^&|')} {u}{b}"))
        lines.append("  " + split(f"{a} >> {draw.randint(0, 127)}") + split(f"{u}{a} << {draw.randint(0, 127)}"))
        lines.append(f"  if ({b} != 0 && {b} != -1) {{ {split(f'{a} / {b}')} {split(f'{a} % {b}')} }}")
        lines.append(f"  @m({a} < {b}); @m({a} == {b}); @m({a} >= 0); @m(!{a}); @m((int){a}); @m({a} ? 1 : 0); @m(sizeof({a}));")
        lines.append(f"  {{ double d = (double){a}; unsigned long long x; __builtin_memcpy(&x, &d, 8); @m(x); float f = (float){b}; unsigned y; __builtin_memcpy(&y, &f, 4); @m(y); }}")
        lines.append(f"  {{ {signed}__int128 c = ({signed}__int128)({draw.choice(['1e10', '3.75', '1e25', '0.5', '1.5e20f', '123456789012345678901234567890.0'])}); {split('c')} c += 5; c--; {split('c')} }}")
        lines.append(f"  {{ struct {{ char c; {signed}__int128 w; }} s = {{1, {a}}}; @m(sizeof s); s.w ^= {b}; {split('s.w')} @m(s.c); }}")
    return case("wide", "\n".join(lines) + "\n")


def bit_fields(draw):
    """Bit-fields of all declared types: writes, reads, steps, arithmetic, layout as bytes."""
    fields, names = [], []
    for index in range(draw.randint(2, 7)):
        ty = draw.choice(["unsigned", "int", "signed char", "unsigned char", "unsigned short", "long long", "unsigned long long", "_Bool", "enum @E"])
        limit = {"signed char": 8, "unsigned char": 8, "unsigned short": 16, "_Bool": 1}.get(ty, 32 if "long" not in ty else 64)
        if draw.random() < 0.12:
            fields.append(f"{'unsigned' if ty == 'enum @E' else ty} : {draw.choice([0, draw.randint(1, limit)])};")
        elif draw.random() < 0.2:
            fields.append(f"short n{index};")
            names.append(f"n{index}")
        else:
            width = draw.randint(3 if ty == "enum @E" else 1, limit)
            fields.append(f"{ty} b{index} : {width};")
            names.append(f"b{index}")
    if not names:
        fields.append("unsigned b : 5;")
        names.append("b")
    packed = draw.choice(["", "", " __attribute__((packed))"])
    before = f"enum @E {{ @A, @B, @C = 6 }};\nstruct{packed} @F {{ {' '.join(fields)} }};\nstatic struct @F @x{draw.choice(['', ' = {1, 1}', ' = {0}'])};\n"
    lines = ["  struct @F *p = &@x, c; __builtin_memset(&c, 0, sizeof c);"]
    for _ in range(draw.randint(3, 7)):
        to = draw.choice(["p->", "@x.", "c."]) + draw.choice(names)
        other = draw.choice(["p->", "@x.", "c."]) + draw.choice(names)
        lines.append("  " + draw.choice([
            f"{to} = {number(draw)};", f"@m(({to} = {number(draw)}));", f"@m({to}++); @m({to});", f"@m(--{to});", f"{to} ^= {number(draw, True)};", f"{to} = {other};",
            f"@m({to} + {other} * 2 > {number(draw, True)});", f"@m({to} - {other} < 0);", f"@m(({to} & {other}) - 1 < 0); @m(-{to} < 0); @m(~{to} < 0);",
            f"{to} = @f({draw.randint(0, 7)}); @m({to});", f"{to} += {other};", f"{to} |= {other} = {draw.randint(0, 3)};", "c = *p;",
            f"{to} >>= 1;", f"@m({to} ? {to} : {other});", f"@m(({to} << 1) > 100);",
        ]))
    lines += [f"  @m((unsigned long long)@x.{name}); @m((unsigned long long)c.{name});" for name in names] + ["  @m(sizeof c);"]
    return case("bit_fields", "\n".join(lines) + "\n", before)


def builtins(draw):
    """The compiler's own functions on integers."""
    lines = []
    for index in range(draw.randint(2, 5)):
        n, m = number(draw), number(draw)
        lines.append("  { unsigned x = (unsigned)%s | 1; unsigned long long y = (unsigned long long)%s | 1; " % (n, m) + draw.choice([
            "@m(__builtin_clz(x)); @m(__builtin_ctzll(y));", "@m(__builtin_popcount(x)); @m(__builtin_popcountll(y)); @m(__builtin_parity(x));", "@m(__builtin_ffs((int)x)); @m(__builtin_ffsll((long long)y));",
            "@m(__builtin_bswap32(x)); @m(__builtin_bswap64(y)); @m(__builtin_bswap16((unsigned short)x));", "@m(__builtin_clrsb((int)x));",
            "int r; @m(__builtin_add_overflow((int)x, (int)y, &r)); @m(r);", "unsigned r; @m(__builtin_sub_overflow(x, (long long)y, &r)); @m(r);",
            "short r; @m(__builtin_mul_overflow((int)x, (int)y, &r)); @m(r);", "long long r; @m(__builtin_mul_overflow((long long)x, (long long)y, &r)); @m(r);",
            "unsigned char r; @m(__builtin_add_overflow(x, y, &r)); @m(r);", "@m(__builtin_expect(x > y, 1)); @m(__builtin_constant_p(3));", "@m(__builtin_choose_expr(sizeof(x) == 4, 11, 22));",
            "@m(__builtin_types_compatible_p(__typeof__(x), unsigned)); @m(__builtin_types_compatible_p(long, int));", "int r; @m(__builtin_smul_overflow((int)x, @f(2), &r)); @m(r);",
            "unsigned long long r; @m(__builtin_uaddll_overflow(y, y, &r)); @m(r);", "@m(__builtin_add_overflow_p((int)x, (int)y, 0)); @m(__builtin_abs(-5));",
        ]) + " }")
    return case("builtins", "\n".join(lines) + "\n")
