"""Each exact model of a library function against the installed C library, on random and edge arguments.

Counted is the function: a case calls it on `--arguments` lists of arguments and computes one checksum of all results and of all memory that was
written; it must be the same in the interpreter, where the function is Assay's model. `--count` is how many functions at most. For functions on
floats that are enclosed and not computed, the compiled program checks that the library's results lie inside.
"""

import random
import struct
import sys

from conformance.builtins import register
from conformance.common import Case

HEAD = """#define _GNU_SOURCE
#include <string.h>
#include <strings.h>
#include <stdlib.h>
#include <stdio.h>
#include <ctype.h>
#include <wchar.h>
#include <wctype.h>
#include <inttypes.h>
#include <math.h>
#include <arpa/inet.h>
#include <byteswap.h>
#include <libgen.h>
#undef basename
"""
MIX = "  sum = sum * 1099511628211ULL + (unsigned long long)({});\n"
# Not all results are numbers: a sign, a truth value, a place in a string.
SIGN = "({{ int sign = 0; if (({0}) > 0) sign = 1; if (({0}) < 0) sign = -1; sign; }})"


def arguments(parser):
    parser.add_argument("--arguments", type=int, default=40, help="lists of arguments for each function (1000 for the night)")
    parser.add_argument("--part", default="1/1", help="one of several parts of the functions, as 2/4")
    parser.add_argument("--only", help="functions whose names contain this")


def text(rng, alphabet="aAbB 0", most=8):
    return "".join(rng.choice(alphabet) for _ in range(rng.randrange(most + 1)))


def literal(value, prefix=""):
    return prefix + '"' + "".join(f"\\{ord(c):03o}" if ord(c) < 32 or ord(c) > 126 or c in '"\\?@' else c for c in value) + '"'


def numeral(rng):
    sign = rng.choice(["", "", "-", "+", " ", "\t-"])
    prefix = rng.choice(["", "", "0", "0x", "0X"])
    digits = "".join(rng.choice("0123456789") for _ in range(rng.randrange(24)))
    if prefix.lower() == "0x":
        digits = "".join(rng.choice("0123456789abcDEF") for _ in range(rng.randrange(18)))
    return sign + prefix + digits + rng.choice(["", "", "x", "z", ".", " 1", "-"])


def decimal(rng):
    sign = rng.choice(["", "-", "+"])
    whole = str(rng.randrange(10 ** rng.randrange(1, 8)))
    part = rng.choice(["", ".", "." + str(rng.randrange(10 ** rng.randrange(1, 5)))])
    power = rng.choice(["", "", "e%d" % rng.randrange(-8, 9), "E+3", "e", "e-"])
    return rng.choice([sign + whole + part + power] * 8 + [sign + "inf", "INFINITYx", "x1", "", ".", "0x1.8p3", "0x.4p-2", "-0"])


EDGES = [0.0, -0.0, 1.0, -1.0, 0.5, 1.5, 2.5, -2.5, 3.0, 1e300, -1e300, 1e-300, 5e-324, -5e-324, 2.2250738585072014e-308, 1.7976931348623157e308,
         float("inf"), float("-inf"), float("nan"), 4503599627370497.5, 9007199254740993.0, 0.1, 100.25, 2.0**-1022, 2.0**1023, 2.0**-1074]


def bits64(rng):
    value = rng.choice(EDGES) if rng.random() < 0.4 else rng.choice([rng.uniform(-100, 100), rng.gauss(0, 1) * 10.0 ** rng.randrange(-300, 300)])
    return struct.unpack("<Q", struct.pack("<d", value))[0]


def bits32(rng):
    value = rng.choice([0.0, -0.0, 1.0, 0.5, -1.5, 1e-45, 3e38, float("inf"), float("-inf"), float("nan"), rng.uniform(-9, 9), rng.gauss(0, 1) * 10.0 ** rng.randrange(-37, 37)])
    return struct.unpack("<I", struct.pack("<f", value))[0]


def long(rng):
    """A long double with all its bits, and a size at which products and sums meet."""
    return f"{rng.choice(['', '-'])}0x{rng.randrange(1, 2**64):x}p{rng.choice([0, -1, -32, -63, -64, -65, -100, rng.randrange(-130, 70)])}L"


def integer(rng, bits):
    value = rng.choice([0, 1, -1, 2**(bits - 1) - 1, -2**(bits - 1), rng.randrange(-100, 100), rng.randrange(-2**(bits - 1), 2**(bits - 1))])
    return f"(-{-(value + 1)}LL - 1)" if value < 0 else f"{value}LL"


