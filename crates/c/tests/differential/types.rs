//! The types of expressions (promotions and usual arithmetic conversions) and of literals, told apart by `_Generic`.

use super::Globals;
use super::random::Random;
use assay_cfa::DataModel;

const TYPES: [(&str, &str); 16] = [
    ("_Bool", "boolean"),
    ("char", "character"),
    ("signed char", "signed_character"),
    ("unsigned char", "unsigned_character"),
    ("short", "short_number"),
    ("unsigned short", "unsigned_short"),
    ("int", "number"),
    ("unsigned", "unsigned_number"),
    ("long", "long_number"),
    ("unsigned long", "unsigned_long"),
    ("long long", "long_long"),
    ("unsigned long long", "unsigned_long_long"),
    ("float", "single"),
    ("double", "precise"),
    ("long double", "long_precise"),
    ("enum colour", "colour"),
];

/// Fields that are at most as wide as `int`: wider ones have types of their own in gcc, which no `_Generic` can name.
const FIELDS: [(&str, &str, u32); 8] = [
    ("int", "three", 3),
    ("unsigned", "nine", 9),
    ("unsigned", "whole", 32),
    ("unsigned char", "small", 5),
    ("long long", "long_small", 20),
    ("unsigned long long", "long_whole", 32),
    ("unsigned short", "half", 16),
    ("_Bool", "flag", 1),
];

/// The start of a program: variables of all types, and an operator that gives a number for a type.
fn prologue(globals: &mut Globals) {
    globals.line("enum colour { RED, GREEN };");
    for (ty, name) in TYPES {
        globals.line(&format!("extern {ty} {name};"));
    }
    let fields: String = FIELDS.iter().map(|(ty, name, width)| format!(" {ty} {name} : {width};")).collect();
    globals.line(&format!("extern struct fields {{{fields} }} fields;\nextern int *pointer;\nextern const char *text;"));
    let cases: Vec<String> = TYPES[..15].iter().enumerate().map(|(index, (ty, _))| format!("{ty}: {}", index + 1)).collect();
    globals.line(&format!(
        "#define TYPE(x) _Generic((x), {}, int *: 20, const char *: 21, char *: 22, void *: 23, default: 99)",
        cases.join(", ")
    ));
}

fn operand(random: &mut Random) -> String {
    if random.one_in(5) { format!("fields.{}", random.pick(&FIELDS).1) } else { random.pick(&TYPES).1.to_string() }
}

fn is_float(name: &str) -> bool {
    matches!(name, "single" | "precise" | "long_precise")
}

/// Expressions over operands of random types, and some whose type is easily got wrong.
pub(crate) fn expressions(random: &mut Random, _: DataModel, globals: &mut Globals) {
    prologue(globals);
    for _ in 0..120 {
        let (a, b) = (operand(random), operand(random));
        let any = ["+", "-", "*", "/", "<", ">=", "==", "!=", "&&", "||"];
        let integer = ["%", "&", "|", "^", "<<", ">>"];
        let only_any = is_float(&a) || is_float(&b);
        let operator = if only_any || random.one_in(2) { *random.pick(&any) } else { *random.pick(&integer) };
        globals.object(&format!("unsigned char $[] = {{ TYPE(({a} {operator} {b})), sizeof({a} {operator} {b}) }};"));
        let unary = if is_float(&a) { *random.pick(&["+", "-", "!"]) } else { *random.pick(&["+", "-", "~", "!"]) };
        globals.object(&format!("unsigned char $[] = {{ TYPE({unary}{a}), TYPE(number ? {a} : {b}) }};"));
        let (ty, _) = *random.pick(&TYPES);
        // In gcc the value of an assignment to a bit-field has a type of the field's width, which nothing in C can
        // name.
        let assigned = if a.starts_with("fields") { "number" } else { &a };
        globals.object(&format!("unsigned char $[] = {{ TYPE(({ty}){a}), TYPE(({ty}){a} + {b}), TYPE({assigned} = {b}) }};"));
    }
    for expression in [
        "pointer - pointer",
        "pointer + 1",
        "*pointer",
        "sizeof(int)",
        "_Alignof(int)",
        "number ? pointer : 0",
        "RED",
        "RED + 1u",
        "text[0]",
        "\"s\"",
        "number ? \"s\" : text",
        "number ? (void *)pointer : pointer",
        "&number",
        "!pointer",
        "boolean++",
        "character++",
        "short_number <<= 2",
        "(number, unsigned_short)",
        "+fields.nine",
        "colour = 1",
    ] {
        globals.object(&format!("unsigned char $ = TYPE({expression});"));
    }
}

