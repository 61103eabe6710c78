//! The arguments of `main`: a number, and arrays of pointers to texts that end in a zero, with a null pointer behind
//! the last one.
//!
//! The first texts are objects of their own, of any length and content; a path for each small number of them makes the
//! arrays exact. What the arrays of longer lists hold behind the first texts is not known. `assay_results::arguments`
//! reads the texts of a counterexample back.

use super::facts::Global;
use super::{Class, Lowering};
use assay_base::{AssumptionClass, Span};
use assay_cfa::arguments::{LENGTH_MASK, LISTS, List, SHORT_MASK, length_name, mode_name, short_name};
use assay_cfa::{CType, FunctionId, LocationId, Operation, Origin, ValueSource, ValueSourceKind, VarId, Zone};
use assay_term::Term;

/// Where the function before `main` is being written.
struct Writer<'l, 'a> {
    lowering: &'l mut Lowering<'a>,
    start: FunctionId,
    at: LocationId,
    span: Span,
}

impl<'a> Lowering<'a> {
    /// What the program is started with, made before everything else.
    pub(super) fn entry_arguments(&mut self, start: FunctionId, at: LocationId, main: Global) -> (LocationId, Vec<Term>) {
        let unit = &self.units[main.unit];
        let decl = &unit.tast[main.id()];
        // A pointer to pointers to characters that somebody looks at.
        let is_list = |number: usize| {
            let Some(&parameter) = unit.tast[decl.params].get(number) else { return false };
            let text = unit.pointee(unit.tast[parameter].ty).and_then(|to| unit.pointee(to));
            let character = text.is_some_and(|ty| matches!(unit.class(ty), Class::Int { width: 8, .. }));
            character && self.facts.is_mentioned(Global::new(main.unit, parameter))
        };
        let lists = [is_list(1), is_list(2)];
        if decl.name.is_none_or(|name| unit.text(name) != "main") {
            return self.plain_arguments(start, at, main);
        }
        let (mut writer, classes) = self.writer(start, at, main);
        let mut arguments = Vec::new();
        for (number, &class) in classes.iter().enumerate() {
            let argument = match (number, class, arguments.first()) {
                (0, Class::Int { width: 32, .. }, _) => writer.count(LISTS[0].count),
                (1, Class::Pointer, Some(&count)) if lists[0] => writer.texts(&LISTS[0], count),
                (2, Class::Pointer, Some(_)) if lists[1] => {
                    let count = writer.count(LISTS[1].count);
                    writer.texts(&LISTS[1], count)
                }
                _ => writer.anything(class),
            };
            arguments.push(argument);
        }
        (writer.at, arguments)
    }

    /// Arguments of which nothing is known.
    pub(super) fn plain_arguments(&mut self, start: FunctionId, at: LocationId, function: Global) -> (LocationId, Vec<Term>) {
        let (mut writer, classes) = self.writer(start, at, function);
        let arguments = classes.iter().map(|&class| writer.anything(class)).collect();
        (writer.at, arguments)
    }

    fn writer(&mut self, start: FunctionId, at: LocationId, function: Global) -> (Writer<'_, 'a>, Vec<Class>) {
        let (mut span, mut classes) = (Span::NONE, vec![]);
        if let Some(super::Entity::Function(index)) = self.entity(function.unit, function.id()) {
            let function = &self.functions[index];
            span = function.id.map_or(span, |id| self.builder.functions[id].span);
            classes = function.signature.parameters.clone();
        }
        (Writer { lowering: self, start, at, span }, classes)
    }
}

impl Writer<'_, '_> {
    fn emit(&mut self, operation: Operation) {
        let next = self.lowering.builder.location(self.start);
        self.lowering.builder.edge(self.at, next, operation, self.span, Origin::Internal);
        self.at = next;
    }

    fn register(&mut self, class: Class) -> VarId {
        let word = self.lowering.pointer_width();
        let width = class.width(word).unwrap_or(word);
        let ctype = match class {
            Class::Int { signed, .. } => CType::Integer { width, signed, name: if signed { "int" } else { "unsigned int" } },
            _ => CType::Pointer,
        };
        self.lowering.builder.temporary(self.start, width, ctype, self.span)
    }

    fn draw(&mut self, class: Class, kind: ValueSourceKind, name: &str) -> Term {
        let target = self.register(class);
        let source = self.lowering.builder.value_source(ValueSource { kind, name: name.to_string(), span: self.span });
        self.emit(Operation::Havoc { target, source });
        self.lowering.builder.read(target)
    }

    /// A parameter of which nothing is known, or that nobody looks at.
    fn anything(&mut self, class: Class) -> Term {
        let kind = if class == Class::Pointer { ValueSourceKind::Approximation } else { ValueSourceKind::Argument };
        self.draw(class, kind, "a parameter of main")
    }

    /// A number of texts: not negative, and such that the array of pointers to them is an object.
    fn count(&mut self, name: &str) -> Term {
        let count = self.draw(Class::Int { width: 32, signed: true }, ValueSourceKind::Argument, name);
        let word = self.lowering.pointer_width();
        let most = if word == 32 { i32::MAX as u128 / 4 - 1 } else { i32::MAX as u128 };
        let terms = &self.lowering.builder.terms;
        let condition = terms.ule(count, terms.number(32, most));
        self.emit(Operation::Assume { condition });
        count
    }

