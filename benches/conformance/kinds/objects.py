"""Objects: types made at random, their initialisers, copies, literals, lengths known at run time, pointers, atomics."""

from conformance.kinds.base import Effects, case, number

SCALARS = ["int", "short", "signed char", "unsigned char", "long long", "unsigned", "_Bool", "double", "char"]


class Type:
    """A type: a scalar, an array, or a record with members."""

    def __init__(self, draw, depth, tag):
        self.tag = tag
        choice = draw.random()
        if depth <= 0 or choice < 0.35:
            self.kind, self.name = "scalar", draw.choice(SCALARS)
        elif choice < 0.6:
            self.kind, self.length = "array", draw.randint(1, 4)
            self.element = Type(draw, depth - 1, tag + "e")
        else:
            self.kind = "union" if draw.random() < 0.3 else "struct"
            self.members = []
            for index in range(draw.randint(1, 4)):
                if draw.random() < 0.2:
                    width = draw.randint(1, 12)
                    self.members.append((f"{tag}{index}", None, (draw.choice(["unsigned", "int"]), width)))
                elif draw.random() < 0.15 and depth > 1:
                    inner = Type(draw, 1, f"{tag}{index}")
                    name = None if inner.kind in ("struct", "union") else f"{tag}{index}"
                    self.members.append((name, inner, None))
                else:
                    self.members.append((f"{tag}{index}", Type(draw, depth - 1, f"{tag}{index}"), None))

    def declare(self, name):
        """The declaration of something of this type."""
        if self.kind == "scalar":
            return f"{self.name} {name}"
        if self.kind == "array":
            return self.element.declare(f"{name}[{self.length}]")
        inner = []
        for member, ty, bits in self.members:
            inner.append(f"{bits[0]} {member} : {bits[1]};" if bits else ty.declare(member or "") + ";")
        return f"{self.kind} {{ {' '.join(inner)} }} {name}".rstrip()

    def leaves(self, path):
        """All scalars with their paths; of a union those of all members, but none where one of them has holes."""
        if self.kind == "scalar":
            yield path, self.name
        elif self.kind == "array":
            for index in range(self.length):
                yield from self.element.leaves(f"{path}[{index}]")
        elif self.kind == "struct" or all(bits or ty.kind == "scalar" for _, ty, bits in self.members):
            for member, ty, bits in self.members:
                below = f"{path}.{member}" if member else path
                if bits:
                    yield below, bits[0]
                else:
                    yield from ty.leaves(below)

    def named(self):
        """The members that a designator can name, those of anonymous members included."""
        for member, ty, bits in self.members:
            if member:
                yield member, ty, bits
            else:
                yield from ty.named()


