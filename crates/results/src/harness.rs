//! A C test harness: a second source file that defines the functions whose values were chosen, so that the program
//! compiled together with it takes the path of the counterexample.

use crate::arguments::{self, Texts};
use crate::value::c_constant;
use crate::{Counterexample, InputOrigin, InputValue};
use assay_cfa::arguments::LISTS;
use assay_cfa::{CType, Operation, Outside, Program, Property, SourceId, ValueSourceKind};
use assay_semantics::environment::ExternalMemory;
use assay_term::Bits;
use std::collections::BTreeMap;
use std::fmt::Write;

/// A harness passes no more arguments than this: systems have a limit, too.
const MAX_ARGUMENTS: u128 = 10_000;

/// One function of the harness: what it returns, call by call.
struct Stub {
    ctype: CType,
    values: Vec<Bits>,
}

/// The text of the harness.
pub fn harness(program: &Program, property: &Property, counterexample: &Counterexample) -> String {
    let types = source_types(program);
    let mut stubs: BTreeMap<String, Stub> = BTreeMap::new();
    // Functions that were not called on the path still have to be there for the linker.
    for (id, source) in program.value_sources.iter_ids() {
        if let (ValueSourceKind::Input | ValueSourceKind::External, Some(ctype)) = (source.kind, types.get(&id)) {
            stubs.entry(source.name.clone()).or_insert_with(|| Stub { ctype: ctype.clone(), values: vec![] });
        }
    }
    let mut uncontrolled = 0;
    let lists = arguments::texts(program, &counterexample.inputs);
    // Without a list that the program looks at, any texts do.
    let count = counterexample.inputs.iter().find(|input| is_count(program, input)).map_or(0, |input| input.bits.value());
    let mut environment: Vec<(u64, Bits)> = Vec::new();
    for input in &counterexample.inputs {
        if let Some(address) = input.environment_address(program) {
            environment.push((address, input.bits));
            continue;
        }
        let source = match input.origin {
            InputOrigin::Source(id) => program.value_sources.get(id),
            InputOrigin::Memory { birth, .. } if lists.iter().any(|list| list.has(birth)) => continue,
            InputOrigin::Memory { .. } => None,
        };
        if source.is_some_and(|source| source.kind == ValueSourceKind::Argument) {
            continue;
        }
        match source.and_then(|source| stubs.get_mut(&source.name)) {
            // What the library gives stays with the library: a harness never redefines one of its functions.
            Some(stub) if source.is_some_and(|s| matches!(s.kind, ValueSourceKind::Input | ValueSourceKind::External)) => {
                stub.values.push(input.bits);
            }
            _ => uncontrolled += 1,
        }
    }
    let asks = program.outside.iter().any(|one| ASKING.contains(&one.name.as_str()));
    let mut text = header(property, counterexample, uncontrolled + usize::from(asks));
    let is_variable = |name: &str| program.globals.iter().any(|&global| program.variables[global].name == name);
    for (name, stub) in &stubs {
        text.push_str(&if is_variable(name) { variable(name, stub) } else { function(name, stub) });
    }
    text.push_str(&helpers(property, &stubs));
    text.push_str(&outside(program, &stubs));
    text.push_str(&start(&lists, count));
    let into_environment = |bits: &Bits| ExternalMemory::of(program).is_some_and(|e| e.offset_of(bits.value() as u64).is_some());
    if !environment.is_empty() || stubs.values().any(|stub| stub.ctype == CType::Pointer && stub.values.iter().any(into_environment)) {
        text.push_str(&mapping(program, &environment));
    }
    text
}

/// Maps the memory of the environment before the program starts, with the content that was chosen.
fn mapping(program: &Program, content: &[(u64, Bits)]) -> String {
    let Some(environment) = ExternalMemory::of(program) else { return String::new() };
    let mut text = format!(
        "\n#include <sys/mman.h>\n__attribute__((constructor, no_instrument_function)) static void map_environment(void) {{\n  \
         if (mmap((void *){:#x}UL, {:#x}UL, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0) == \
         MAP_FAILED) {{\n    dprintf(2, \"assay: the memory of the environment cannot be mapped\\n\");\n    _exit(1);\n  }}\n",
        environment.base, environment.size
    );
    for (address, bits) in content {
        for byte in (0..bits.width().div_ceil(8)).filter(|byte| (bits.value() >> (8 * byte)) & 0xFF != 0) {
            let value = (bits.value() >> (8 * byte)) & 0xFF;
            let _ = writeln!(text, "  *(unsigned char *){:#x}UL = {value};", address + u64::from(byte));
        }
    }
    text.push_str("}\n");
    text
}