def case(name, calls, helpers=""):
    """A program of many calls; each is a statement that mixes into the sum. Long functions are split, as compilers like it."""
    parts = [calls[i:i + 50] for i in range(0, len(calls), 50)]
    out = HEAD + helpers
    for number, part in enumerate(parts):
        out += f"static unsigned long long @part{number}(unsigned long long sum) {{\n" + "".join(part) + "  return sum;\n}\n"
    run = "".join(f"  sum = @part{number}(sum);\n" for number in range(len(parts)))
    return Case(name, [out + f"unsigned long long @run(void) {{\n  unsigned long long sum = 7;\n{run}  return sum;\n}}\n"])


FUNCTIONS = {}


def group(names, make):
    for name in names.split():
        FUNCTIONS[name] = make


HASH = "static unsigned long long @hash(const void *p, size_t n) { unsigned long long h = 1; for (size_t i = 0; i < n; i++) h = h * 31 + ((const unsigned char *)p)[i]; return h; }\n"
DOUBLE = """static double @d(unsigned long long b) { union { unsigned long long b; double d; } u; u.b = b; return u.d; }
static unsigned long long @b(double d) { union { double d; unsigned long long b; } u; if (d != d) return 99; u.d = d; return u.b; }
"""
FLOAT = """static float @d(unsigned b) { union { unsigned b; float d; } u; u.b = b; return u.d; }
static unsigned @b(float d) { union { float d; unsigned b; } u; if (d != d) return 99; u.d = d; return u.b; }
"""
HELPERS = {}


def helped(names, helpers, make):
    group(names, make)
    for name in names.split():
        HELPERS[name] = helpers


# Characters.
group("isalnum isalpha isblank iscntrl isdigit isgraph islower isprint ispunct isspace isupper isxdigit",
      lambda n, r: MIX.format(f"!!({n})({r.randrange(-1, 256)})"))
group("toupper tolower", lambda n, r: MIX.format(f"({n})({r.randrange(-1, 256)})"))
group("isascii toascii", lambda n, r: MIX.format(f"({n})({r.randrange(-200, 400)})"))
group("iswalnum iswalpha iswblank iswcntrl iswdigit iswgraph iswlower iswprint iswpunct iswspace iswupper iswxdigit",
      lambda n, r: MIX.format(f"!!{n}({r.randrange(0, 300)})"))
group("towlower towupper btowc wctob", lambda n, r: MIX.format(f"{n}({r.randrange(0, 128)})"))
# Integers.
group("abs ffs", lambda n, r: MIX.format(f"{n}((int){r.randrange(-2**31 + 1, 2**31)} >> {r.randrange(32)})"))
group("labs llabs imaxabs ffsl ffsll", lambda n, r: MIX.format(f"{n}({r.randrange(-2**62, 2**62)}LL >> {r.randrange(62)})"))
for _n, _t in (("div", "int"), ("ldiv", "long"), ("lldiv", "long long"), ("imaxdiv", "intmax_t")):
    group(_n, lambda n, r, t=_t: (lambda a, b: MIX.format(f"{n}(({t}){a}, ({t}){b}).quot * 7 + {n}(({t}){a}, ({t}){b}).rem"))(
        r.randrange(-10**6, 10**6), r.choice([1, 2, 3, -1, -7, 1000])))
group("htonl ntohl htons ntohs bswap_16 bswap_32 bswap_64", lambda n, r: MIX.format(f"{n}({r.randrange(2**64)}ULL)"))
group("atoi atol atoll", lambda n, r: MIX.format(f"{n}({literal(numeral(r))})"))
group("strtol strtoul strtoll strtoull strtoimax strtoumax strtoq strtouq",
      lambda n, r: (lambda s, b: f"  {{ char *end; const char *s = {s};\n" + MIX.format(f"{n}(s, &end, {b})") + MIX.format("end - s") + "  }\n")(
          literal(numeral(r)), r.choice([0, 10, 10, 16, 8, 2, 36])))
group("wcstol wcstoul wcstoll wcstoull wcstoimax wcstoumax",
      lambda n, r: (lambda s, b: f"  {{ wchar_t *end; const wchar_t *s = {s};\n" + MIX.format(f"{n}(s, &end, {b})") + MIX.format("end - s") + "  }\n")(
          literal(numeral(r), "L"), r.choice([0, 10, 10, 16, 8, 2, 36])))
