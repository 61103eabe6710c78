//! Instructions of the compiled machine. An operand is a word of the frame, or with [`ABSOLUTE`] a global register or a
//! constant.

use assay_cfa::operation::Zone;
use assay_cfa::program::{EdgeId, FunctionId, LocationId, SourceId};
use assay_term::{Op, Round, Term};

pub(super) const ABSOLUTE: u32 = 1 << 31;

pub(super) type Operand = u32;
/// A place in the code.
pub(super) type Label = u32;

/// Words are cut to their widths, with zeros above.
#[derive(Clone, Copy, Debug)]
pub(super) enum Code {
    /// `width` is that of the result, `of` that of the operand; for `Extract` it is the lowest bit that is taken.
    Unary {
        op: Op,
        round: Round,
        of: u8,
        width: u8,
        to: Operand,
        a: Operand,
    },
    /// `width` is that of the result, `of` that of the first operand; for `Concat` it is that of the second.
    Binary {
        op: Op,
        of: u8,
        width: u8,
        to: Operand,
        a: Operand,
        b: Operand,
    },
    Choose {
        to: Operand,
        condition: Operand,
        then: Operand,
        otherwise: Operand,
    },
    Move {
        to: Operand,
        from: Operand,
    },
    /// A term with parts that are wider than a word, evaluated as it is.
    Slow {
        to: Operand,
        term: Term,
    },
    Jump {
        to: Label,
    },
    JumpIf {
        condition: Operand,
        is: bool,
        to: Label,
    },
    JumpEq {
        a: Operand,
        b: Operand,
        is: bool,
        to: Label,
    },
    JumpLess {
        a: Operand,
        b: Operand,
        is: bool,
        to: Label,
    },
    JumpSignedLess {
        a: Operand,
        b: Operand,
        is: bool,
        width: u8,
        to: Label,
    },
    /// One of several paths was taken.
    Cover {
        edge: EdgeId,
    },
    Input {
        to: Operand,
        source: SourceId,
        width: u8,
    },
    Load {
        to: Operand,
        address: Operand,
        bytes: u8,
    },
    Store {
        address: Operand,
        value: Operand,
        bytes: u8,
    },
    Copy {
        destination: Operand,
        source: Operand,
        size: Operand,
    },
    Fill {
        destination: Operand,
        byte: Operand,
        size: Operand,
    },
    Allocate {
        to: Operand,
        size: Operand,
        zone: Zone,
    },
    Free {
        address: Operand,
    },
    /// An object of the frame at this place of it.
    Begin {
        to: Operand,
        at: u32,
        size: u32,
    },
    BeginSized {
        to: Operand,
        size: Operand,
    },
    End {
        object: Operand,
        size: u32,
    },
    JumpAccessible {
        address: Operand,
        size: Operand,
        write: bool,
        is: bool,
        to: Label,
    },
    JumpFreeable {
        address: Operand,
        is: bool,
        to: Label,
    },
    JumpNothingAllocated {
        is: bool,
        to: Label,
    },
    /// Arguments are `first..first + count` of the list of arguments.
    Call {
        callee: FunctionId,
        first: u32,
        count: u32,
        result: Operand,
    },
    Return,
    Target {
        location: LocationId,
    },
    /// The path ends: an assumption is false.
    Halt,
    Undefined,
    Unsupported,
}

/// The result of a call that nothing takes.
pub(super) const NOWHERE: Operand = u32::MAX;
