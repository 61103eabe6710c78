//! Formatted input and output. What a format that is known asks for is checked and written; texts are computed by
//! models in C where they know every conversion of the format, and are any texts elsewhere.

use super::Entity;
use super::body::{Body, Value, Wanted};
use super::call::Argument;
use super::facts::direct_callee;
use crate::adapter::Unit;
use crate::models::{Direction, Format, Library, Model};
use assay_base::AssumptionClass;
use assay_cfa::{CType, Operation, ValueSourceKind, VarId};
use assay_term::Term;
use rucc_ast::BinaryOp;
use rucc_base::Idx;
use rucc_sema::{Const, ExprId, ExprKind};
use rucc_types::{TypeId, TypeKind};

/// The models in C that read what a format asks for.
pub(super) const PRINTED: &str = "__assay_printed";
pub(super) const PRINTED_LIST: &str = "__assay_printed_list";

/// Whether a file prints by a format that is no literal, or values of a list.
pub(crate) fn prints_computed(unit: &Unit, library: &Library) -> bool {
    (0..unit.tast.counts().exprs).any(|number| {
        let id: ExprId = Idx::from_usize(number);
        let ExprKind::Call { callee, args } = unit.tast[id].kind else { return false };
        let Some(name) = direct_callee(unit, callee).and_then(|id| unit.tast[id].name) else { return false };
        match library.entry(unit.text(name)).and_then(|entry| entry.model) {
            Some(Model::Formatted(format)) if format.direction != Direction::Scan => {
                let text = unit.tast[args].get(format.place);
                format.listed || text.is_some_and(|&text| !is_literal(unit, text))
            }
            _ => false,
        }
    })
}

/// Whether an argument is a string literal, so far as is seen at once.
fn is_literal(unit: &Unit, expr: ExprId) -> bool {
    match unit.tast[expr].kind {
        ExprKind::Str(_) => true,
        ExprKind::Convert { operand, .. } | ExprKind::Cast(operand) => is_literal(unit, operand),
        _ => false,
    }
}

impl Body<'_, '_> {
    pub(super) fn formatted(
        &mut self,
        format: &Format,
        name: &str,
        arguments: &[Argument],
        ty: TypeId,
        target: Option<VarId>,
        wanted: Wanted,
    ) -> Value {
        let text = self.format_text(format, arguments);
        if format.direction == Direction::Scan {
            if format.listed {
                self.unsupported(format!("{name}, whose effects are not modelled"));
                return self.unknown_result(ty, target, ValueSourceKind::Approximation, name);
            }
            if text.as_deref().is_some_and(has_count) {
                self.unsupported(format!("{name} with %n"));
            }
            return self.scan(format, text.as_deref(), name, arguments, ty, wanted);
        }
        if text.as_deref().is_some_and(has_count) {
            self.unsupported(format!("{name} with %n"));
        }
        self.only_for_accesses(|body| body.check_printed(format, text.as_deref(), name, arguments, ty));
        if format.direction == Direction::PrintInto {
            return self.print_into(format, name, arguments, ty);
        }
        let class = self.unit.class(ty);
        let Some(width) = class.width(self.pointer_width()).filter(|_| wanted != Wanted::Nothing && format.has_result) else {
            return self.zero(class);
        };
        let failed = self.unknown(1, CType::Bool, ValueSourceKind::System, name);
        let count = match text.filter(|text| !text.contains('%')) {
            Some(text) => self.terms().number(width, text.split('\0').next().map_or(0, |text| text.chars().count()) as u128),
            None => {
                let count = self.approximation(width - 1, name);
                self.terms().zero_extend(count, width)
            }
        };
        let minus = self.terms().number(width, u128::MAX);
        Value::Scalar(self.terms().ite(failed, minus, count))
    }

    fn format_text(&self, format: &Format, arguments: &[Argument]) -> Option<String> {
        arguments.get(format.place).and_then(|argument| argument.expr).and_then(|expr| self.literal_text(expr))
    }

    /// Whether the model in C knows every conversion of the format of a call.
    pub(super) fn is_computed(&self, format: &Format, arguments: &[Argument]) -> bool {
        let Some(text) = self.format_text(format, arguments) else { return false };
        let known = match format.direction {
            Direction::Scan => "diuxXosc[n",
            _ => "diuxXosc",
        };
        // The next argument of a conversion must be there, and of a size that the model takes it for.
        conversions(&text).is_some_and(|list| list.iter().all(|c| known.contains(c.letter) && !(c.wide && "sc[".contains(c.letter))))
    }