/// What verifiers give, as C has it; a definition a line.
const INTRINSICS: &str = include_str!("intrinsics.c");

/// Intrinsics that ask what memory there is, which a compiled program cannot know.
const ASKING: &[&str] = &[
    "__CPROVER_OBJECT_SIZE",
    "__CPROVER_POINTER_OFFSET",
    "__CPROVER_havoc_object",
    "__CPROVER_r_ok",
    "__CPROVER_rw_ok",
    "__CPROVER_same_object",
    "__CPROVER_w_ok",
    "__ESBMC_POINTER_OFFSET",
    "__ESBMC_get_object_size",
    "__ESBMC_r_ok",
    "__ESBMC_same_object",
    "__ESBMC_w_ok",
    "klee_get_obj_size",
    "sea_is_dereferenceable",
];

/// What the program mentions and does not define: the linker wants it also where the path does not come by.
fn outside(program: &Program, stubs: &BTreeMap<String, Stub>) -> String {
    let mut text = String::new();
    let mut seen: Vec<&str> =
        vec!["__VERIFIER_assume", "__VERIFIER_atomic_begin", "__VERIFIER_atomic_end", "reach_error", "__VERIFIER_error"];
    for one in &program.outside {
        if stubs.contains_key(&one.name) || seen.contains(&one.name.as_str()) || text.contains(&format!(" {}(", one.name)) {
            continue;
        }
        seen.push(&one.name);
        let call = format!(" {}(", one.name);
        let called = format!("*{}(", one.name);
        let known = INTRINSICS.lines().find(|line| one.is_intrinsic && (line.contains(&call) || line.contains(&called)));
        if let Some(definition) = known {
            let _ = writeln!(text, "{definition}");
        } else if one.is_intrinsic && ASKING.contains(&one.name.as_str()) {
            let _ = writeln!(
                text,
                "__attribute__((weak)) unsigned long {0}() {{\n  dprintf(2, \"assay: {0} cannot be asked in a compiled program\\n\");\n  _exit(1);\n}}",
                one.name
            );
        } else {
            text.push_str(&placeholder(one));
        }
    }
    if text.contains("assay_assertion(") { format!("{ASSERTION}{text}") } else { text }
}

/// A violated assertion of another verifier's is reported like one of C.
const ASSERTION: &str = "\n__attribute__((no_instrument_function, unused)) static void assay_assertion(const char *name) {\n  \
                         dprintf(2, \"assay: Assertion: %s fails\\n\", name);\n  __builtin_abort();\n}\n";

/// Something of this name and size.
fn placeholder(one: &Outside) -> String {
    let name = &one.name;
    match (&one.ctype, one.is_function) {
        (CType::Void | CType::Bool | CType::Integer { .. } | CType::Float { .. } | CType::Pointer, true) => {
            let spelled = if one.ctype == CType::Void { "void" } else { spelling(&one.ctype) };
            let value = if one.ctype == CType::Void { "" } else { " return 0; " };
            format!("\n__attribute__((weak)) {spelled} {name}() {{{value}}}\n")
        }
        (_, true) => format!(
            "\n__attribute__((weak)) struct result_of_{name} {{ char bytes[{0}]; }} {name}() {{\n  \
             return (struct result_of_{name}){{{{0}}}};\n}}\n",
            one.size.max(1)
        ),
        // Of an object whose size the program does not say, enough.
        (_, false) => {
            let size = if one.size == 0 { 1 << 16 } else { one.size };
            format!("\n__attribute__((weak, aligned(16))) unsigned char {name}[{size}];\n")
        }
    }
}

fn is_count(program: &Program, input: &InputValue) -> bool {
    let InputOrigin::Source(id) = input.origin else { return false };
    program.value_sources.get(id).is_some_and(|s| s.kind == ValueSourceKind::Argument && s.name == LISTS[0].count)
}

