//! Random structures and unions: sizes, alignments, offsets, and where the bits of each member lie.

use super::Globals;
use super::random::Random;
use assay_cfa::DataModel;
use std::fmt::Write;

const SCALARS: [&str; 18] = [
    "char",
    "signed char",
    "unsigned char",
    "short",
    "unsigned short",
    "int",
    "unsigned",
    "long",
    "unsigned long",
    "long long",
    "unsigned long long",
    "float",
    "double",
    "long double",
    "_Bool",
    "void *",
    "int (*)(void)",
    "enum colour",
];

const FIELDS: [(&str, usize); 12] = [
    ("char", 8),
    ("signed char", 8),
    ("unsigned char", 8),
    ("short", 16),
    ("unsigned short", 16),
    ("int", 32),
    ("unsigned", 32),
    ("long", 32),
    ("unsigned long", 32),
    ("long long", 64),
    ("unsigned long long", 64),
    ("_Bool", 1),
];

/// One member of a generated structure.
struct Member {
    name: String,
    bit_field: bool,
    /// Whether a number can initialise it.
    number: bool,
}

/// A program with a dozen structures and unions, later ones holding earlier ones.
pub(crate) fn layouts(random: &mut Random, _: DataModel, globals: &mut Globals) {
    globals.line("enum colour { RED, GREEN };");
    let mut made: Vec<String> = Vec::new();
    for number in 0..12 {
        aggregate(random, number, &mut made, globals);
    }
}

fn aggregate(random: &mut Random, number: usize, made: &mut Vec<String>, globals: &mut Globals) {
    let keyword = if random.one_in(4) { "union" } else { "struct" };
    let pragma = random.one_in(5).then(|| *random.pick(&[1, 2, 4, 8]));
    let flexible = keyword == "struct" && random.one_in(6);
    let mut members: Vec<Member> = Vec::new();
    let mut body = String::new();
    for index in 0..=random.below(7) {
        let name = format!("m{index}");
        member(random, name, made, &mut body, &mut members);
    }
    if members.is_empty() {
        body.push_str("  int only;\n");
        members.push(Member { name: "only".to_string(), bit_field: false, number: true });
    }
    if flexible {
        let element = random.pick(&SCALARS[..14]);
        let _ = writeln!(body, "  {element} rest[];");
    }
    // gcc gives bit-fields of a packed structure below `#pragma pack` an alignment that neither of the two asks for;
    // programs that use both at once are not compared.
    let attribute = match random.below(8) {
        _ if pragma.is_some() => "",
        0 => " __attribute__((packed))",
        1 => " __attribute__((aligned(16)))",
        2 => " __attribute__((packed, aligned(2)))",
        _ => "",
    };
    if let Some(pack) = pragma {
        globals.line(&format!("#pragma pack(push, {pack})"));
    }
    globals.line(&format!("{keyword} t{number} {{\n{body}}}{attribute};"));
    if pragma.is_some() {
        globals.line("#pragma pack(pop)");
    }
    let name = format!("{keyword} t{number}");
    measure(&name, &members, flexible, globals);
    for _ in 0..3 {
        initialise(random, keyword, &name, &members, globals);
    }
    // A structure with a flexible array may not be a member of another one.
    if !flexible {
        made.push(name);
    }
}

fn member(random: &mut Random, name: String, made: &[String], body: &mut String, members: &mut Vec<Member>) {
    match random.below(8) {
        0..=2 => {
            let (ty, most) = *random.pick(&FIELDS);
            let width = random.below(most + 1);
            if width == 0 || random.one_in(8) {
                let _ = writeln!(body, "  {ty} : {width};");
            } else {
                let _ = writeln!(body, "  {ty} {name} : {width};");
                members.push(Member { name, bit_field: true, number: true });
            }
        }
        3 if !made.is_empty() => {
            let _ = writeln!(body, "  {} {name};", random.pick(made));
            members.push(Member { name, bit_field: false, number: false });
        }
        4 => {
            let (ty, length) = (*random.pick(&SCALARS[..16]), random.below(4) + 1);
            let _ = writeln!(body, "  {ty} {name}[{length}];");
            members.push(Member { name, bit_field: false, number: false });
        }
        _ => {
            let ty = *random.pick(&SCALARS);
            let attribute = if random.one_in(10) { " __attribute__((aligned(8)))" } else { "" };
            match ty.strip_suffix("(*)(void)") {
                Some(result) => drop(writeln!(body, "  {result} (*{name})(void);")),
                None => drop(writeln!(body, "  {ty} {name}{attribute};")),
            }
            members.push(Member { name, bit_field: false, number: !ty.contains('*') });
        }
    }
}

/// An object with the size, the alignment and the offsets of a type.
fn measure(name: &str, members: &[Member], flexible: bool, globals: &mut Globals) {
    let mut numbers = format!("sizeof({name}), _Alignof({name}), sizeof({name}[3])");
    for member in members.iter().filter(|m| !m.bit_field) {
        let _ = write!(numbers, ", __builtin_offsetof({name}, {0}), sizeof((({name} *)0)->{0})", member.name);
    }
    if flexible {
        let _ = write!(numbers, ", __builtin_offsetof({name}, rest)");
    }
    globals.object(&format!("unsigned long long $[] = {{ {numbers} }};"));
}

/// An object of the type with some members set, so that the place of every bit shows.
fn initialise(random: &mut Random, keyword: &str, name: &str, members: &[Member], globals: &mut Globals) {
    let candidates: Vec<&Member> = members.iter().filter(|m| m.number).collect();
    if candidates.is_empty() {
        return;
    }
    let count = if keyword == "union" { 1 } else { 1 + random.below(candidates.len()) };
    let mut parts = Vec::new();
    for _ in 0..count {
        let member = random.pick(&candidates);
        let value = match random.below(3) {
            0 => "-1".to_string(),
            1 => format!("{}", random.below(256)),
            _ => format!("0x{:x}", random.bits() >> 8),
        };
        // A member that is set twice has its last value.
        parts.push(format!(".{} = {value}", member.name));
    }
    globals.object(&format!("{name} $ = {{ {} }};", parts.join(", ")));
}