class Initialiser:
    """Initialisers at random; a value may have effects where the object lives in a function."""

    def __init__(self, draw, effects):
        self.draw, self.effects = draw, effects

    def value(self, name):
        if self.effects and self.draw.random() < 0.35:
            return f"@f({self.draw.randint(1, 9)})"
        if name == "double":
            return self.draw.choice(["1.5", "2", "-0.25", "0"])
        return str(self.draw.randint(0, 9))

    def of(self, ty):
        draw = self.draw
        if ty.kind == "scalar":
            value = self.value(ty.name)
            return f"{{{value}}}" if draw.random() < 0.08 else value
        if ty.kind == "array" and ty.element.kind == "scalar" and "char" in ty.element.name and draw.random() < 0.3:
            text = '"' + "abcdef"[: draw.randint(0, ty.length)] + '"'
            return draw.choice([text, f"{{{text}}}"])
        if draw.random() < 0.07:
            return "{}"
        return "{" + ", ".join(self.items(ty)) + draw.choice(["", ","]) + "}"

    def items(self, ty):
        draw = self.draw
        items = []
        designated = draw.random() < 0.6
        limit = ty.length if ty.kind == "array" else (1 if ty.kind == "union" else len(ty.members))
        for index in range(draw.randint(1, max(1, limit + (2 if designated else 0)))):
            if designated and draw.random() < 0.75:
                path, inner, bits = self.path(ty)
                if bits:
                    items.append(f"{path} = {self.value(bits[0])}")
                else:
                    items.append(f"{path} = {self.of(inner)}")
            elif not designated and index < limit:
                if ty.kind == "array":
                    items.append(self.maybe_elided(ty.element))
                else:
                    _, inner, bits = ty.members[index]
                    items.append(self.value(bits[0]) if bits else self.maybe_elided(inner))
        return items or ["0"]

    def maybe_elided(self, ty):
        """Without its braces, a part takes as many values as it has scalars (the first member of a union)."""
        if ty.kind != "scalar" and self.draw.random() < 0.25:
            flat = list(self.flat(ty))
            return ", ".join(flat)
        return self.of(ty)

    def flat(self, ty):
        if ty.kind == "scalar":
            yield self.value(ty.name)
        elif ty.kind == "array":
            for _ in range(ty.length):
                yield from self.flat(ty.element)
        else:
            members = ty.members[:1] if ty.kind == "union" else ty.members
            for _, inner, bits in members:
                if bits:
                    yield self.value(bits[0])
                else:
                    yield from self.flat(inner)

    def path(self, ty):
        """A designator, of one step or more, and what it names."""
        draw = self.draw
        text, bits = "", None
        while True:
            if ty.kind == "array":
                if draw.random() < 0.25 and ty.length > 1:
                    low = draw.randint(0, ty.length - 2)
                    text += f"[{low} ... {draw.randint(low, ty.length - 1)}]"
                    ty = ty.element
                    return text, ty, None
                text += f"[{draw.randint(0, ty.length - 1)}]"
                ty = ty.element
            else:
                choices = list(ty.named())
                if not choices:
                    return text, ty, None
                name, ty, bits = draw.choice(choices)
                text += f".{name}"
            if bits or ty.kind == "scalar" or draw.random() < 0.5:
                return text, ty, bits


def valid(ty):
    return ty.kind in ("array", "struct", "union") and any(True for _ in ty.leaves(""))


def random_type(draw, depth=3):
    while True:
        ty = Type(draw, depth, "m")
        if valid(ty) and sum(1 for _ in ty.leaves("")) <= 40:
            return ty


def hashed(ty, path):
    lines = []
    for leaf, name in ty.leaves(path):
        cast = "(long long)" if name == "double" else ""
        # Other bits of a union may be any float: only its bits are looked at.
        if name == "double":
            lines.append(f"  {{ unsigned long long u; __builtin_memcpy(&u, &{leaf}, 8); @m(u); }}")
        elif name == "_Bool":
            lines.append(f"  @m(*(unsigned char *)&{leaf});")
        else:
            lines.append(f"  @m({cast}{leaf});")
    return "\n".join(lines) + "\n"


def initialisers(draw):
    """Initialisers with designators, ranges, elided braces and unions, of objects of both lifetimes."""
    ty = random_type(draw)
    static = draw.random() < 0.35
    text = Initialiser(draw, not static).of(ty)
    declaration = f"{ty.declare('x')} = {text};"
    if static and draw.random() < 0.5:
        return case("initialisers", hashed(ty, "@x"), f"static {ty.declare('@x')} = {text};\n")
    return case("initialisers", f"  {'static ' if static else ''}{declaration}\n" + hashed(ty, "x"))


