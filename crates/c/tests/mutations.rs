//! Mutated and cut programs must give a verdict of the front end, never a panic, a hang or a stack
//! overflow. `ASSAY_MUTATIONS` sets how many inputs are tried.

use assay_c::{Options, compile_text};
use assay_cfa::DataModel;

const SEEDS: [&str; 6] = [
    "extern int nondet(void); int g = 3; int f(int a) { return a ? f(a - 1) + g : 0; }\nint main(void) { int i; for (i = 0; i < 10; i++) { if (f(i) == 7) goto out; } out: return i; }",
    "struct s { int a : 3; unsigned b : 9; struct s *next; union { float f; char c[4]; } u; };\nstruct s t = { .a = 1, .u.c = \"abc\" }; int main(void) { struct s *p = &t; p->next->b += p->u.c[2]; return (*p).a; }",
    "typedef unsigned long size_t; void *malloc(size_t); int (*fp)(int, ...); enum e { A, B = 4, C };\nint main(int c, char **v) { int (*m)[3] = malloc(sizeof *m * c); switch (c) { case A ... C: m[1][2] = 'x'; default: ; } return fp(m[0][0], 1.5e3f, \"s\\n\"); }",
    "#define X(a) #a a##1\n#if defined(X) && 1\nint x1 = sizeof(X(x));\n#else\n#error no\n#endif\nint main(void) { return ({ int y = x1; y; }); }",
    "int f(a, b) int a; char *b; { static int n; do { n += *b++; } while (a-- > 0 && !(n & 1) || n ^ 3); return n >> 2 << 1; }",
    "_Static_assert(sizeof(int) == 4, \"int\"); __attribute__((noreturn)) void stop(void); int main(void) { __asm__(\"nop\" ::: \"memory\"); void *l = &&a; goto *l; a: return _Generic(1, int: 2, default: 3); }",
];

struct Random(u64);

impl Random {
    fn next(&mut self, below: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % below.max(1) as u64) as usize
    }
}

const PIECES: [&str; 24] = [
    "(", ")", "{", "}", "[", "]", ";", ",", "*", "&", "int ", "struct ", "0x", "1e", "\"", "'", "#", "...", "?", ":", "return ", "sizeof",
    "\\", "/*",
];

fn mutate(random: &mut Random) -> String {
    let mut text: Vec<u8> = SEEDS[random.next(SEEDS.len())].bytes().collect();
    for _ in 0..=random.next(6) {
        let at = random.next(text.len());
        let end = (at + random.next(20)).min(text.len());
        match random.next(5) {
            0 => text.truncate(at),
            1 => drop(text.drain(at..end)),
            2 => drop(text.splice(at..at, PIECES[random.next(PIECES.len())].bytes())),
            3 => {
                let copy = text[at..end].to_vec();
                let to = random.next(text.len());
                drop(text.splice(to..to, copy));
            }
            _ => {
                if let Some(byte) = text.get_mut(at) {
                    *byte = 32 + random.next(95) as u8;
                }
            }
        }
    }
    String::from_utf8_lossy(&text).into_owned()
}

#[test]
fn mutated_programs_are_accepted_or_rejected() {
    let count = std::env::var("ASSAY_MUTATIONS").ok().and_then(|n| n.parse().ok()).unwrap_or(500);
    let mut random = Random(0x5EED_CAFE);
    let options = Options::new(DataModel::Lp64);
    let (mut accepted, mut rejected) = (0, 0);
    let start = std::time::Instant::now();
    let mut slowest = std::time::Duration::ZERO;
    for _ in 0..count {
        let text = mutate(&mut random);
        let begin = std::time::Instant::now();
        match compile_text("m.c", &text, &options) {
            Ok(program) => {
                let defects = assay_cfa::verifier::verify(&program);
                assert!(defects.is_empty(), "{}\n{text}", defects[0]);
                accepted += 1;
            }
            Err(error) => {
                assert!(!error.diagnostics.is_empty(), "rejected without a message: {text}");
                let message = &error.diagnostics[0].message;
                assert!(!message.starts_with("the front end failed"), "{message}\n{text}");
                rejected += 1;
            }
        }
        slowest = slowest.max(begin.elapsed());
    }
    assert_eq!(accepted + rejected, count);
    println!("{accepted} accepted, {rejected} rejected, the slowest took {slowest:?}, all took {:?}", start.elapsed());
    assert!(slowest < std::time::Duration::from_secs(20), "an input took {slowest:?}");
}