helped("strtod atof", DOUBLE, lambda n, r: MIX.format(f"@b({n}({literal(decimal(r))}{', 0' if n == 'strtod' else ''}))"))
helped("strtof", FLOAT, lambda n, r: MIX.format(f"@b(strtof({literal(str(r.randrange(10**5)) + r.choice(['', '.5', 'e3', 'e-2', 'x']))}, 0))"))
group("strtold", lambda n, r: MIX.format(f"strtold({literal(str(r.randrange(10**9)) + r.choice(['', '.5', 'e3', 'x']))}, 0) * 1024"))
group("a64l", lambda n, r: MIX.format(f"a64l({literal(text(r, './09AZaz!', 7))})"))
group("inet_addr", lambda n, r: MIX.format(
    "inet_addr(" + literal(".".join(r.choice(["0", "1", "255", "256", "0x1f", "010", "77", ""]) for _ in range(r.randrange(1, 5))) + r.choice(["", " ", "x"])) + ")"))
# Strings: results are lengths, signs or places.
S = "  {{ const char *s = {0}; const char *t = {1}; (void)s; (void)t;\n{2}  }}\n"
W = "  {{ const wchar_t *s = {0}; const wchar_t *t = {1}; (void)s; (void)t;\n{2}  }}\n"


def two(rng, prefix=""):
    a = text(rng)
    b = rng.choice([text(rng), a, a[:2], a + "b", a.swapcase(), a[1:3]])
    return literal(a, prefix), literal(b, prefix)


def strings(names, expression, wide=False):
    template, prefix = (W, "L") if wide else (S, "")
    group(names, lambda n, r: template.format(*two(r, prefix), MIX.format(expression(n, r))))


PLACE = "({0}) ? ({0}) - s : -1"
strings("strlen", lambda n, r: "strlen(s)")
strings("strnlen", lambda n, r: f"strnlen(s, {r.randrange(10)})")
strings("strcmp strcoll strcasecmp", lambda n, r: SIGN.format(f"{n}(s, t)"))
strings("strncmp strncasecmp", lambda n, r: SIGN.format(f"{n}(s, t, {r.randrange(6)})"))
strings("strverscmp", lambda n, r: SIGN.format("strverscmp(s, t)"))
strings("memcmp", lambda n, r: SIGN.format("memcmp(s, t, strlen(s) < strlen(t) ? strlen(s) : strlen(t))"))
strings("bcmp", lambda n, r: "!!bcmp(s, t, strlen(s) < strlen(t) ? strlen(s) : strlen(t))")
strings("strchr strrchr index rindex strchrnul", lambda n, r: PLACE.format(f"{n}(s, {r.choice([0, 97, 66, 98, 353])})"))
strings("memchr memrchr", lambda n, r: PLACE.format(f"((char *){n}(s, {r.choice([97, 66, 48])}, strlen(s)))"))
strings("rawmemchr", lambda n, r: "(char *)rawmemchr(s, 0) - s")
strings("strstr strcasestr strpbrk", lambda n, r: PLACE.format(f"{n}(s, t)"))
strings("strspn strcspn", lambda n, r: f"{n}(s, t)")
strings("memmem", lambda n, r: PLACE.format(f"((char *)memmem(s, strlen(s), t, {r.randrange(2)} < strlen(t) ? strlen(t) : 0))"))
strings("wcslen", lambda n, r: "wcslen(s)", True)
strings("wcsnlen", lambda n, r: f"wcsnlen(s, {r.randrange(10)})", True)
strings("wcscmp wcscoll wcscasecmp", lambda n, r: SIGN.format(f"{n}(s, t)"), True)
strings("wcsncmp wcsncasecmp", lambda n, r: SIGN.format(f"{n}(s, t, {r.randrange(6)})"), True)
strings("wcschr wcsrchr wcschrnul", lambda n, r: PLACE.format(f"{n}(s, {r.choice([0, 97, 66, 98])})"), True)
strings("wcsstr wcspbrk", lambda n, r: PLACE.format(f"{n}(s, t)"), True)
strings("wcsspn wcscspn", lambda n, r: f"{n}(s, t)", True)
strings("wmemchr", lambda n, r: PLACE.format("wmemchr(s, 97, wcslen(s))"), True)
strings("wmemcmp", lambda n, r: SIGN.format("wmemcmp(s, t, wcslen(s) < wcslen(t) ? wcslen(s) : wcslen(t))"), True)


