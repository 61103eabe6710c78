//! The gaps of the C library that the adapter closes, and the messages for bad input.

use assay_base::SourceMap;
use assay_c::adapter::{DataModel, FrontEndError, Input, Options, on_large_stack, read_compile_commands, read_text, read_unit};
use std::path::{Path, PathBuf};

fn options(model: DataModel) -> Options {
    Options::new(model)
}

/// The rendered messages of a text; empty if it is accepted.
fn check(text: &str) -> String {
    let mut sources = SourceMap::default();
    match on_large_stack(|| read_text("t.c", text, &options(DataModel::Ilp32), &mut sources)).and_then(|r| r) {
        Ok(_) => String::new(),
        Err(FrontEndError::Rejected(messages)) => messages.iter().map(|m| m.render(&sources)).collect::<Vec<_>>().join("\n"),
        Err(error) => error.to_string(),
    }
}

fn accepts(text: &str) {
    assert_eq!(check(text), "", "{text}");
}

#[test]
fn old_c_is_read() {
    accepts("main() { return f(1); }");
    accepts("int f(a, b) int a; char *b; { return a + *b; }");
    accepts("static x; int main(void) { return x; }");
    accepts("int f(); int main(void) { f(1, 2, 3); return 0; }");
    accepts("void f(int *p); int main(void) { char c; f(&c); return 0; }");
}

#[test]
fn a_pointer_beside_an_integer_in_a_conditional_is_a_warning() {
    accepts("int *p; int n; int main(void) { return n ? p : n; }");
    accepts("int *p; int n; int main(void) { return (n ? 5 : p) != 0; }");
}

#[test]
fn compiler_types_are_known() {
    accepts("__float128 q; _Float128 r; typedef __builtin_va_list v;");
    let text = "__int128 wide; int main(void) { return sizeof(wide) == 16; }";
    let mut sources = SourceMap::default();
    assert!(on_large_stack(|| read_text("t.c", text, &options(DataModel::Lp64), &mut sources)).is_ok());
}

#[test]
fn line_markers_and_pragmas_are_read() {
    accepts("# 1 \"orig.h\" 1 3 4\nint x;\n# 5 \"orig.c\" 2\n#line 77 \"other.c\"\nint y;\n");
    accepts("#pragma pack(push, 1)\nstruct s { char c; int i; };\n#pragma pack(pop)\n_Static_assert(sizeof(struct s) == 5, \"\");");
    let message = check("# 40 \"orig.c\"\nint x = y;\n");
    assert!(message.starts_with("t.c:2:9: error:"), "{message}");
    assert!(message.contains("(line 40 of orig.c)"), "{message}");
}

#[test]
fn deep_nesting_is_regrouped() {
    let (mut left, mut right) = ("x == 0".to_string(), "x == 0".to_string());
    for i in 0..800 {
        left = format!("(({left}) && (x != {i}))");
        right = format!("((x != {i}) || ({right}))");
    }
    accepts(&format!("int x; int main(void) {{ if ({left}) return 1; return {right}; }}"));
    let blocks = format!("int main(void) {} int x; x = 1; {} ", "{ ".repeat(400), "} ".repeat(400));
    accepts(&blocks);
}

#[test]
fn regrouping_keeps_the_meaning() {
    // Each group is wrapped deeply enough for the pass to run, and the constants must not change.
    let wrap = |inner: &str| format!("{}{inner}{}", "(".repeat(250), ")".repeat(250));
    let same = |expression: &str, value: i32| {
        let deep = wrap("1");
        accepts(&format!("_Static_assert((({expression}) == {value}) && {deep}, \"\");"));
    };
    same("(1 || 0) && 0", 0);
    same("1 || (0 && 0)", 1);
    same("0 == (0 == 1)", 1);
    same("(2 == 2) == 1", 1);
    same("3 > (2 > 1)", 1);
    same("!(0 && 0)", 1);
    same("(1 < 2) + (1 < 2)", 2);
    same("sizeof(int) * (1 == 1)", 4);
    accepts(&format!("int f(int); int main(void) {{ int a; return f((a = 1, a == 1)) + {} + (int)-(a == 1); }}", wrap("a")));
    accepts(&format!("struct __attribute__((aligned(8))) s {{ int x; }}; int y = {};", wrap("1")));
}

#[test]
fn endless_nesting_is_an_error_and_not_a_crash() {
    for (open, close) in [("(", ")"), ("{", "}"), ("!", ""), ("-", ""), ("*", ""), ("if (x) ", ";"), ("x[", "]")] {
        let text = format!("int x; int main(void) {{ {} 1 {}; }}", open.repeat(10_000), close.repeat(10_000));
        let message = check(&text);
        if open == "(" || open == "{" || open == "x[" {
            assert!(message.contains("nested more deeply"), "{open}: {message}");
        }
    }
    let sum = vec!["x"; 40_000].join(" + ");
    accepts(&format!("int x; int main(void) {{ return {sum}; }}"));
    let chain: String = (0..20_000).map(|i| format!("if (x == {i}) x = 1; else ")).collect();
    accepts(&format!("int x; int main(void) {{ {chain} x = 2; return 0; }}"));
}

