//! Turns a program with threads into one with a single thread that has the same behaviours: all interleavings under
//! sequential consistency. Analyses, replays and evidence then need to know nothing of threads.
//!
//! 1. [`code`] copies, for each thread that may run, its function with all that it calls. What is started in a loop of
//!    unknown length gets a few copies; beyond them lies an unsupported construct, so that no proof forgets them.
//! 2. [`points`] finds where pointers lead, [`access`] which steps of different threads may meet at one place in memory
//!    without a lock that both hold. Only there can it matter who goes first.
//! 3. [`schedule`] lets a thread give way before such steps, where it may wait, and before it may stop or run for ever.
//!    An input says who goes on. A thread that gave way is told by a register that holds where it is.
//! 4. [`registers`] keeps variables whose address nothing takes in registers again.
//!
//! *Why no behaviour is lost.* A step that meets no other is a mover: it can be exchanged with the steps of other
//! threads beside it. Locks are taken by movers to the right and given back by movers to the left (Lipton), so that
//! between two places at which a thread may give way there is at most one step that is no mover. Where a step meets
//! none that the others can still take, it is taken at once: it is a persistent set of one step. Each cycle of a thread
//! has a place at which it may give way in any case, so that nothing is forgotten.

mod access;
mod code;
mod points;
mod registers;
mod schedule;

use access::Accesses;
use assay_base::{Assumption, AssumptionClass, Span};
use assay_cfa::operation::Operation;
use assay_cfa::program::{Program, VarId};
use assay_cfa::property::Target;
use code::{Code, TooLarge};
use points::Points;

/// The program of one thread. A program that starts no threads stays as it is.
/// `thread_local` are the globals of which each thread has its own.
pub fn sequentialise(mut program: Program, thread_local: &[VarId]) -> Program {
    if !program.edges.iter().any(|edge| matches!(edge.operation, Operation::Thread(_))) {
        return program;
    }
    let text = "threads interleave as under sequential consistency";
    program.assumptions.push(Assumption { class: AssumptionClass::Rules, span: Span::NONE, fact: text.into() });
    match interleave(&program, thread_local) {
        Ok(sequential) => assay_passes::unreachable::remove_unreachable(sequential),
        Err(TooLarge(what)) => without_threads(program, &what),
    }
}

fn interleave(program: &Program, thread_local: &[VarId]) -> Result<Program, TooLarge> {
    let mut code = Code::new(program, thread_local)?;
    let points = Points::of(&code);
    let accesses = Accesses::of(&code, &points);
    if let Some(place) = accesses.uneven {
        let step = code.places[place].outgoing.first().or(code.places[place].incoming.first());
        let line = step.map_or_else(String::new, |&step| format!(" at {}", program.sources.describe(code.steps[step].span)));
        return Err(TooLarge(format!("an atomic section that begins on one path and not on another{line}")));
    }
    let races = program.questions.contains(Target::DataRace);
    if races {
        code.note_callbacks(program);
        let only = program.questions.iter().all(|target| target == Target::DataRace);
        let open = code.steps.iter().any(|step| matches!(step.operation, Operation::Unsupported { .. }));
        if only && !open && !accesses.may_race() {
            return Ok(code.without_races(program));
        }
    }
    schedule::schedule(&mut code, &points, &accesses, races);
    registers::promote(&mut code);
    Ok(code.finish())
}

/// Every operation of threads is one that is not supported.
fn without_threads(mut program: Program, what: &str) -> Program {
    for edge in program.edges.iter_mut() {
        if matches!(edge.operation, Operation::Thread(_)) {
            edge.operation = Operation::Unsupported { what: what.to_string() };
        }
    }
    program
}

#[cfg(test)]
mod tests;