/// Starts the program again with the arguments that were chosen, if it has others.
fn start(lists: &[Texts], count: u128) -> String {
    if count == 0 || count > MAX_ARGUMENTS {
        return String::new();
    }
    let find = |environment: bool| lists.iter().find(|list| list.is_environment() == environment);
    let spell = |list: Option<&Texts>, count: usize| {
        let texts = list.map_or(&[][..], |list| &list.texts);
        let spelled = (0..count).map(|i| texts.get(i).map_or_else(|| quoted(b"a"), |text| quoted(text)));
        spelled.map(|text| format!("{text}, ")).collect::<String>()
    };
    let arguments = spell(find(false), count as usize);
    let (environment, same) = match find(true) {
        Some(list) => (format!("(char *[]){{{}0}}", spell(Some(list), list.texts.len())), " && same_list(environ, environment)"),
        None => ("environ".to_string(), ""),
    };
    format!(
        "\n#include <string.h>\nextern char **environ;\n\
         __attribute__((no_instrument_function)) static int same_list(char **a, char **b) {{\n  \
         while (*a && *b && !strcmp(*a, *b)) {{ a++; b++; }}\n  return !*a && !*b;\n}}\n\
         /* Starts the program with these arguments, if it was started with others. */\n\
         __attribute__((constructor, no_instrument_function)) static void pass_arguments(int argc, char **argv) {{\n  \
         char *arguments[] = {{{arguments}0}};\n  char **environment = {environment};\n  (void)argc;\n  \
         if (same_list(argv, arguments){same}) return;\n  \
         execve(\"/proc/self/exe\", arguments, environment);\n}}\n"
    )
}

/// A text as a string constant of C.
fn quoted(text: &[u8]) -> String {
    let mut quoted = String::from("\"");
    for &byte in text {
        match byte {
            b' ' | b'!' | b'#'..=b'>' | b'@'..=b'[' | b']'..=b'~' => quoted.push(char::from(byte)),
            // Three digits, so that what follows does not belong to the number.
            _ => quoted.push_str(&format!("\\{byte:03o}")),
        }
    }
    quoted + "\""
}

/// The type of the value that each source gives: that of the variable that takes it.
pub(crate) fn source_types(program: &Program) -> BTreeMap<SourceId, CType> {
    let havocs = program.edges.iter().filter_map(|edge| match edge.operation {
        Operation::Havoc { target, source } => Some((source, program.variables[target].ctype.clone())),
        _ => None,
    });
    havocs.collect()
}

fn header(property: &Property, counterexample: &Counterexample, uncontrolled: usize) -> String {
    let sanitizer = match property.sanitizer() {
        "" => String::new(),
        name => format!(" -fsanitize={name}"),
    };
    let mut text = format!(
        "/* Test harness made by Assay: the program takes the path to a violation of {}.\n   \
         Compile and run it together with the program:  cc -O0 -fwrapv{sanitizer} program.c harness.c && ./a.out\n   \
         With -finstrument-functions it also reports an error function that has a body without effect.\n",
        counterexample.target.name()
    );
    if uncontrolled > 0 {
        let _ = writeln!(
            text,
            "   {uncontrolled} value(s) of uninitialised variables, of memory or of the system belong to the path; a harness cannot choose them."
        );
    }
    text.push_str("*/\n");
    if matches!(property, Property::NoOverflow) {
        text = text.replace(" -fwrapv", "");
    }
    text
}

/// A variable that the program declares and does not define. Floats are given as bit patterns.
fn variable(name: &str, stub: &Stub) -> String {
    let ctype = match stub.ctype {
        CType::Float { width: 32 | 64 } => storage(&stub.ctype),
        _ => spelling(&stub.ctype),
    };
    let value = stub.values.first().map_or_else(|| "0".to_string(), |bits| constant(&stub.ctype, *bits));
    let value = if stub.ctype == CType::Pointer { format!("(void *)(__UINTPTR_TYPE__){value}") } else { value };
    format!("\n__attribute__((weak)) {ctype} {name} = {value};\n")
}

fn function(name: &str, stub: &Stub) -> String {
    let spelling = spelling(&stub.ctype);
    // Weak: where the program has a definition of its own, that one counts.
    let signature = format!("__attribute__((weak)) {spelling} {name}()");
    if stub.values.is_empty() {
        return format!("\n{signature} {{ return 0; }}\n");
    }
    let mut lines = String::new();
    for bits in &stub.values {
        let _ = writeln!(lines, "    {},", constant(&stub.ctype, *bits));
    }
    let count = stub.values.len();
    format!(
        "\nstatic const {storage} values_of_{name}[{count}] = {{\n{lines}}};\nstatic unsigned calls_of_{name};\n\
         {signature} {{\n  unsigned call = calls_of_{name}++;\n  {result}\n}}\n",
        storage = storage(&stub.ctype),
        result = result(name, count, &stub.ctype),
    )
}

