//! Operations as a reader of C would write them; for labels, not to be read back.

use crate::operation::{MemoryCondition, Operation};
use crate::program::{Program, VarId};
use assay_term::{Node, Op, SymbolId, Term, Terms};

/// One operation in C's manner. Where signs matter the operator says so: `<u` and `/u` are unsigned, `<` and `/`
/// signed.
pub fn operation(program: &Program, terms: &Terms, operation: &Operation) -> String {
    let show = |term: &Term| infix(program, terms, *term);
    let name = |variable: &VarId| variable_name(program, *variable);
    match operation {
        Operation::Skip => String::new(),
        Operation::Assume { condition } => format!("[{}]", show(condition)),
        Operation::Assign { target, value } => format!("{} = {}", name(target), show(value)),
        Operation::Havoc { target, source } => format!("{} = {}()", name(target), program.value_sources[*source].name),
        Operation::Load { target, address } => format!("{} = *({})", name(target), show(address)),
        Operation::Store { address, value } => format!("*({}) = {}", show(address), show(value)),
        Operation::Copy { destination, source, size } => format!("copy({}, {}, {})", show(destination), show(source), show(size)),
        Operation::Fill { destination, byte, size } => format!("fill({}, {}, {})", show(destination), show(byte), show(size)),
        Operation::HavocMemory { address, size, source } => {
            format!("havoc({}, {}) from {}", show(address), show(size), program.value_sources[*source].name)
        }
        Operation::Allocate { target, size, zone, zeroed } => {
            let zeroed = if *zeroed { "zeroed " } else { "" };
            format!("{} = allocate({}) {zeroed}{zone:?}", name(target), show(size))
        }
        Operation::Free { address } => format!("free({})", show(address)),
        Operation::Declare { object, size: None } => format!("declare {}", name(object)),
        Operation::Declare { object, size: Some(size) } => format!("declare {}[{} bytes]", name(object), show(size)),
        Operation::EndLife { object } => format!("end of {}", name(object)),
        Operation::Call { callee, arguments, result } => {
            let arguments: Vec<String> = arguments.iter().map(show).collect();
            let call = format!("{}({})", program.functions[*callee].name, arguments.join(", "));
            result.as_ref().map_or(call.clone(), |result| format!("{} = {call}", name(result)))
        }
        Operation::Check { kind, fails } => format!("check {kind:?}: not {}", show(fails)),
        Operation::AssumeMemory { condition, holds } => {
            let condition = match condition {
                MemoryCondition::Accessible { address, size, write } => {
                    format!("{}({}, {})", if *write { "writable" } else { "accessible" }, show(address), show(size))
                }
                MemoryCondition::Initialised { address, size } => format!("initialised({}, {})", show(address), show(size)),
                MemoryCondition::Freeable { address } => format!("freeable({})", show(address)),
                MemoryCondition::AllReachable => "all reachable".to_string(),
                MemoryCondition::NothingAllocated => "nothing allocated".to_string(),
            };
            format!("[{}{condition}]", if *holds { "" } else { "not " })
        }
        Operation::Thread(operation) => {
            let terms: Vec<String> = operation.terms().iter().map(show).collect();
            let call = format!("{}({})", operation.word(), terms.join(", "));
            operation.written_register().as_ref().map_or(call.clone(), |target| format!("{} = {call}", name(target)))
        }
        Operation::Unsupported { what } => format!("unsupported: {what}"),
    }
}

/// The name in the source, or the unique one of a temporary without its function.
fn variable_name(program: &Program, variable: VarId) -> String {
    let variable = &program.variables[variable];
    if variable.source_name.is_empty() {
        variable.name.rsplit("::").next().unwrap_or_default().to_string()
    } else {
        variable.source_name.clone()
    }
}

fn symbol_name(program: &Program, terms: &Terms, symbol: SymbolId) -> String {
    match (program.variable_of(symbol), program.function_of(symbol)) {
        (Some(variable), _) => variable_name(program, variable),
        (None, Some(function)) => program.functions[function].name.clone(),
        (None, None) => terms.symbol_name(symbol).to_string(),
    }
}

enum Piece {
    Term(Term),
    Text(String),
}

/// Beyond this many characters a label is of no use; it also bounds the work for terms that share much.
const LONGEST: usize = 2000;

