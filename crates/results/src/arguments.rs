//! The texts that a counterexample starts the program with: read back from what was drawn for them
//! ([`assay_cfa::arguments`]).

use crate::{InputOrigin, InputValue};
use assay_base::{FastMap, Span};
use assay_cfa::arguments::{LENGTH_MASK, LISTS, List, SHORT_MASK, length_name, mode_name, short_name};
use assay_cfa::{Program, SourceId, ValueSourceKind};
use assay_term::Bits;

/// What is in the place of a byte of a text that nobody asked for.
const FILLER: u8 = b'a';

/// One list of texts, as far as it is known.
pub struct Texts {
    list: List,
    /// How many there are; the texts below may be fewer.
    pub count: u64,
    /// The texts without the zeros at their ends.
    pub texts: Vec<Vec<u8>>,
    /// The births of the objects of the texts.
    first_birth: u32,
    /// Whether the run had the texts with just the bytes that they have.
    exact: bool,
}

impl Texts {
    /// Whether the object of this birth is one of the texts.
    pub fn has(&self, birth: u32) -> bool {
        (self.first_birth..self.first_birth + self.texts.len() as u32).contains(&birth)
    }

    /// Whether it is the list of the environment's variables.
    pub fn is_environment(&self) -> bool {
        self.list.name == LISTS[1].name
    }
}

/// The lists that a run with these inputs was started with.
pub fn texts(program: &Program, inputs: &[InputValue]) -> Vec<Texts> {
    let mut drawn: FastMap<&str, u128> = FastMap::default();
    for input in inputs {
        if let InputOrigin::Source(source) = input.origin
            && let Some(source) = program.value_sources.get(source)
            && source.kind == ValueSourceKind::Argument
        {
            drawn.insert(&source.name, input.bits.value());
        }
    }
    let mut births = 1;
    let mut lists = Vec::new();
    for list in LISTS {
        let (Some(&count), Some(&short)) = (drawn.get(list.count), drawn.get(mode_name(list.name).as_str())) else { continue };
        let mut texts = Texts { list, count: count as u64, texts: vec![], first_birth: births, exact: true };
        for number in 0..list.exact.min(count.try_into().unwrap_or(u32::MAX)) {
            let birth = births + number;
            let get = |name: String| drawn.get(name.as_str()).copied().unwrap_or(0) as u32;
            let text = if short == 1 {
                texts.exact = false;
                let content = get(short_name(list.name, number)) & SHORT_MASK;
                content.to_le_bytes().into_iter().take_while(|&byte| byte != 0).collect()
            } else {
                let length = get(length_name(list.name, number)) & LENGTH_MASK;
                let (text, exact) = long_text(inputs, birth, length as usize);
                texts.exact &= exact;
                text
            };
            texts.texts.push(text);
        }
        births += texts.texts.len() as u32 + 1;
        lists.push(texts);
    }
    lists
}

/// The content of a text that is an object of so many bytes and one that is zero; and whether no other one is.
fn long_text(inputs: &[InputValue], birth: u32, length: usize) -> (Vec<u8>, bool) {
    let mut text: Vec<Option<u8>> = vec![None; length];
    for input in inputs {
        let InputOrigin::Memory { birth: of, offset } = input.origin else { continue };
        for byte in (0..input.bits.width().div_ceil(8)).filter(|_| of == birth) {
            if let Some(place) = text.get_mut(offset as usize + byte as usize) {
                *place = Some((input.bits.value() >> (8 * byte)) as u8);
            }
        }
    }
    let exact = text.iter().all(|&byte| byte != Some(0));
    (text.into_iter().map(|byte| byte.unwrap_or(FILLER)).take_while(|&byte| byte != 0).collect(), exact)
}

/// The same inputs with texts that are objects of just their own bytes, as those of a real program are; none if they
/// are that already.
pub(crate) fn exact(program: &Program, inputs: &[InputValue]) -> Option<Vec<InputValue>> {
    let lists = texts(program, inputs);
    if lists.iter().all(|list| list.exact) {
        return None;
    }
    let is_text = |input: &InputValue| match input.origin {
        InputOrigin::Source(_) => false,
        InputOrigin::Memory { birth, .. } => lists.iter().any(|list| list.has(birth)),
    };
    let mut all: Vec<InputValue> = inputs.iter().filter(|input| !is_text(input)).cloned().collect();
    let mut set = |name: &str, width: u32, value: u128| {
        let named = |(_, source): &(SourceId, &assay_cfa::ValueSource)| source.kind == ValueSourceKind::Argument && source.name == name;
        for (id, _) in program.value_sources.iter_ids().filter(named) {
            all.retain(|input| input.origin != InputOrigin::Source(id));
            all.push(InputValue { origin: InputOrigin::Source(id), bits: Bits::new(width, value), span: Span::NONE });
        }
    };
    for list in &lists {
        set(&mode_name(list.list.name), 1, 0);
        for (number, text) in list.texts.iter().enumerate() {
            set(&length_name(list.list.name, number as u32), 32, text.len() as u128);
        }
    }
    for list in &lists {
        for (birth, text) in (list.first_birth..).zip(&list.texts) {
            for (offset, &byte) in text.iter().enumerate() {
                let origin = InputOrigin::Memory { birth, offset: offset as u64 };
                all.push(InputValue { origin, bits: Bits::new(8, byte.into()), span: Span::NONE });
            }
        }
    }
    Some(all)
}
