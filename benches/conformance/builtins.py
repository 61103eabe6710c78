"""What compilers have built in, and the functions of the library that are left: cases for `library.py`, made as it makes its own."""

UNSIGNED = {"": "unsigned", "l": "unsigned long", "ll": "unsigned long long"}
SIGNED = {"": "int", "l": "long", "ll": "long long"}


def register(lib):
    group, helped, strings, writing, MIX = lib.group, lib.helped, lib.strings, lib.writing, lib.MIX

    def word(rng, bits=64):
        value = rng.choice([rng.randrange(2**bits), rng.randrange(2**bits) >> rng.randrange(bits), 1 << rng.randrange(bits), 2**bits - 1])
        return f"{value}ULL"

    # Bits. What they give for zero is open for those that count the zeros.
    for suffix, kind in UNSIGNED.items():
        bits = 32 if suffix == "" else 64
        for name in ("clz", "ctz"):
            group(f"__builtin_{name}{suffix}", lambda n, r, k=kind, b=bits: MIX.format(f"{n}(({k})({word(r, b)} | 1ULL << {r.randrange(b)}))"))
        for name in ("popcount", "parity", "clrsb", "ffs"):
            group(f"__builtin_{name}{suffix}", lambda n, r, k=kind, b=bits: MIX.format(f"{n}(({k}){word(r, b)})"))
    group("__builtin_bswap16 __builtin_bswap32 __builtin_bswap64 __bswap_16 __bswap_32 __bswap_64", lambda n, r: MIX.format(f"{n}({word(r)})"))
    # Sums, differences and products that say whether they fit.
    for operation in ("add", "sub", "mul"):
        for sign, kinds in (("s", SIGNED), ("u", UNSIGNED)):
            for suffix, kind in kinds.items():
                group(f"__builtin_{sign}{operation}{suffix}_overflow", lambda n, r, k=kind: f"  {{ {k} to = 0;\n"
                      + MIX.format(f"{n}(({k}){word(r)}, ({k}){word(r)}, &to)") + MIX.format("to") + "  }\n")
        group(f"__builtin_{operation}_overflow", lambda n, r: (lambda a, b, c: f"  {{ {c} to = 0;\n" + MIX.format(f"{n}(({a}){word(r)}, ({b}){word(r)}, &to)")
              + MIX.format("to") + "  }\n")(*(r.choice(["int", "unsigned", "long long", "unsigned long", "short", "signed char"]) for _ in range(3))))
        group(f"__builtin_{operation}_overflow_p", lambda n, r: MIX.format(
            f"{n}((int){word(r)}, ({r.choice(['int', 'unsigned', 'long'])}){word(r)}, ({r.choice(['int', 'short', 'unsigned', 'long long'])})0)"))
    # The library's functions by the compiler's names.
    S = lib.SIGN
    strings("__builtin_strlen", lambda n, r: f"{n}(s)")
    strings("__builtin_strcmp __builtin_strcasecmp", lambda n, r: S.format(f"{n}(s, t)"))
    strings("__builtin_strncmp __builtin_strncasecmp", lambda n, r: S.format(f"{n}(s, t, {r.randrange(6)})"))
    strings("__builtin_memcmp", lambda n, r: S.format(f"{n}(s, t, strlen(s) < strlen(t) ? strlen(s) : strlen(t))"))
    strings("__builtin_strchr __builtin_strrchr", lambda n, r: lib.PLACE.format(f"{n}(s, {r.choice([0, 97, 66, 98, 353])})"))
    strings("__builtin_memchr", lambda n, r: lib.PLACE.format(f"((char *){n}(s, {r.choice([97, 66, 48])}, strlen(s)))"))
    strings("__builtin_strstr __builtin_strpbrk", lambda n, r: lib.PLACE.format(f"{n}(s, t)"))
    strings("__builtin_strspn __builtin_strcspn", lambda n, r: f"{n}(s, t)")
    strings("wcswcs", lambda n, r: lib.PLACE.format("wcswcs(s, t)"), True)
    writing("__builtin_strcpy __builtin_stpcpy __builtin_strcat __stpcpy", lambda n, r: f"{n}(to, t) - to")
    writing("__builtin_strncpy __builtin_stpncpy __builtin_strncat", lambda n, r: f"{n}(to, t, {r.randrange(12)}) - to")
    writing("__builtin_memcpy __builtin_memmove __builtin_mempcpy __mempcpy", lambda n, r: f"(char *){n}(to, s, {r.randrange(20)}) - to")
    writing("__builtin_memset", lambda n, r: f"(char *){n}(to + 1, {r.randrange(300)}, {r.randrange(20)}) - to")
    writing("__strtok_r", lambda n, r: "({ char *k, *p = __strtok_r(s, t, &k), *q = __strtok_r(0, t, &k); (p ? p - s : -1) * 50 + (q ? q - s : -1); })")
    writing("__xpg_basename", lambda n, r: f"(strcpy(s, {lib.literal(lib.text(r, 'a/b.'))}), (unsigned char)*__xpg_basename(s))")
    # The same with the size of the object, which is large enough.
    for name in ("memcpy", "memmove", "mempcpy"):
        writing(f"__builtin___{name}_chk", lambda n, r: f"(char *){n}(to, s, {r.randrange(20)}, sizeof to) - to")
    for name in ("strcpy", "stpcpy", "strcat"):
        writing(f"__builtin___{name}_chk", lambda n, r: f"{n}(to, t, sizeof to) - to")
    for name in ("strncpy", "stpncpy", "strncat"):
        writing(f"__builtin___{name}_chk", lambda n, r: f"{n}(to, t, {r.randrange(12)}, sizeof to) - to")
    writing("__builtin___memset_chk", lambda n, r: f"(char *){n}(to, {r.randrange(300)}, {r.randrange(20)}, sizeof to) - to")
    group("wcstoq wcstouq", lambda n, r: (lambda s, b: f"  {{ wchar_t *end; const wchar_t *s = {s};\n" + MIX.format(f"{n}(s, &end, {b})") + MIX.format("end - s") + "  }\n")(
        lib.literal(lib.numeral(r), "L"), r.choice([0, 10, 16, 8])))
    group("mbsinit", lambda n, r: "  { mbstate_t state = {0};\n" + MIX.format(r.choice(["!!mbsinit(&state)", "!!mbsinit(0)"])) + "  }\n")
    group("__builtin_abs __builtin_labs __builtin_llabs __builtin_imaxabs", lambda n, r: MIX.format(f"{n}((int){r.randrange(-2**31 + 1, 2**31)} >> {r.randrange(32)})"))
    group("_tolower", lambda n, r: MIX.format(f"_tolower({r.randrange(65, 91)})"))
    group("_toupper", lambda n, r: MIX.format(f"_toupper({r.randrange(97, 123)})"))
    # Floats.
    D = lib.DOUBLE
    arg = lambda r: lib.ARG.format(lib.bits64(r))
    helped(" ".join("__builtin_" + n for n in "fabs sqrt floor ceil trunc round rint nearbyint".split()), D, lambda n, r: MIX.format(f"@b({n}({arg(r)}))"))
    helped("__builtin_copysign", D, lambda n, r: MIX.format(f"@b({n}({arg(r)}, {arg(r)}))"))
    helped("__builtin_fmin __builtin_fmax", D, lambda n, r: MIX.format(f"@b({n}({arg(r)}, {arg(r)}) + 0.0)"))
    helped("__builtin_isnan __builtin_isfinite __builtin_isnormal __builtin_isinf", D, lambda n, r: MIX.format(f"!!{n}({arg(r)})"))
    helped("__builtin_isinf_sign", D, lambda n, r: MIX.format(f"{n}({arg(r)})"))
    compare = "isgreater isgreaterequal isless islessequal islessgreater isunordered".split()
    helped(" ".join(compare + ["__builtin_" + n for n in compare]), D, lambda n, r: MIX.format(f"!!{n}({arg(r)}, {arg(r)})"))
    helped("fpclassify", D, lambda n, r: MIX.format(f"fpclassify({arg(r)})"))
    helped("__builtin_fpclassify", D, lambda n, r: MIX.format(f"{n}(1, 2, 3, 4, 5, {arg(r)})"))
    # Memory: what is in it, and that all of it can be used.
    H = lib.HASH
    use = lambda r, size: f"memset(p, {r.randrange(256)}, {size}), @hash(p, {size})"
    for name, call in (("malloc", "malloc({0})"), ("valloc", "valloc({0})"), ("memalign", "memalign(32, {0})"), ("aligned_alloc", "aligned_alloc(16, {0})"),
                       ("reallocarray", "reallocarray(0, {0}, 1)"), ("realloc", "realloc(malloc(3), {0})")):
        helped(name, "#include <malloc.h>\n" + H, lambda n, r, c=call: (lambda size: f"  {{ char *p = {c.format(size)};\n" + MIX.format(f"p ? ({use(r, size)}) : 7") + "  free(p); }\n")(16 * r.randrange(1, 9)))
    helped("calloc", H, lambda n, r: (lambda a, b: f"  {{ char *p = calloc({a}, {b});\n" + MIX.format(f"@hash(p, {a * b})") + "  free(p); }\n")(r.randrange(1, 9), r.randrange(1, 9)))
    helped("posix_memalign", H, lambda n, r: f"  {{ void *p = 0; int e = posix_memalign(&p, {r.choice([8, 16, 64])}, 40);\n" + MIX.format(f"e ? 7 : ({use(r, 40)})") + "  free(p); }\n")
    lists = "#include <search.h>\nstruct @node { struct @node *next, *back; int value; };\n"
    helped("insque remque", lists, lambda n, r: (lambda k: f"  {{ struct @node a = {{0, 0, {k}}}, b = {{0, 0, {k + 3}}}, c = {{0, 0, {k * 5}}}; insque(&a, 0); insque(&b, &a); insque(&c, &{r.choice('ab')});\n"
           + ("  remque(&" + r.choice("bc") + ");\n" if n == "remque" else "") + MIX.format("a.value + (a.next ? a.next->value * 7 : 1) + (a.next && a.next->next ? a.next->next->value * 49 : 2)") + "  }\n")(r.randrange(100)))
    # Atomic operations of one thread.
    kinds = lambda r: r.choice(["int", "unsigned", "long", "unsigned char", "short"])
    for name in "add sub or and xor nand".split():
        for whole in (f"__sync_fetch_and_{name}", f"__sync_{name}_and_fetch"):
            group(whole, lambda n, r: f"  {{ {kinds(r)} x = {word(r)};\n" + MIX.format(f"{n}(&x, {word(r)})") + MIX.format("x") + "  }\n")
        for whole in (f"__atomic_fetch_{name}", f"__atomic_{name}_fetch"):
            group(whole, lambda n, r: f"  {{ {kinds(r)} x = {word(r)};\n" + MIX.format(f"{n}(&x, {word(r)}, __ATOMIC_SEQ_CST)") + MIX.format("x") + "  }\n")
    group("__sync_lock_test_and_set __sync_val_compare_and_swap __sync_bool_compare_and_swap", lambda n, r: (lambda a, b: f"  {{ {kinds(r)} x = {a};\n"
          + MIX.format(f"{n}(&x, {'' if 'test' in n else r.choice([a, b]) + ', '}{word(r)})") + MIX.format("x") + "  }\n")(word(r, 7), word(r)))
    group("__atomic_exchange_n", lambda n, r: f"  {{ {kinds(r)} x = {word(r)};\n" + MIX.format(f"{n}(&x, {word(r)}, __ATOMIC_SEQ_CST)") + MIX.format("x") + "  }\n")
    group("__atomic_exchange", lambda n, r: (lambda k: f"  {{ {k} x = {word(r)}, y = {word(r)}, z = 0; __atomic_exchange(&x, &y, &z, __ATOMIC_SEQ_CST);\n" + MIX.format("x") + MIX.format("y") + MIX.format("z") + "  }\n")(kinds(r)))
    group("__atomic_load_n __atomic_store_n", lambda n, r: f"  {{ {kinds(r)} x = {word(r)}; __atomic_store_n(&x, {word(r)}, __ATOMIC_RELEASE);\n" + MIX.format("__atomic_load_n(&x, __ATOMIC_ACQUIRE)") + "  }\n")
    group("__atomic_compare_exchange_n", lambda n, r: (lambda k, a: f"  {{ {k} x = {a}, y = {r.choice([a, word(r)])};\n"
          + MIX.format(f"{n}(&x, &y, {word(r)}, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)") + MIX.format("x") + MIX.format("y") + "  }\n")(kinds(r), word(r)))
    group("__atomic_test_and_set __atomic_clear", lambda n, r: f"  {{ unsigned char x[4] = {{0, {r.randrange(2)}, 9, 9}};\n" + MIX.format("__atomic_test_and_set(x + 1, __ATOMIC_SEQ_CST)")
          + (" __atomic_clear(x + 1, __ATOMIC_SEQ_CST);\n" if "clear" in n else "") + MIX.format("x[1] * 3 + x[2]") + "  }\n")