/// Literals in all notations, around the limits of the types.
pub(crate) fn literals(random: &mut Random, model: DataModel, globals: &mut Globals) {
    prologue(globals);
    let suffixes = ["", "u", "U", "l", "L", "ul", "LU", "ll", "LL", "ull", "LLU"];
    for _ in 0..150 {
        // A number near a power of two.
        let power = random.below(64);
        let near = (1u64 << power).wrapping_add(random.below(3) as u64).wrapping_sub(1);
        let suffix = *random.pick(&suffixes);
        // A decimal number beyond the largest signed type has no type in C.
        let literal = match random.below(4) {
            0 if near <= i64::MAX as u64 => format!("{near}{suffix}"),
            1 => format!("0{near:o}{suffix}"),
            2 => format!("0b{near:b}{suffix}"),
            _ => format!("0x{near:X}{suffix}"),
        };
        globals.object(&format!("unsigned long long $[] = {{ TYPE({literal}), sizeof({literal}), {literal}, -{literal}, ~{literal} }};"));
    }
    let characters = ["'a'", "'\\n'", "'\\0'", "'\\377'", "'\\xff'", "'\\x7f'", "'ab'", "'abcd'", "'\\e'", "'\\''", "'\"'", "'\\\\'"];
    for literal in characters {
        globals.object(&format!("long long $[] = {{ TYPE({literal}), {literal} }};"));
    }
    for literal in ["L'a'", "L'\\xffff'", "u'a'", "U'a'", "L'\\u00e9'", "u'\\u00e9'", "U'\\U0001F600'"] {
        // On i386 gcc's wchar_t is a `long`, here it is an `int` of the same size: only its name differs.
        let name = if literal.starts_with('L') && model == DataModel::Ilp32 { "0".to_string() } else { format!("TYPE({literal})") };
        globals.object(&format!("long long $[] = {{ {name}, sizeof({literal}), {literal} }};"));
    }
    for literal in ["1.0", "1.0f", "1.0F", "1.0l", "1.0L", "1e3", ".5f", "0x1p3", "0x1.8p-3f", "0x.8p1L", "1.", "1.e-2"] {
        globals.object(&format!("unsigned char $[] = {{ TYPE({literal}), sizeof({literal}) }};"));
    }
    for literal in
        ["\"\"", "\"abc\"", "\"a\\0b\"", "\"a\" \"b\"", "L\"ab\"", "u\"ab\"", "U\"ab\"", "u8\"\\u00e9\"", "\"\\u20ac\"", "\"\\x41\" \"1\""]
    {
        globals.object(&format!("unsigned long $ = sizeof({literal});"));
    }
    for (element, literal) in [
        ("char", "\"a\\tb\\\\\\101\\x42\\0c\""),
        ("char", "\"\\u00e9\\u20ac\""),
        ("__WCHAR_TYPE__", "L\"a\\u20ac\""),
        ("unsigned short", "u\"\\U0001F600\""),
        ("unsigned", "U\"\\U0001F600\""),
        ("char", "\"split\" \"in\" \"three\""),
    ] {
        globals.object(&format!("{element} $[] = {literal};"));
    }
}