def writing(names, call, wide=False):
    """Functions that write to a buffer of 40 elements that begins with a short text."""
    kind, prefix = ("wchar_t", "L") if wide else ("char", "")

    def make(name, rng):
        a, b = two(rng, prefix)
        first = literal(text(rng), prefix)
        return (f"  {{ {kind} to[40] = {first}; {kind} s[40] = {a}; const {kind} *t = {b}; (void)s; (void)t;\n"
                + MIX.format(call(name, rng)) + MIX.format("@hash(to, sizeof to)") + MIX.format("@hash(s, sizeof s)") + "  }\n")

    helped(names, HASH, make)


writing("strcpy stpcpy strcat", lambda n, r: f"{n}(to, t) - to")
writing("strncpy stpncpy strncat", lambda n, r: f"{n}(to, t, {r.randrange(12)}) - to")
writing("strxfrm", lambda n, r: f"strxfrm(to, t, {r.randrange(12)})")
writing("memcpy memmove mempcpy", lambda n, r: f"(char *){n}(to, s, {r.randrange(20)}) - to")
writing("memset", lambda n, r: f"(char *)memset(to + 1, {r.randrange(300)}, {r.randrange(20)}) - to")
writing("memccpy", lambda n, r: f"memccpy(to, s, {r.choice([97, 66, 48])}, 12) != 0")
writing("bzero explicit_bzero", lambda n, r: f"({n}(to + 1, {r.randrange(20)}), 0)")
writing("bcopy", lambda n, r: f"(bcopy(s, to, {r.randrange(20)}), 0)")
writing("swab", lambda n, r: f"(swab(s, to, {r.randrange(20)}), 0)")
writing("memfrob", lambda n, r: f"(memfrob(to, {r.randrange(20)}), 0)")
writing("strtok", lambda n, r: "({ char *p = strtok(s, t), *q = strtok(0, t); (p ? p - s : -1) * 50 + (q ? q - s : -1); })")
writing("strtok_r", lambda n, r: "({ char *k, *p = strtok_r(s, t, &k), *q = strtok_r(0, t, &k); (p ? p - s : -1) * 50 + (q ? q - s : -1); })")
writing("strsep", lambda n, r: "({ char *k = s, *p = strsep(&k, t); (p ? p - s : -1) * 50 + (k ? k - s : -1); })")
writing("strdup", lambda n, r: "({ char *p = strdup(s); long n = strlen(p) * 100 + strcmp(p, s); free(p); n; })")
writing("strndup", lambda n, r: f"({{ char *p = strndup(s, {r.randrange(9)}); long n = strlen(p); free(p); n; }})")
writing("basename", lambda n, r: f"(strcpy(s, {literal(text(r, 'a/b.'))}), basename(s) - s)")
writing("wcscpy wcpcpy wcscat", lambda n, r: f"{n}(to, t) - to", True)
writing("wcsncpy wcpncpy wcsncat", lambda n, r: f"{n}(to, t, {r.randrange(12)}) - to", True)
writing("wmemcpy wmemmove wmempcpy", lambda n, r: f"{n}(to, s, {r.randrange(20)}) - to", True)
writing("wmemset", lambda n, r: f"wmemset(to + 1, {r.randrange(300)}, {r.randrange(20)}) - to", True)
writing("wcsxfrm", lambda n, r: f"wcsxfrm(to, t, {r.randrange(12)})", True)
writing("wcsdup", lambda n, r: "({ wchar_t *p = wcsdup(s); long n = wcslen(p); free(p); n; })", True)
writing("wcstok", lambda n, r: "({ wchar_t *k, *p = wcstok(s, t, &k), *q = wcstok(0, t, &k); (p ? p - s : -1) * 50 + (q ? q - s : -1); })", True)


def formats(rng):
    flags = "".join(rng.sample("-+ #0", rng.randrange(3)))
    width = rng.choice(["", "", str(rng.randrange(1, 9))])
    precision = rng.choice(["", "", ".", f".{rng.randrange(6)}"])
    letter = rng.choice("diuxXocs%")
    if letter == "%":
        return "%%", None
    if letter == "c":
        return "%" + flags.replace("0", "").replace("#", "").replace("+", "").replace(" ", "") + width + "c", str(rng.randrange(33, 127))
    if letter == "s":
        return "%" + flags.replace("0", "").replace("#", "").replace("+", "").replace(" ", "") + width + precision + "s", literal(text(rng))
    length, bits, cast = rng.choice([("", 32, "int"), ("h", 32, "int"), ("hh", 32, "int"), ("l", 64, "long"), ("ll", 64, "long long"), ("j", 64, "intmax_t"), ("z", 64, "size_t")])
    flags = flags if letter in "xXo" else flags.replace("#", "")
    return "%" + flags + width + precision + length + letter, f"({cast}){integer(rng, bits)}"