def literals(draw):
    """Compound literals: as values, places, arguments, in loops and in initialisers."""
    ty = random_type(draw, 2)
    make = Initialiser(draw, True)
    lines = [f"  typedef {ty.declare('T')}; T *p; T keep[2];"]
    if ty.kind == "array":
        text = make.of(ty)
        text = text if text.startswith("{") else f"{{{text}}}"
        lines.append(f"  for (int i = 0; i < 2; i++) {{ p = &(T){text}; __builtin_memcpy(&keep[i], p, sizeof(T)); }}")
    else:
        lines.append(f"  for (int i = 0; i < 2; i++) {{ p = &(T){make.of(ty)}; keep[i] = *p; @f(i); }}")
        lines.append(f"  @m(sizeof((T){make.of(ty)})); {{ T y = (T){make.of(ty)}; keep[1] = y; }}")
    lines.append(f"  int *q = (int[]){{@f(1), @g, [3] = @f(2)}}; @m(q[0]); @m(q[1]); @m(q[2]); @m(q[3]); @m((struct @S){{.y = @f(4), @g}}.z[0]);")
    lines.append(f"  @m(@a[(int){{@f(2)}} & 3]); (struct @S){{1}}.x = 5; @m(*&(int){{@k}} + @f(3)); @m(((char[]){{\"xyz\"}})[{draw.randint(0, 3)}]);")
    return case("literals", "\n".join(lines) + "\n" + hashed(ty, "keep[0]") + hashed(ty, "keep[1]"))


def copies(draw):
    """Structures and unions as values: assignment, parameters, results, arrays inside."""
    ty = random_type(draw, 3)
    while ty.kind == "array":
        ty = random_type(draw, 3)
    make = Initialiser(draw, False)
    before = f"typedef {ty.declare('@T')};\nstatic @T @x, @y = {make.of(ty)};\nstatic @T @id(@T v) {{ @x = v; return @y; }}\nstatic @T *@at(int n) {{ @m(n); return n & 1 ? &@x : &@y; }}\n"
    lines = [f"  @T a = {make.of(ty)}, b = a, c[2] = {{a, {make.of(ty)}}};"]
    for _ in range(draw.randint(2, 6)):
        lines.append("  " + draw.choice([
            "a = b = @y;", "c[0] = c[1];", "*@at(1) = *@at(2);", "b = @id(a);", "@x = @id(@id(c[0]));", "a = (@f(1) & 1) ? b : c[1];", "c[@f(1) & 1] = a;", "b = (@f(3), @y);",
            "{ @T t = a; a = b; b = t; }", "*@at(@f(2)) = c[@f(1) & 1];", "b = ({ @T t = a; @f(1); t; });", "c[1] = *&c[0];", "a = *(@T *)&c[1];", "@y = @id(*@at(3));",
            "__builtin_memcpy(&a, &c[1], sizeof a);", "{ const @T t = @y; c[0] = t; }", "@T *p = c; *p++ = a; *p = b;",
        ]))
    lines = [line if "@T *p" not in line else "  {" + line + " }" for line in lines]
    return case("copies", "\n".join(lines) + "\n" + "".join(hashed(ty, name) for name in ("a", "b", "c[0]", "c[1]", "@x", "@y")), before)