    /// Has a model in C read what a format asks for that is computed, or whose values are in a list; whether there is
    /// one.
    fn print_by_model(&mut self, format: &Format, name: &str, arguments: &[Argument], ty: TypeId) -> bool {
        // Wide formats are not read.
        if name.contains("wprintf") {
            return false;
        }
        let name = if format.listed { PRINTED_LIST } else { PRINTED };
        let Some(global) = self.l.links.find(name) else { return false };
        let (Some(Entity::Function(index)), Some(text)) = (self.l.entity(global.unit, global.id()), arguments.get(format.place)) else {
            return false;
        };
        // Some functions have a parameter between the format and the list.
        let mut passed = vec![*text];
        passed.extend(arguments.iter().skip(format.place + 1));
        let close = self.span;
        self.known_call(index, &passed, ty, None, close);
        true
    }

    /// The strings that are printed are read.
    fn check_printed(&mut self, format: &Format, text: Option<&str>, name: &str, arguments: &[Argument], ty: TypeId) {
        let Some(text) = text else {
            if format.place < arguments.len() {
                let address = self.word_argument(arguments, format.place);
                self.check_string(address, None);
            }
            let unseen = format.listed || arguments.iter().skip(format.place + 1).any(|argument| argument.class == super::Class::Pointer);
            if unseen && !self.print_by_model(format, name, arguments, ty) {
                self.unsupported(format!("{name} with a format that is computed, by which memory is read"));
            }
            return;
        };
        let Some(list) = conversions(text) else { return };
        if format.listed && list.iter().any(|conversion| conversion.letter == 's') && self.print_by_model(format, name, arguments, ty) {
            return;
        }
        let mut next = format.place + 1;
        for conversion in list {
            next += usize::from(conversion.star_width);
            let mut bound = conversion.precision.map(|count| self.word(count));
            if conversion.star_precision {
                let count = self.word_argument(arguments, next);
                bound = Some(count);
                next += 1;
            }
            if conversion.letter == 's' && !conversion.wide {
                if format.listed {
                    self.unsupported(format!("{name} of strings in a list of arguments"));
                } else if arguments.get(next).is_some_and(|a| a.expr.is_none_or(|expr| self.literal_text(expr).is_none())) {
                    let address = self.word_argument(arguments, next);
                    self.check_string(address, bound);
                }
            }
            next += usize::from(conversion.letter != 'm');
        }
    }

    /// What `scanf` reads goes where the pointers lead: characters as many as the format says, other values in the size
    /// of what they point to. It stops at the first value that is not there.
    fn scan(&mut self, format: &Format, text: Option<&str>, name: &str, arguments: &[Argument], ty: TypeId, wanted: Wanted) -> Value {
        let first = format.place + 1;
        // The text in memory determines the values, though nobody computes them here.
        let kind = if format.from_memory { ValueSourceKind::Approximation } else { ValueSourceKind::System };
        if format.from_memory {
            self.note(AssumptionClass::Over, format!("{name} finds values that are not computed"));
            let text = self.word_argument(arguments, 0);
            self.only_for_accesses(|body| body.check_string(text, None));
        }
        let sizes = text.map(scanned_sizes);
        let class = self.unit.class(ty);
        let result = class.width(self.pointer_width()).filter(|_| wanted != Wanted::Nothing).map(|width| {
            let ctype = self.unit.ctype(ty);
            (self.temporary(width, ctype), width)
        });
        let mut stopped = Vec::new();
        let mut count = 0;
        for (number, argument) in arguments.iter().skip(first).enumerate() {
            let Value::Scalar(address) = argument.value else { continue };
            if let Some((result, width)) = result {
                let there = self.unknown(1, CType::Bool, kind, name);
                let (yes, no) = self.split(there, None);
                self.ends = no;
                if count == 0 {
                    let source = self.source(kind, name);
                    self.emit(Operation::Havoc { target: result, source });
                    let terms = self.terms();
                    let (value, zero) = (self.read(result), terms.number(width, 0));
                    let condition = terms.or(terms.eq(value, zero), terms.eq(value, terms.number(width, u128::MAX)));
                    self.emit(Operation::Assume { condition });
                } else {
                    let so_far = self.terms().number(width, count);
                    self.assign(result, so_far);
                }
                stopped.append(&mut self.ends);
                self.ends = yes;
            }
            let declared = argument.expr.and_then(|expr| self.pointee_behind_casts(expr));
            let size = match sizes.as_ref().and_then(|sizes| sizes.get(number)) {
                Some(Scanned::Characters(count)) => Some(*count),
                Some(Scanned::Word(longest)) => {
                    self.scan_word(address, *longest, kind, name);
                    count += 1;
                    continue;
                }
                Some(Scanned::Value | Scanned::Narrow) => declared,
                Some(Scanned::Other) => None,
                None => declared.filter(|&size| size != 1),
            };
            count += 1;
            let Some(size) = size else {
                self.unsupported(format!("{name} with a conversion of unknown length"));
                continue;
            };
            let size = self.word(size);
            let is_narrow = matches!(sizes.as_ref().and_then(|sizes| sizes.get(number)), Some(Scanned::Narrow));
            let kind = if is_narrow { ValueSourceKind::Approximation } else { kind };
            let source = self.source(kind, name);
            self.emit(Operation::HavocMemory { address, size, source });
        }
        let Some((result, width)) = result else {
            if count > 0 {
                self.note(AssumptionClass::Rules, format!("{name} finds every value, where nobody looks at its result"));
            }
            return self.zero(class);
        };
        let all = self.terms().number(width, count);
        self.assign(result, all);
        self.ends.append(&mut stopped);
        Value::Scalar(self.read(result))
    }