def print_case(name, rng):
    parts = [formats(rng) for _ in range(rng.randrange(1, 4))]
    form = literal("|".join(part[0] for part in parts))
    values = "".join(", " + part[1] for part in parts if part[1])
    call = f"snprintf(to, {rng.choice([0, 1, 5, 20, 100])}, {form}{values})" if name == "snprintf" else f"sprintf(to, {form}{values})"
    return "  { char to[120] = {0};\n" + MIX.format(call) + MIX.format("@hash(to, sizeof to)") + "  }\n"


helped("snprintf sprintf", HASH, print_case)


def scan_case(name, rng):
    form = rng.choice(["%d %n", "%d%d", "%i", "%u,%u", "%x", "%o", "%3d%2d", "%*d%d", "%ld%c", "%s %d", "%4s%s", "%[ab0]%d", "%[^ b]%n", "x%dy%d", "%hd%hhd", "%lld", "%d%%%d"])
    source = rng.choice([numeral(rng), numeral(rng) + " " + numeral(rng), text(rng), "x12y3", "12,7", "5%6", "", " 7 8", "aa0 5"])
    counts = sum(form[i] == "%" and form[i + 1] not in "%*" for i in range(len(form) - 1))
    places = ", ".join(["a", "b", "c"][:counts])
    return (f"  {{ union {{ long long v; char s[40]; }} x = {{0}}, y = {{0}}, z = {{0}}; void *a = &x, *b = &y, *c = &z; (void)c;\n"
            + MIX.format(f"sscanf({literal(source)}, {literal(form)}, {places})") + MIX.format("@hash(&x, 40)") + MIX.format("@hash(&y, 40)") + "  }\n")


helped("sscanf", HASH, scan_case)

# Sorting and searching.
SORT = HASH + "static int @order(const void *a, const void *b) { int x = *(const int *)a, y = *(const int *)b; return (x > y) - (x < y); }\n"
numbers = lambda r, n=8: ", ".join(str(r.randrange(-9, 10)) for _ in range(n))
helped("qsort", SORT, lambda n, r: f"  {{ int a[8] = {{{numbers(r)}}}; qsort(a, {r.randrange(9)}, sizeof(int), @order);\n" + MIX.format("@hash(a, sizeof a)") + "  }\n")
helped("bsearch", SORT, lambda n, r: (lambda k: f"  {{ int a[8] = {{-7, -5, -2, 0, 1, 4, 6, 9}}, k = {k}; int *p = bsearch(&k, a, 8, sizeof(int), @order);\n"
                                      + MIX.format("p ? p - a : -1") + "  }\n")(r.randrange(-9, 10)))