/// A term in C's manner, fully bracketed.
pub fn infix(program: &Program, terms: &Terms, root: Term) -> String {
    let mut out = String::new();
    let mut stack = vec![Piece::Term(root)];
    while let Some(piece) = stack.pop() {
        if out.len() > LONGEST {
            out.push('…');
            break;
        }
        match piece {
            Piece::Text(text) => out.push_str(&text),
            Piece::Term(term) => {
                let mut pieces = pieces(program, terms, &terms.node(term));
                pieces.reverse();
                stack.extend(pieces);
            }
        }
    }
    out
}

fn pieces(program: &Program, terms: &Terms, node: &Node) -> Vec<Piece> {
    let text = |text: &str| Piece::Text(text.to_string());
    let operand = |index: usize| Piece::Term(node.operand(index));
    let infix = |sign: &str| vec![text("("), operand(0), Piece::Text(format!(" {sign} ")), operand(1), text(")")];
    let call = |name: String| {
        let mut list = vec![Piece::Text(format!("{name}("))];
        for (index, child) in terms.children(node).into_iter().enumerate() {
            list.extend((index > 0).then(|| text(", ")));
            list.push(Piece::Term(child));
        }
        list.push(text(")"));
        list
    };
    match node.op {
        Op::Const => vec![Piece::Text(number(node))],
        Op::Symbol => vec![Piece::Text(symbol_name(program, terms, node.symbol()))],
        Op::Address => vec![Piece::Text(format!("&{}", symbol_name(program, terms, node.symbol())))],
        Op::Apply => call(terms.symbol_name(node.symbol()).to_string()),
        Op::Not => {
            let inner = terms.node(node.operand(0));
            match (node.width(), inner.op) {
                (1, Op::Eq) => vec![text("("), Piece::Term(inner.operand(0)), text(" != "), Piece::Term(inner.operand(1)), text(")")],
                (1, Op::SignedLess) => {
                    vec![text("("), Piece::Term(inner.operand(0)), text(" >= "), Piece::Term(inner.operand(1)), text(")")]
                }
                (1, Op::UnsignedLess) => {
                    vec![text("("), Piece::Term(inner.operand(0)), text(" >=u "), Piece::Term(inner.operand(1)), text(")")]
                }
                (1, _) => vec![text("!"), operand(0)],
                _ => vec![text("~"), operand(0)],
            }
        }
        Op::Neg => vec![text("-"), operand(0)],
        Op::And if node.width() == 1 => infix("&&"),
        Op::Or if node.width() == 1 => infix("||"),
        Op::And => infix("&"),
        Op::Or => infix("|"),
        Op::Xor => infix("^"),
        Op::Add => infix("+"),
        Op::Mul => infix("*"),
        Op::UnsignedDiv => infix("/u"),
        Op::SignedDiv => infix("/"),
        Op::UnsignedRem => infix("%u"),
        Op::SignedRem => infix("%"),
        Op::ShiftLeft => infix("<<"),
        Op::ShiftRight => infix(">>u"),
        Op::ShiftRightSigned => infix(">>"),
        Op::Eq => infix("=="),
        Op::UnsignedLess => infix("<u"),
        Op::SignedLess => infix("<"),
        Op::FAdd => infix("+."),
        Op::FSub => infix("-."),
        Op::FMul => infix("*."),
        Op::FDiv => infix("/."),
        Op::FEq => infix("==."),
        Op::FLess => infix("<."),
        Op::FLessEq => infix("<=."),
        Op::Concat => infix("++"),
        Op::Extract => vec![operand(0), Piece::Text(format!("[{}:{}]", node.high(), node.low()))],
        Op::ZeroExtend => vec![Piece::Text(format!("(u{})", node.width())), operand(0)],
        Op::SignExtend => vec![Piece::Text(format!("(i{})", node.width())), operand(0)],
        Op::Ite => vec![text("("), operand(0), text(" ? "), operand(1), text(" : "), operand(2), text(")")],
        op => call(format!("{op:?}").to_lowercase()),
    }
}

/// Numbers that look like small negative ones are shown as such.
fn number(node: &Node) -> String {
    let bits = assay_term::Bits::new(node.width().min(128), node.constant());
    if node.width() > 8 && (-65536..0).contains(&bits.signed()) { bits.signed().to_string() } else { bits.value().to_string() }
}