    /// A word of any length up to the longest, with its end. The conversion says which characters it may have, and they
    /// are not looked at here.
    fn scan_word(&mut self, address: Term, longest: Option<u64>, kind: ValueSourceKind, name: &str) {
        let width = self.pointer_width();
        let ctype = CType::Integer { width: 24, signed: false, name: "unsigned long" };
        let length = self.unknown(24, ctype, kind, name);
        let one = self.word(1);
        let length = self.terms().add(self.terms().zero_extend(length, width), one);
        if let Some(longest) = longest {
            let longest = self.word(longest);
            let condition = self.terms().ule(length, longest);
            self.emit(Operation::Assume { condition });
        }
        let size = self.terms().add(length, one);
        let source = self.source(ValueSourceKind::Approximation, name);
        self.emit(Operation::HavocMemory { address, size, source });
        let (place, zero) = (self.terms().add(address, length), self.terms().number(8, 0));
        self.store(place, zero);
    }

    /// Whether an argument is an array with room for this many bytes.
    fn is_array_of(&self, argument: Option<&Argument>, bytes: Term) -> bool {
        let array = argument.and_then(|argument| argument.expr).map(|expr| self.unit.tast[strip_conversions(self.unit, expr)].ty);
        let size = array.filter(|&ty| matches!(self.unit.kind(ty), TypeKind::Array { .. })).and_then(|ty| self.unit.size_of(ty));
        let bytes = self.terms().as_constant(bytes).map(|bits| bits.value());
        size.zip(bytes).is_some_and(|(size, bytes)| bytes <= u128::from(size))
    }

    /// The text of a string literal argument.
    pub(super) fn literal_text(&self, expr: ExprId) -> Option<String> {
        match self.unit.tast[expr].kind {
            ExprKind::Str(id) => Some(super::facts::unit_string(self.unit, id)),
            ExprKind::Convert { operand, .. } | ExprKind::Cast(operand) => self.literal_text(operand),
            // A pointer into the literal: the rest of the text.
            ExprKind::Binary { op: BinaryOp::Add, lhs, rhs } => {
                let text = self.literal_text(lhs)?;
                let skipped = match self.unit.tast[strip_conversions(self.unit, rhs)].kind {
                    ExprKind::Const(id) => match self.unit.tast[id] {
                        Const::Int(count) => usize::try_from(count).ok()?,
                        _ => return None,
                    },
                    _ => return None,
                };
                text.get(skipped..).map(str::to_string)
            }
            _ => None,
        }
    }

    /// `sprintf` and `snprintf`: any text of any length within the size that is given.
    fn print_into(&mut self, format: &Format, name: &str, arguments: &[Argument], ty: TypeId) -> Value {
        if format.allocates {
            self.unsupported(format!("{name} with a format that is not computed"));
            return self.unknown_result(ty, None, ValueSourceKind::Approximation, name);
        }
        self.note(AssumptionClass::Over, format!("{name} writes text that is not computed"));
        let buffer = self.word_argument(arguments, 0);
        let bound = format.bound.map(|bound| self.word_argument(arguments, bound));
        let size = match bound {
            Some(bound) if self.is_array_of(arguments.first(), bound) => bound,
            // The text may be shorter, so that nobody may say that what is given is used up.
            _ => {
                let length = self.approximation(24, name);
                let one = self.word(1);
                let terms = self.terms();
                let length = terms.add(terms.zero_extend(length, self.pointer_width()), one);
                bound.map_or(length, |bound| terms.ite(terms.ult(length, bound), length, bound))
            }
        };
        let source = self.source(ValueSourceKind::Approximation, name);
        self.emit(Operation::HavocMemory { address: buffer, size, source });
        match self.unit.class(ty).width(self.pointer_width()) {
            Some(width) => {
                let (failed, count) = (self.approximation(1, name), self.approximation(width - 1, name));
                let terms = self.terms();
                Value::Scalar(terms.ite(failed, terms.number(width, u128::MAX), terms.zero_extend(count, width)))
            }
            None => Value::Void,
        }
    }
}