# Floats, by their bits.
ARG = "@d({}ULL)"
UNARY = "fabs sqrt floor ceil trunc round rint nearbyint logb"
helped(UNARY, DOUBLE, lambda n, r: MIX.format(f"@b({n}({ARG.format(bits64(r))}))"))
helped(" ".join(n + "f" for n in UNARY.split()), FLOAT, lambda n, r: MIX.format(f"@b({n}(@d({bits32(r)}U)))"))
BINARY = "fmod remainder drem fdim copysign nextafter"
helped(BINARY, DOUBLE, lambda n, r: MIX.format(f"@b({n}({ARG.format(bits64(r))}, @d({bits64(r) if n != 'copysign' else bits64(r) & ~(2047 << 52) | 1}ULL)))"))
helped(" ".join(n + "f" for n in BINARY.split() if n != "copysign"), FLOAT, lambda n, r: MIX.format(f"@b({n}(@d({bits32(r)}U), @d({bits32(r)}U)))"))
# The least and the greatest of two zeros may be either.
helped("fmin fmax", DOUBLE, lambda n, r: MIX.format(f"@b({n}({ARG.format(bits64(r))}, {ARG.format(bits64(r))}) + 0.0)"))
helped("fma", DOUBLE, lambda n, r: MIX.format(f"@b(fma({ARG.format(bits64(r))}, {ARG.format(bits64(r))}, {ARG.format(bits64(r))}))"))
helped("fmaf", FLOAT, lambda n, r: MIX.format(f"@b(fmaf(@d({bits32(r)}U), @d({bits32(r)}U), @d({bits32(r)}U)))"))
helped("hypotf", FLOAT, lambda n, r: MIX.format(f"@b(hypotf(@d({bits32(r)}U), @d({bits32(r)}U)))"))
# Triangles whose third side is a number; elsewhere it is enclosed.
TRIANGLES = [(3, 4), (5, 12), (8, 15), (7, 24), (20, 21), (9, 40), (12, 35), (0, 1), (1, 0), (28, 45), (65, 72), (119, 120), (696, 697), (33, 56)]
helped("hypot", DOUBLE, lambda n, r: (lambda t, k: MIX.format(f"@b(hypot({r.choice('+-')}{t[0] * k}, {r.choice('+-')}{t[1] * k}))"))(r.choice(TRIANGLES), r.choice([1, 2, 0.5, 0.125, 3, 1000003, r.randrange(1, 10**6)])))
group("fmal", lambda n, r: f"  {{ long double f = fmal({long(r)}, {long(r)}, {long(r)}); unsigned long long m[2] = {{0}}; memcpy(m, &f, 10);\n" + MIX.format("m[0]") + MIX.format("m[1]") + "  }\n")
helped("ldexp scalbn scalbln", DOUBLE, lambda n, r: MIX.format(f"@b({n}({ARG.format(bits64(r))}, {r.choice([r.randrange(-50, 50), r.randrange(-2200, 2200)])}))"))
helped("ldexpf scalbnf scalblnf", FLOAT, lambda n, r: MIX.format(f"@b({n}(@d({bits32(r)}U), {r.randrange(-300, 300)}))"))
helped("frexp", DOUBLE, lambda n, r: f"  {{ int e = 0; double m = frexp({ARG.format(bits64(r))}, &e);\n" + MIX.format("@b(m)") + MIX.format("m - m == 0 ? e : 0") + "  }\n")
helped("frexpf", FLOAT, lambda n, r: f"  {{ int e = 0; float m = frexpf(@d({bits32(r)}U), &e);\n" + MIX.format("@b(m)") + MIX.format("m - m == 0 ? e : 0") + "  }\n")
helped("modf", DOUBLE, lambda n, r: f"  {{ double w, p = modf({ARG.format(bits64(r))}, &w);\n" + MIX.format("@b(p)") + MIX.format("@b(w)") + "  }\n")
helped("modff", FLOAT, lambda n, r: f"  {{ float w, p = modff(@d({bits32(r)}U), &w);\n" + MIX.format("@b(p)") + MIX.format("@b(w)") + "  }\n")
helped("remquo", DOUBLE, lambda n, r: f"  {{ int q = 0; double p = remquo({ARG.format(bits64(r))}, {ARG.format(bits64(r))}, &q);\n" + MIX.format("@b(p)") + MIX.format("p == p ? q & 7 : 0") + "  }\n")
helped("ilogb", DOUBLE, lambda n, r: MIX.format(f"ilogb({ARG.format(bits64(r))})"))
helped("ilogbf", FLOAT, lambda n, r: MIX.format(f"ilogbf(@d({bits32(r)}U))"))
helped("lround llround lrint llrint", DOUBLE, lambda n, r: MIX.format(f"{n}(({r.randrange(-4000, 4000)}) / {r.choice([1, 2, 4, 8])}.0)"))
for _n in "fabs sqrt floor ceil trunc round rint logb".split():
    group(_n + "l", lambda n, r: MIX.format(f"(long long)({n}({r.randrange(1, 10**6)}.0L / {r.choice([1, 2, 4, 3])}) * 4096)"))
group("frexpl", lambda n, r: f"  {{ int e; long double m = frexpl({r.randrange(1, 10**6)}.0L / {r.choice([1, 3, 1024])}, &e);\n" + MIX.format("(long long)(m * 0x1p62L)") + MIX.format("e") + "  }\n")
group("ldexpl scalbnl", lambda n, r: MIX.format(f"(long long)({n}({r.randrange(1, 999)}.0L, {r.randrange(-5, 40)}) * 32)"))
group("remainderl fmodl", lambda n, r: MIX.format(f"(long long)({n}({r.randrange(1, 10**6)}.0L / 8, {r.randrange(1, 99)}.0L / 4) * 32)"))
group("nextafterl", lambda n, r: MIX.format(f"(long long)((nextafterl({r.randrange(1, 99)}.0L, {r.choice([-1, 1])} * 1e9L) - 7) * 0x1p56L)"))
group("ilogbl", lambda n, r: MIX.format(f"ilogbl({r.randrange(1, 10**9)}.0L / 1024)"))