def lengths(draw):
    """Arrays of variable length: lengths with effects, sizes, several dimensions, parameters, pointers to them."""
    effects = Effects(draw)
    before = """static int @sum(int n, int m, int x[n][m]) { int s = 0; for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) s = s * 3 + x[i][j]; return s & 65535; }
static int @len(int n, int x[n]) { return (int)sizeof(*x) * n; }
"""
    n, m = draw.randint(1, 4), draw.randint(1, 3)
    lines = [f"  int n = {n}, m = {m}; int x[n][m + (@f(1) & 1)]; @m(sizeof x); @m(sizeof x[0]); n += 5; @m(sizeof x / sizeof *x);",
             f"  for (int i = 0; i < {n}; i++) for (unsigned j = 0; j < sizeof x[0] / sizeof(int); j++) x[i][j] = i * 7 + (int)j;"]
    for _ in range(draw.randint(1, 4)):
        lines.append("  " + draw.choice([
            f"@m(@sum({n}, (int)(sizeof x[0] / sizeof(int)), x));", f"@m(sizeof(int[@f({draw.randint(1, 3)})]));", "{ char y[@f(2) + 1]; @m(sizeof y); y[0] = 4; @m(y[0]); }",
            f"for (int i = 1; i < 4; i++) {{ short y[i]; y[i - 1] = (short)(i * 3); @m(sizeof y + y[i - 1]); }}", "typedef int T[@f(1)]; T t; @m(sizeof t); @f(2); T u; @m(sizeof u);",
            "int (*p)[m] = (int (*)[m])x; @m((char *)(p + 1) - (char *)p);", "@m(@len(@f(1) & 3, @a));", "{ int k = @f(2); int y[k][k]; @m(sizeof y[1]); m = k; }",
            "int l = 3; L: { int y[l]; @m(sizeof y); if (--l) goto L; }", f"int z[{effects.value(1)} & 3 | 4]; @m(sizeof z); z[3] = @g; @m(z[3]); ", "@m(_Alignof(int[n])); @m(sizeof(*(char (*)[m])0));",
        ]).replace("typedef int T[@f(1)]; T t; @m(sizeof t); @f(2); T u; @m(sizeof u);", "{ typedef int T[@f(1)]; T t; @m(sizeof t); @f(2); T u; @m(sizeof u); }")
            .replace("int (*p)[m]", "{ int (*p)[m]").replace("- (char *)p);", "- (char *)p); }").replace("int l = 3; L:", "{ __label__ L; int l = 3; L:").replace("goto L; }", "goto L; } }")
            .replace("int z[", "{ int z[").replace("@m(z[3]); ", "@m(z[3]); }"))
    return case("lengths", "\n".join(lines) + "\n", before)


def pointers(draw):
    """Arithmetic and comparisons of pointers, arrays of arrays, bytes of objects, casts."""
    before = "static int @b[3][4] = {{1, 2, 3, 4}, {5, 6, 7, 8}, {9, 10, 11, 12}};\nstatic char *@names[] = {\"one\", \"two\", \"three\"};\n"
    lines = ["  int (*row)[4] = @b; int *p = &@b[1][1], *e = &@b[2][3]; unsigned char *c = (unsigned char *)@b; void *v = p; char *s = @names[1];"]
    for _ in range(draw.randint(3, 7)):
        i, j = draw.randint(0, 2), draw.randint(0, 3)
        lines.append("  " + draw.choice([
            f"@m(e - p); @m(p < e); @m(p == v);", f"@m(row[{i}][{j}]); @m(*(*(row + {i}) + {j}));", f"@m(c[{draw.randint(0, 47)}]);", f"@m((*row++)[{j}]); row = @b;", "@m(*p++); @m(p[-1]); p = &@b[1][1];",
            f"*(p + {draw.randint(-3, 3)}) += {i}; @m(*p);", f"@m({i}[s]); @m(*@names[{i}]); @m(@names[{i}][1]);", "@m(*(unsigned short *)((char *)p + 1));", "@m((char *)e - (char *)p); @m(sizeof *row); @m(sizeof @b / sizeof *@b);",
            f"int **pp = &p; **pp ^= {j}; @m((*pp)[1]);", "@m(!p); @m(p ? 1 : 2); @m(p && e); @m(&@b[1] == row + 1);", f"@m(&p[{i}] - &@b[0][0]); p += @f(1) & 1; p -= 1; @m(*p); p = &@b[1][1];",
            "@m((int *)(long)p == p); @m(((long)e - (long)p) / (long)sizeof(int));", "c += 5; @m(*c--); @m(*c); c -= 4;", f"@m(*(@f({i}) & 1 ? p : e));", "v = (char *)v + 4; @m(*(int *)v); v = p;",
            f"struct @S *q = @t; @m((q + 1)->x); @m(q[{i} & 1].z[1]); @m(&q->y - &q->x);", "@m((&@a)[0][2]); @m(*&*p); @m((&*p)[1]);", "_Bool z = p; @m(z); @m((_Bool)(int *)0);",
        ]).replace("int **pp", "{ int **pp").replace("(*pp)[1]);", "(*pp)[1]); }").replace("struct @S *q = @t;", "{ struct @S *q = @t;").replace("&q->x);", "&q->x); }").replace("_Bool z = p; @m(z);", "{ _Bool z = p; @m(z); }"))
    return case("pointers", "\n".join(lines) + "\n", before)


