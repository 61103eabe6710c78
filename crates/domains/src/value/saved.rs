//! Precisions that a later run on a changed program begins with. Variables are named; an edge is one that does the same
//! in a function of the same name, the n-th of these.

use super::{Unit, ValuePrecision};
use assay_base::{ByteReader, ByteWriter, FastMap};
use assay_cfa::portable::Names;
use assay_cfa::{EdgeId, FunctionId, Program, VarId};
use assay_cpa::{PrecisionPlace, PrecisionScope};
use assay_semantics::state::ObjectName;
use assay_term::Terms;

/// The texts of edges, each function's made once.
struct Texts<'n> {
    terms: &'n Terms,
    names: &'n Names<'n>,
    texts: FastMap<FunctionId, Vec<String>>,
}

/// Writes what is tracked everywhere or in a function. What is tracked at single locations is left out: they have no
/// names.
pub(super) fn write(terms: &Terms, precision: &ValuePrecision, names: &Names<'_>, out: &mut ByteWriter) -> Option<()> {
    if precision.everything {
        return None;
    }
    let mut texts = Texts { terms, names, texts: FastMap::default() };
    let mut items: Vec<Vec<u8>> = Vec::new();
    for (place, unit) in precision.places() {
        let mut item = ByteWriter::default();
        item.text(match place {
            PrecisionPlace::Everywhere => "",
            PrecisionPlace::Function(function) => &names.program.functions[function].name,
            PrecisionPlace::Location(_) => continue,
        });
        if texts.write_unit(unit, &mut item).is_some() {
            items.push(item.bytes);
        }
    }
    items.sort();
    out.number(items.len() as u64);
    items.iter().for_each(|item| out.data(item));
    Some(())
}

/// What of it this program has, and what that is in words.
pub(super) fn read(terms: &Terms, names: &Names<'_>, from: &mut ByteReader<'_>) -> Option<(ValuePrecision, Vec<String>)> {
    let mut texts = Texts { terms, names, texts: FastMap::default() };
    let (mut precision, mut tracked) = (ValuePrecision::empty(), Vec::new());
    for _ in 0..from.number()? {
        let mut item = ByteReader::new(from.data()?);
        if let Some((function, unit)) = texts.read_item(&mut item) {
            let scope = if function.is_some() { PrecisionScope::Function } else { PrecisionScope::Global };
            let function = function.unwrap_or(names.program.entry);
            precision.track(names.program, names.program.functions[function].entry, scope, &unit);
            tracked.extend(describe(names.program, &unit));
        }
    }
    from.is_at_end().then_some((precision, tracked))
}

/// What is tracked, for the user.
fn describe(program: &Program, unit: &Unit) -> Option<String> {
    let name = |variable: VarId| program.variables[variable].name.as_str();
    let place = |edge: EdgeId| program.sources.describe(program.edges[edge].span);
    Some(match *unit {
        Unit::Register(variable) | Unit::Cell(ObjectName::Variable(variable), 0) => name(variable).to_string(),
        Unit::Cell(ObjectName::Variable(variable), offset) => format!("byte {offset} of {}", name(variable)),
        Unit::Cell(ObjectName::Site(edge), offset) => format!("byte {offset} of what is allocated at {}", place(edge)),
        Unit::Constraint(edge) => format!("the condition at {}", place(edge)),
        Unit::ConstraintsOver(variable) => format!("conditions over {}", name(variable)),
        Unit::Cell(..) | Unit::ConstraintsAt(_) => return None,
    })
}

impl Texts<'_> {
    fn read_item(&mut self, from: &mut ByteReader<'_>) -> Option<(Option<FunctionId>, Unit)> {
        let names = self.names;
        let function = match from.text()? {
            "" => None,
            name => Some(names.function(name)?),
        };
        let unit = match from.number()? {
            0 => Unit::Register(names.variable(from.text()?)?),
            1 => Unit::Cell(ObjectName::Variable(names.variable(from.text()?)?), from.number()?),
            2 => Unit::Cell(ObjectName::Site(self.read_edge(from)?), from.number()?),
            3 => Unit::Constraint(self.read_edge(from)?),
            4 => Unit::ConstraintsOver(names.variable(from.text()?)?),
            _ => return None,
        };
        from.is_at_end().then_some((function, unit))
    }

    fn write_unit(&mut self, unit: &Unit, out: &mut ByteWriter) -> Option<()> {
        let names = self.names;
        let name = |variable: VarId| names.program.variables[variable].name.as_str();
        match *unit {
            Unit::Register(variable) => {
                out.number(0);
                out.text(name(variable));
            }
            Unit::Cell(ObjectName::Variable(variable), offset) => {
                out.number(1);
                out.text(name(variable));
                out.number(offset);
            }
            Unit::Cell(ObjectName::Site(edge), offset) => {
                out.number(2);
                self.write_edge(edge, out)?;
                out.number(offset);
            }
            Unit::Constraint(edge) => {
                out.number(3);
                self.write_edge(edge, out)?;
            }
            Unit::ConstraintsOver(variable) => {
                out.number(4);
                out.text(name(variable));
            }
            Unit::Cell(..) | Unit::ConstraintsAt(_) => return None,
        }
        Some(())
    }

    fn of(&mut self, function: FunctionId) -> &[String] {
        let (names, terms) = (self.names, self.terms);
        let text = |&edge: &EdgeId| names.edge_text(terms, edge);
        self.texts.entry(function).or_insert_with(|| names.edges_of(function).iter().map(text).collect())
    }

    fn write_edge(&mut self, edge: EdgeId, out: &mut ByteWriter) -> Option<()> {
        let program = self.names.program;
        let function = program.locations[program.edges[edge].source].function;
        let place = self.names.edge_name(edge).1 as usize;
        let texts = self.of(function);
        let text = texts.get(place)?;
        out.text(&program.functions[function].name);
        out.text(text);
        out.number(texts[..place].iter().filter(|other| *other == text).count() as u64);
        Some(())
    }

    fn read_edge(&mut self, from: &mut ByteReader<'_>) -> Option<EdgeId> {
        let (function, text) = (self.names.function(from.text()?)?, from.text()?);
        let number = from.small()? as usize;
        let mut same = self.of(function).iter().enumerate().filter(|(_, other)| *other == text);
        let (place, _) = same.nth(number)?;
        self.names.edges_of(function).get(place).copied()
    }
}