#[test]
fn headers_of_the_system_are_read() {
    if !Path::new("/usr/include/stdlib.h").exists() {
        return;
    }
    let text = "#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n#include <assert.h>\n#include <limits.h>\n\
                #include <stdbool.h>\n#include <stdint.h>\n#include <math.h>\n#include <errno.h>\n#include <stdarg.h>\n\
                int main(void) { char *p = malloc(10); assert(p); strcpy(p, \"x\"); printf(\"%s %d\", p, INT_MAX); return 0; }\n";
    for model in [DataModel::Ilp32, DataModel::Lp64] {
        let mut sources = SourceMap::default();
        let unit = on_large_stack(|| read_text("t.c", text, &options(model), &mut sources)).and_then(|r| r);
        if let Err(FrontEndError::Rejected(messages)) = &unit {
            panic!("{}", messages[0].render(&sources));
        }
        assert!(unit.is_ok());
    }
}

#[test]
fn messages_have_a_place_and_a_caret() {
    let message = check("int main(void) {\n  int x = ;\n  return x;\n}\n");
    assert_eq!(message, "t.c:2:11: error: expected an expression, found `;`\n    2 |   int x = ;\n      |           ^");
    let message = check("int main(void) { return y + z; }");
    assert!(message.contains("t.c:1:25: error:") && message.contains("t.c:1:29: error:"), "{message}");
    assert!(check("foo_t x;").contains("t.c:1:1: error:"));
    assert!(check("int main(void) {").contains("end of file"));
    assert!(check("#include <no/such/header.h>\n").contains("t.c:1:"));
}

#[test]
fn several_errors_are_reported_in_the_order_of_their_places() {
    let messages = check("int f(int a) { return a + ; }\nint g(void) { int 3x; return 1; }\nint main(void) { return (1; }\n");
    let places: Vec<&str> = messages.lines().filter_map(|line| line.strip_prefix("t.c:")).collect();
    assert!(places.len() >= 3, "{messages}");
    assert!(places.windows(2).all(|pair| pair[0].split(':').next() <= pair[1].split(':').next()), "{messages}");
    let messages = check("int main(void) {\n  int x = y;\n  struct nothing s;\n  return z;\n}\n");
    assert_eq!(messages.matches("error:").count(), 3, "{messages}");
}

#[test]
fn a_paste_at_the_end_of_a_macro_is_an_error_with_a_place() {
    for text in ["#define X(a) a ##\nint x = X(1);\n", "#define X 1 ## /* c */\nint x = X;\n", "#define X ##\nint x = X;\n"] {
        let messages = check(text);
        assert!(messages.starts_with("t.c:1:") && messages.contains("`##` cannot appear at the end"), "{messages}");
        assert!(messages.contains("#define X"), "{messages}");
    }
    accepts("#if 0\n#define X 1 ##\n#endif\nint x;\n");
    // A backslash that joins the last line with nothing.
    accepts("int x;\n#pragma once \\\n");
    assert!(check("#d(a) #a a##1\\\n").contains("invalid preprocessing directive"));
}

#[test]
fn files_that_are_none_are_named() {
    let folder = std::env::temp_dir().join(format!("assay-adapter-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let read = |path: PathBuf| {
        let mut sources = SourceMap::default();
        let input = Input { path, options: options(DataModel::Ilp32) };
        on_large_stack(|| read_unit(&input, &mut sources)).and_then(|r| r)
    };
    assert!(matches!(read(folder.clone()), Err(FrontEndError::Directory { .. })));
    assert!(matches!(read(folder.join("none.c")), Err(FrontEndError::Unreadable { .. })));
    std::fs::write(folder.join("binary.c"), b"int x;\0\x01\x02").unwrap();
    assert!(matches!(read(folder.join("binary.c")), Err(FrontEndError::Binary { .. })));
    std::fs::create_dir_all(folder.join("inc")).unwrap();
    std::fs::write(folder.join("inc/own.h"), "int own(int);\n").unwrap();
    std::fs::write(folder.join("a.c"), "#include \"own.h\"\nint main(void) { return own(SIZE); }\n").unwrap();
    let database = r#"[{"directory": ".", "file": "a.c", "command": "cc -Iinc -DSIZE=3 -c a.c"}]"#;
    std::fs::write(folder.join("compile_commands.json"), database).unwrap();
    let inputs = read_compile_commands(&folder.join("compile_commands.json"), DataModel::Lp64).unwrap();
    let mut sources = SourceMap::default();
    assert!(on_large_stack(|| read_unit(&inputs[0], &mut sources)).unwrap().is_ok());
    std::fs::remove_dir_all(&folder).unwrap();
}