def atomics(draw):
    """The compiler's atomic operations, old and new, and C11's."""
    ty = draw.choice(["int", "unsigned char", "short", "unsigned long", "long long", "unsigned"])
    before = f"#include <stdatomic.h>\nstatic {ty} @w = 5, @n, @o; static _Atomic {ty} @c = 9; static atomic_flag @l = ATOMIC_FLAG_INIT; static unsigned char @bytes[8] = {{1, 0, 1, 1, 0, 0, 1, 0}};\n"
    order = "__ATOMIC_SEQ_CST"
    lines = []
    for _ in range(draw.randint(3, 8)):
        n = draw.randint(0, 9)
        op = draw.choice(["add", "sub", "and", "or", "xor", "nand"])
        lines.append("  " + draw.choice([
            f"@n = {n}; __atomic_exchange(&@w, &@n, &@o, {order}); @m(@o); @m(@n);", f"@m(__atomic_exchange_n(&@w, @f({n}), {order}));", f"@m(__atomic_fetch_{op}(&@w, {n}, {order})); @m(@w);",
            f"@m(__atomic_{op}_fetch(&@w, @f({n}), {order}));", f"@m(__sync_fetch_and_{op}(&@w, {n})); @m(__sync_{op}_and_fetch(&@w, {n}));", f"@o = {n}; @m(__atomic_compare_exchange_n(&@w, &@o, {n + 1}, 0, {order}, {order})); @m(@o);",
            f"@o = @w; @n = {n}; @m(__atomic_compare_exchange(&@w, &@o, &@n, 0, {order}, {order})); @m(@o); @m(@w);", f"@m(__sync_bool_compare_and_swap(&@w, {n}, {n + 2})); @m(__sync_val_compare_and_swap(&@w, @w, {n}));",
            f"__atomic_store_n(&@w, {n}, {order}); @n = 3; __atomic_store(&@w, &@n, {order}); __atomic_load(&@w, &@o, {order}); @m(@o); @m(__atomic_load_n(&@w, {order}));",
            f"@m(__atomic_test_and_set(&@bytes[{n & 7}], {order})); @m(@bytes[{n & 7}]); @m(@bytes[{(n + 1) & 7}]);", f"__atomic_clear(&@bytes[{n & 7}], {order}); @m(@bytes[{n & 7}]); @m(@bytes[{(n + 1) & 7}]);",
            f"@m(atomic_exchange(&@c, {n})); @m(@c++); @m(++@c); @m(@c += {n}); @m(@c);", f"@m(atomic_fetch_add(&@c, @f({n}))); @m(atomic_load(&@c)); atomic_store(&@c, @f(2));", f"@m(atomic_fetch_sub(&@c, 1)); @m(atomic_fetch_or(&@c, 8)); @c ^= 5; @m(@c);",
            f"{{ {ty} x = {n}; @m(atomic_compare_exchange_strong(&@c, &x, {n + 1})); @m(x); }}", "@m(atomic_flag_test_and_set(&@l)); @m(atomic_flag_test_and_set(&@l)); atomic_flag_clear(&@l);", f"@m(__sync_lock_test_and_set(&@w, {n})); __sync_lock_release(&@w); @m(@w); __sync_synchronize();",
            f"atomic_thread_fence(memory_order_seq_cst); @m(__atomic_always_lock_free(sizeof(int), 0)); __atomic_thread_fence({order});", f"@c = @c * 2 + @f({n}); @m(@c);",
        ]))
    return case("atomics", "\n".join(lines) + "\n  @m(@w); @m(@c); @m(@o);\n", before)