# The rest of the functions on floats: what they give for numbers at hand, as double; signs and bits of NaN are nobody's business.
wide = lambda r: r.choice([f"{r.randrange(-4000, 4000)} / {r.choice([1, 2, 4, 8])}.0", f"{r.gauss(0, 1) * 10.0 ** r.randrange(-3, 6)!r}", "0.0", "-0.0", "1.0", "-2.5"])
PLAIN = "({{ double plain = (double)({}); plain != plain ? 99 : plain == 0 ? 0 : (long long)(plain * 1024); }})"
for _n in "nearbyintl roundeven roundevenf roundevenl significand nextup nextdown".split():
    group(_n, lambda n, r: MIX.format(PLAIN.format(f"{n}({wide(r)})")))
for _n in "fdiml dreml fmaxf fmaxl fminf fminl fmaximum fmaximum_num fminimum fminimum_num fmaxmag fminmag nexttoward nexttowardf nexttowardl copysignf copysignl".split():
    group(_n, lambda n, r: MIX.format(PLAIN.format(f"{n}({wide(r)}, {wide(r)})")))
for _n in "llrintf llrintl lrintf lrintl lroundf lroundl llroundf llroundl llogb".split():
    group(_n, lambda n, r: MIX.format(f"{n}({r.choice(['', '-'])}{r.randrange(1, 4000)} / {r.choice([1, 2, 4, 8])}.0)"))
for _n in "finite finitef finitel isinf isinff isinfl isnan isnanf isnanl isfinite isnormal signbit".split():
    _call = _n if _n in ("isfinite", "isnormal", "signbit") else f"({_n})"
    group(_n, lambda n, r, call=_call: MIX.format(f"!!{call}({r.choice([wide(r), '1 / 0.0', '-1 / 0.0', '1e-310', '1e300 * 1e300'] + ['0.0 * (1 / 0.0)'] * (n != 'signbit'))})"))
group("modfl", lambda n, r: f"  {{ long double w, p = modfl({wide(r)}, &w);\n" + MIX.format("(long long)(p * 4096)") + MIX.format("(long long)w") + "  }\n")
for _n, _t in (("remquof", "float"), ("remquol", "long double")):
    group(_n, lambda n, r, t=_t: f"  {{ int q = 0; {t} p = {n}({wide(r)}, {r.randrange(1, 99)} / 4.0, &q);\n" + MIX.format(PLAIN.format("p")) + MIX.format("q & 7") + "  }\n")
group("scalblnl", lambda n, r: MIX.format(f"(long long)(scalblnl({r.randrange(1, 999)}.0L, {r.randrange(-5, 40)}) * 32)"))
# Formats that a function is given are no literals: only what is scanned is computed.
VALUES = """#include <stdarg.h>
static int @scan(const char *from, const char *form, ...) { va_list l; va_start(l, form); int n = vsscanf(from, form, l); va_end(l); return n; }
"""
helped("vsscanf", VALUES, lambda n, r: f"  {{ int a = 0, b = 0;\n" + MIX.format(f"@scan({literal(numeral(r) + ' ' + numeral(r))}, {literal(r.choice(['%d%d', '%x%d', '%i %i', '%2d%3d']))}, &a, &b)") + MIX.format("a * 3 + b") + "  }\n")
LINEAR = SORT + "#include <search.h>\n"
helped("lfind", LINEAR, lambda n, r: f"  {{ int a[8] = {{{numbers(r)}}}, k = {r.randrange(-9, 10)}; size_t n = {r.randrange(9)}; int *p = lfind(&k, a, &n, sizeof(int), @order);\n" + MIX.format("p ? p - a : -1") + "  }\n")
helped("lsearch", LINEAR, lambda n, r: f"  {{ int a[9] = {{{numbers(r)}}}, k = {r.randrange(-9, 10)}; size_t n = {r.randrange(9)}; int *p = lsearch(&k, a, &n, sizeof(int), @order);\n" + MIX.format("p - a + n * 16") + MIX.format("@hash(a, sizeof a)") + "  }\n")
helped("qsort_r", SORT + "static int @along(const void *a, const void *b, void *sign) { return @order(a, b) * *(int *)sign; }\n",
       lambda n, r: f"  {{ int a[8] = {{{numbers(r)}}}, sign = {r.choice([1, -1])}; qsort_r(a, {r.randrange(9)}, sizeof(int), @along, &sign);\n" + MIX.format("@hash(a, sizeof a)") + "  }\n")