fn strip_conversions(unit: &crate::adapter::Unit, expr: ExprId) -> ExprId {
    match unit.tast[expr].kind {
        ExprKind::Convert { operand, .. } | ExprKind::Cast(operand) => strip_conversions(unit, operand),
        _ => expr,
    }
}

/// One conversion of a format.
struct Conversion {
    letter: char,
    /// A width or precision that is an argument.
    star_width: bool,
    star_precision: bool,
    precision: Option<u64>,
    /// `l`, `L` or the like before a letter for characters or floats.
    wide: bool,
}

/// The conversions of a format; none where one of them is not understood.
fn conversions(format: &str) -> Option<Vec<Conversion>> {
    let mut list = Vec::new();
    let mut rest = format.split('\0').next().unwrap_or_default().chars().peekable();
    while let Some(c) = rest.next() {
        if c != '%' {
            continue;
        }
        let mut found = Conversion { letter: '%', star_width: false, star_precision: false, precision: None, wide: false };
        let mut after_point = false;
        found.letter = loop {
            let c = rest.next()?;
            match c {
                '-' | '+' | ' ' | '#' | '\'' => {}
                '*' if after_point => found.star_precision = true,
                '*' => found.star_width = true,
                '.' => {
                    after_point = true;
                    found.precision = Some(0);
                }
                '0'..='9' if after_point => found.precision = found.precision.map(|p| p * 10 + u64::from(c as u8 - b'0')),
                '0'..='9' => {}
                '$' => return None,
                'h' | 'j' | 'z' | 't' | 'q' => {}
                'l' | 'L' => found.wide = true,
                _ => break c,
            }
        };
        match found.letter {
            '%' => continue,
            '[' => {
                // A bracket right after the opening one, or after `^`, belongs to the set.
                if rest.peek() == Some(&'^') {
                    rest.next();
                }
                rest.next();
                while rest.next()? != ']' {}
            }
            _ => {}
        }
        if found.star_precision {
            found.precision = None;
        }
        list.push(found);
    }
    Some(list)
}

/// What one conversion of a `scanf` format writes.
enum Scanned {
    /// This many characters.
    Characters(u64),
    /// A word with its terminator, of no more characters than this.
    Word(Option<u64>),
    /// One value of the type that the argument points to.
    Value,
    /// The same, of no more characters than a number says: not every value.
    Narrow,
    /// Wide characters, or memory that is allocated for what is found.
    Other,
}

/// The conversions of a `scanf` format that store something, in order.
fn scanned_sizes(format: &str) -> Vec<Scanned> {
    let mut sizes = Vec::new();
    let mut rest = format.chars().peekable();
    while let Some(c) = rest.next() {
        if c != '%' {
            continue;
        }
        let mut stored = true;
        let mut width: Option<u64> = None;
        let mut plain = true;
        while let Some(&next) = rest.peek() {
            match next {
                '*' => stored = false,
                '0'..='9' => width = Some(width.unwrap_or(0) * 10 + u64::from(next as u8 - b'0')),
                'l' | 'm' => plain = false,
                'h' | 'j' | 'z' | 't' | 'L' | 'q' => {}
                _ => break,
            }
            rest.next();
        }
        let conversion = match rest.next() {
            Some('%') | None => continue,
            Some('[') => {
                // A bracket right after the opening one, or after `^`, belongs to the set.
                if rest.peek() == Some(&'^') {
                    rest.next();
                }
                rest.next();
                while rest.next().is_some_and(|c| c != ']') {}
                Scanned::Word(width)
            }
            Some('s') => Scanned::Word(width),
            Some('c') => Scanned::Characters(width.unwrap_or(1)),
            Some('S' | 'C') => Scanned::Other,
            Some(_) if width.is_some() => Scanned::Narrow,
            Some(_) => Scanned::Value,
        };
        if stored {
            let plain = plain || matches!(conversion, Scanned::Value | Scanned::Narrow);
            sizes.push(if plain { conversion } else { Scanned::Other });
        }
    }
    sizes
}

/// Whether a format for printing stores the number of characters so far.
fn has_count(format: &str) -> bool {
    let mut rest = format.chars();
    while let Some(character) = rest.next() {
        // `%%` is no conversion; flags, width, precision and length come before the letter of one.
        if character == '%' && rest.find(|c| !"0123456789-+ #'.*$hlLqjzt".contains(*c)) == Some('n') {
            return true;
        }
    }
    false
}
