//! How long constructors take: `cargo run --release -p assay-term --example construct`, or under callgrind with
//! a count as argument for numbers that do not depend on the machine's load.

use assay_term::{Op, Sort, Term, Terms};
use std::time::Instant;

/// What C programs do all the time: counters, array addresses, comparisons of promoted values, flags.
fn mix_of_c(terms: &Terms, count: u32, first: u32) -> Term {
    let x = terms.named("x", Sort::bv(32));
    let y = terms.named("y", Sort::bv(32));
    let byte = terms.named("byte", Sort::bv(8));
    let base = terms.named("base", Sort::bv(64));
    let zero = terms.number(32, 0);
    let mut condition = terms.true_();
    for i in first..first + count {
        let k = terms.number(32, i as u128);
        let next = terms.add(x, k);
        let less = terms.slt(next, y);
        let flag = terms.zero_extend(less, 32);
        let taken = terms.ne(flag, zero);
        let index = terms.mul(terms.sign_extend(next, 64), terms.number(64, 4));
        let address = terms.add(base, index);
        let low = terms.extract(address, 31, 0);
        let promoted = terms.add(terms.sign_extend(byte, 32), k);
        let cut = terms.extract(promoted, 7, 0);
        let other = terms.ult(terms.xor(low, next), terms.zero_extend(cut, 32));
        let choice = terms.ite(taken, next, y);
        let test = terms.eq(choice, terms.binary(Op::UnsignedRem, k, next));
        let both = terms.and(terms.not(other), test);
        condition = if i % 64 == 0 { both } else { terms.and(condition, both) };
    }
    condition
}

fn main() {
    let count = std::env::args().nth(1).and_then(|a| a.parse().ok()).unwrap_or(100_000);
    let constructors = 20.0;
    let terms = Terms::new();
    let start = Instant::now();
    mix_of_c(&terms, count, 0);
    let new = start.elapsed();
    let start = Instant::now();
    mix_of_c(&terms, count, 0);
    let found = start.elapsed();
    let each = |time: std::time::Duration| time.as_nanos() as f64 / count as f64 / constructors;
    println!("{} terms; new {:.0} ns, found again {:.0} ns a constructor", terms.len(), each(new), each(found));
}