    /// An array of pointers to `count` texts.
    fn texts(&mut self, list: &List, count: Term) -> Term {
        let List { name, exact, .. } = *list;
        self.lowering.builder.note(
            AssumptionClass::Rules,
            self.span,
            format!("each of {name} has at most {} bytes, as Linux has it", LENGTH_MASK + 1),
        );
        self.lowering.builder.note(
            AssumptionClass::Over,
            self.span,
            format!("what {name} points to is known for the first {exact} texts; where there are more, nothing is known of the others"),
        );
        let array = self.named(name.to_string(), CType::Pointer);
        let done = self.lowering.builder.location(self.start);
        // Searches that follow one path to its end never come back from a text without end: short ones have a path of
        // their own.
        let short = self.draw(Class::Int { width: 1, signed: false }, ValueSourceKind::Argument, &mode_name(name));
        let here = self.at;
        let long = self.lowering.builder.terms.not(short);
        for (condition, short) in [(long, false), (short, true)] {
            self.at = here;
            self.emit(Operation::Assume { condition });
            self.list(array, name, count, exact, short, done);
        }
        self.at = done;
        self.lowering.builder.read(array)
    }

    /// A path for each small number of texts, and one for more.
    fn list(&mut self, array: VarId, name: &str, count: Term, exact: u32, short: bool, done: LocationId) {
        let word = self.lowering.pointer_width();
        let mut texts: Vec<Term> = Vec::new();
        loop {
            let number = texts.len() as u32;
            let terms = &self.lowering.builder.terms;
            let condition = terms.eq(count, terms.number(32, u128::from(number)));
            let negated = terms.not(condition);
            let here = self.at;
            self.emit(Operation::Assume { condition });
            let size = self.lowering.builder.terms.number(word, u128::from((number + 1) * word / 8));
            self.emit(Operation::Allocate { target: array, size, zone: Zone::Given, zeroed: false });
            self.fill(array, &texts);
            let end = self.slot(array, number);
            self.finish(end, done);
            self.at = here;
            self.emit(Operation::Assume { condition: negated });
            if number == exact {
                break;
            }
            let title = format!("{name}[{number}]");
            let text = if short { self.short_text(&short_name(name, number), title) } else { self.text(&length_name(name, number), title) };
            texts.push(text);
        }
        let terms = &self.lowering.builder.terms;
        let length = terms.mul(terms.zero_extend(count, word), terms.number(word, u128::from(word / 8)));
        let size = terms.add(length, terms.number(word, u128::from(word / 8)));
        self.emit(Operation::Allocate { target: array, size, zone: Zone::Given, zeroed: false });
        let kind = ValueSourceKind::Approximation;
        let source = self.lowering.builder.value_source(ValueSource { kind, name: name.to_string(), span: self.span });
        let address = self.lowering.builder.read(array);
        self.emit(Operation::HavocMemory { address, size, source });
        // The texts come last: a store at an offset that is not known says nothing of other places.
        let end = self.lowering.builder.terms.add(address, length);
        let null = self.lowering.builder.terms.number(word, 0);
        self.emit(Operation::Store { address: end, value: null });
        self.fill(array, &texts);
        self.lowering.builder.edge(self.at, done, Operation::Skip, self.span, Origin::Internal);
    }

    fn fill(&mut self, array: VarId, texts: &[Term]) {
        for (number, &value) in texts.iter().enumerate() {
            let address = self.slot(array, number as u32);
            self.emit(Operation::Store { address, value });
        }
    }

    fn slot(&self, array: VarId, number: u32) -> Term {
        let word = self.lowering.pointer_width();
        let builder = &self.lowering.builder;
        builder.terms.add(builder.read(array), builder.terms.number(word, u128::from(number * word / 8)))
    }

    /// The null pointer behind the last text.
    fn finish(&mut self, address: Term, done: LocationId) {
        let value = self.lowering.builder.terms.number(self.lowering.pointer_width(), 0);
        self.lowering.builder.edge(self.at, done, Operation::Store { address, value }, self.span, Origin::Internal);
    }

    /// An object of any length, with any content that ends in a zero.
    fn text(&mut self, name: &str, title: String) -> Term {
        let length = self.draw(Class::Int { width: 32, signed: false }, ValueSourceKind::Argument, name);
        let word = self.lowering.pointer_width();
        let terms = &self.lowering.builder.terms;
        let last = terms.resize(terms.and(length, terms.number(32, LENGTH_MASK.into())), word, false);
        let size = terms.add(last, terms.number(word, 1));
        let text = self.object(size, title);
        let address = self.lowering.builder.terms.add(text, last);
        let value = self.lowering.builder.terms.number(8, 0);
        self.emit(Operation::Store { address, value });
        text
    }

    /// An object of four bytes, the last of which is zero. It may be larger than its text, which is all the same: the
    /// path with texts of any length knows that one as well, and a violation is looked at there.
    fn short_text(&mut self, name: &str, title: String) -> Term {
        let content = self.draw(Class::Int { width: 32, signed: false }, ValueSourceKind::Argument, name);
        let size = self.lowering.builder.terms.number(self.lowering.pointer_width(), 4);
        let address = self.object(size, title);
        let terms = &self.lowering.builder.terms;
        let value = terms.and(content, terms.number(32, SHORT_MASK.into()));
        self.emit(Operation::Store { address, value });
        address
    }

    /// A register for the address of what people call so, an array of such elements.
    fn named(&mut self, title: String, element: CType) -> VarId {
        let array = CType::Array { element: Box::new(element), length: None };
        let width = self.lowering.pointer_width();
        let target = self.lowering.builder.temporary(self.start, width, array, self.span);
        self.lowering.builder.variables[target].source_name = title;
        target
    }

    fn object(&mut self, size: Term, title: String) -> Term {
        let target = self.named(title, CType::Integer { width: 8, signed: true, name: "char" });
        self.emit(Operation::Allocate { target, size, zone: Zone::Given, zeroed: false });
        self.lowering.builder.read(target)
    }
}