/// Floats are given as bit patterns, because NaN and the like have no constant; integers and pointers as numbers.
fn storage(ctype: &CType) -> &'static str {
    match ctype {
        CType::Float { width: 32 } => "unsigned int",
        CType::Float { width: 64 } | CType::Pointer => "unsigned long long",
        CType::Float { .. } => "long double",
        CType::Integer { signed: true, .. } => "long long",
        _ => "unsigned long long",
    }
}

fn constant(ctype: &CType, bits: Bits) -> String {
    match ctype {
        CType::Float { width: 32 } => format!("{:#x}U", bits.value()),
        CType::Float { width: 64 } | CType::Pointer => format!("{:#x}ULL", bits.value()),
        CType::Float { .. } => c_constant(ctype, bits)
            .unwrap_or_else(|| crate::value::float(bits).filter(|v| v.is_finite()).map_or("0.0L".to_string(), |v| format!("{v:?}L"))),
        CType::Integer { signed: true, .. } => {
            c_constant(&CType::Integer { width: 64, signed: true, name: "long long" }, Bits::new(64, bits.signed() as u128))
                .unwrap_or_default()
        }
        _ => format!("{}ULL", bits.value() as u64),
    }
}

fn result(name: &str, count: usize, ctype: &CType) -> String {
    let pick = format!("values_of_{name}[call < {count} ? call : {}]", count - 1);
    match ctype {
        CType::Float { width: 32 | 64 } => {
            let spelling = spelling(ctype);
            format!("union {{ {} bits; {spelling} value; }} cast = {{ {pick} }};\n  return cast.value;", storage(ctype))
        }
        CType::Pointer => format!("return (void *)(__UINTPTR_TYPE__){pick};"),
        _ => format!("return ({}){pick};", spelling(ctype)),
    }
}

fn spelling(ctype: &CType) -> &'static str {
    match ctype {
        CType::Bool => "_Bool",
        CType::Integer { name, .. } => name,
        CType::Float { width: 32 } => "float",
        CType::Float { width: 64 } => "double",
        CType::Float { .. } => "long double",
        CType::Pointer => "void *",
        _ => "unsigned long long",
    }
}

/// The functions of the rules that a program may only declare.
fn helpers(property: &Property, stubs: &BTreeMap<String, Stub>) -> String {
    let mut text = String::from(
        "\nextern int dprintf(int, const char *, ...);\nextern void _exit(int) __attribute__((noreturn));\n\n\
         __attribute__((weak)) void __VERIFIER_assume(int condition) {\n  if (!condition) _exit(1);\n}\n\
         __attribute__((weak)) void __VERIFIER_atomic_begin(void) {}\n__attribute__((weak)) void __VERIFIER_atomic_end(void) {}\n",
    );
    if let Property::UnreachCall { function } = property
        && function != "__assert_fail"
        && !stubs.contains_key(function)
    {
        let _ = write!(
            text,
            "\n__attribute__((weak, no_instrument_function)) void {function}() {{\n  \
             dprintf(2, \"assay: {function} was reached\\n\");\n  __builtin_abort();\n}}\n\
             __attribute__((weak, no_instrument_function)) void __cyg_profile_func_enter(void *callee, void *site) {{\n  \
             if (callee == (void *)&{function}) {{\n    dprintf(2, \"assay: {function} was reached\\n\");\n    __builtin_abort();\n  }}\n}}\n\
             __attribute__((weak, no_instrument_function)) void __cyg_profile_func_exit(void *callee, void *site) {{}}\n"
        );
    }
    // Error functions that the property does not name are still called.
    for function in ["reach_error", "__VERIFIER_error"] {
        let named = matches!(property, Property::UnreachCall { function: named } if named == function);
        if !named && !stubs.contains_key(function) {
            let _ = write!(text, "\n__attribute__((weak)) void {function}() {{\n  __builtin_abort();\n}}\n");
        }
    }
    text
}