helped("dirname", HASH, lambda n, r: f"  {{ char path[20] = {literal(text(r, 'a/./', 9))};\n" + MIX.format("(unsigned char)*dirname(path)") + "  }\n")
group("inet_aton", lambda n, r: f"  {{ struct in_addr a = {{0}};\n" + MIX.format(f"inet_aton({literal('.'.join(str(r.choice([r.randrange(300), 0, 255])) for _ in range(r.randrange(1, 6))))}, &a)") + MIX.format("a.s_addr") + "  }\n")
for _n in "mblen mbtowc".split():
    group(_n, lambda n, r: f"  {{ wchar_t w = 7; const char *s = {literal(text(r))};\n" + MIX.format(f"mblen(s, {r.randrange(1, 5)})" if n == "mblen" else f"mbtowc(&w, s, {r.randrange(1, 5)})") + MIX.format("w") + "  }\n")
group("wctomb", lambda n, r: "  { char to[16] = {0};\n" + MIX.format(f"wctomb(to, {r.randrange(1, 127)})") + MIX.format("to[0]") + "  }\n")
for _n in "mbstowcs wcstombs".split():
    group(_n, lambda n, r: "  { " + ("wchar_t" if n == "mbstowcs" else "char") + f" to[12] = {{0}};\n" + MIX.format(f"{n}(to, {literal(text(r), '' if n == 'mbstowcs' else 'L')}, {r.randrange(12)})") + MIX.format("to[0] * 31 + to[3]") + "  }\n")

register(sys.modules[__name__])

# What is enclosed and not computed: a bound of the table, checked on the library itself.
ENCLOSED = {"sin": (-1, 1), "cos": (-1, 1), "tanh": (-1, 1), "erf": (-1, 1), "asin": (-1.5707965, 1.5707965), "atan": (-1.5707965, 1.5707965),
            "acos": (0, 3.141593), "exp": (0, None), "exp2": (0, None), "acosh": (0, None), "erfc": (0, 2), "expm1": (-1, None), "cosh": (1, None)}


def enclosed(bench, options):
    """Compiles one program that calls each enclosed function on many arguments; counts those outside."""
    rng = random.Random(f"{options.seed} enclosed")
    body = ""
    for name, (low, high) in ENCLOSED.items():
        for suffix, kind in (("", "double"), ("f", "float"), ("l", "long double")):
            values = ", ".join(f"{kind[0:0]}{rng.gauss(0, 1) * 10.0 ** rng.randrange(-5, 4)!r}" for _ in range(options.arguments))
            test = " || ".join([f"r < {low}"] + ([f"r > {high}"] if high is not None else []))
            body += (f"  {{ static const {kind} a[] = {{{values}}}; int bad = 0; for (unsigned i = 0; i < sizeof a / sizeof *a; i++) "
                     f"{{ {kind} r = {name}{suffix}(a[i]); if ({test}) bad++; }} printf(\"{name}{suffix} %d\\n\", bad); }}\n")
    path = bench.write("enclosed.c", HEAD + "int main(void) {\n" + body + "  return 0;\n}\n")
    executable, messages = bench.compile("gcc", [path])
    if executable is None:
        raise SystemExit(messages)
    for line in bench.run(executable)[0].splitlines():
        name, bad = line.split()
        bench.counts[("enclosed", "compared")] += 1
        if bad != "0":
            bench.counts[("enclosed", "wrong")] += 1
            bench.failures.append(("enclosed", 0, name))
            print(f"--- {name}: {bad} results outside")


def run(options, bench):
    names = [name for name in FUNCTIONS if not options.only or options.only in name]
    part, parts = map(int, options.part.split("/"))
    names = names[part - 1::parts]
    if len(names) > options.count:
        names = random.Random(options.seed).sample(names, options.count)
    bench.clang = None
    for start in range(0, len(names), options.batch):
        batch = []
        for number, name in enumerate(names[start:start + options.batch]):
            rng = random.Random(f"{options.seed} {name}")
            calls = [FUNCTIONS[name](name, rng) for _ in range(options.arguments)]
            batch.append((number, case(name, calls, HELPERS.get(name, ""))))
        bench.compare(batch)
    if not options.only and part == 1:
        enclosed(bench, options)
    wrong = sorted(kind for kind, _, _ in bench.failures)
    print(f"{len(names)} functions with {options.arguments} lists of arguments each, {len(ENCLOSED) * 3 if not options.only and part == 1 else 0} enclosures; wrong or without an answer: {', '.join(wrong) or 'none'}")
    return 1 if bench.failures else 0
