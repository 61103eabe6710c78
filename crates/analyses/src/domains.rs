//! The domains that a configuration can choose: one, or several side by side.

/// What a domain can be used for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Uses {
    /// Counterexamples extend its precision (`cegar`).
    pub refined: bool,
    /// Blocks of it have summaries (`bam`).
    pub memoized: bool,
    /// It may stand first in a product.
    pub leads: bool,
    /// It may stand beside another one in a product.
    pub joins: bool,
}

macro_rules! domains {
    ($($variant:ident $name:literal $uses:expr, $help:literal;)*) => {
        /// One abstract domain.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub enum DomainChoice {
            $(#[doc = $help] $variant,)*
        }

        impl DomainChoice {
            /// All of them.
            pub const ALL: &[DomainChoice] = &[$(DomainChoice::$variant),*];

            /// As in options.
            pub const fn name(self) -> &'static str {
                match self { $(DomainChoice::$variant => $name,)* }
            }
            /// What its abstract states are made of.
            pub const fn help(self) -> &'static str {
                match self { $(DomainChoice::$variant => $help,)* }
            }
            pub(crate) const fn uses(self) -> Uses {
                match self { $(DomainChoice::$variant => $uses,)* }
            }
        }
    };
}

const ALONE: Uses = Uses { refined: false, memoized: false, leads: false, joins: false };
const LEADING: Uses = Uses { refined: true, memoized: true, leads: true, joins: false };
const JOINING: Uses = Uses { refined: false, memoized: true, leads: false, joins: true };

// A line of this table and an arm in `menu.rs` are all that a new domain needs here.
domains! {
    Value "value" LEADING, "constants and addresses";
    Symbolic "symbolic" LEADING, "terms over inputs, with constraints";
    Shape "shape" Uses { refined: true, ..ALONE }, "constants and addresses, with lists of any length";
    Interval "interval" JOINING, "bounds of registers";
    Bdd "bdd" JOINING, "decision diagrams of registers used as truth values or compared for equality only";
    Predicate "predicate" Uses { refined: true, memoized: true, joins: true, ..ALONE }, "predicates at the ends of blocks";
    Induction "induction" ALONE, "terms over inputs, with loops cut by induction";
}

/// The domains of a configuration: the first, and those that stand beside it in a product. Each component asks the
/// others through `assay_cpa::View`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Domains {
    /// The one that gives the analysis its name and its refinement.
    pub first: DomainChoice,
    /// Those that only answer its questions.
    pub beside: Vec<DomainChoice>,
}

impl Domains {
    /// Reads `value`, `value+interval` or `["value", "interval"]`. `None` where one is unknown, named twice, or not for
    /// products.
    pub fn parse(text: &str) -> Option<Domains> {
        let find = |name: &str| DomainChoice::ALL.iter().copied().find(|domain| domain.name() == name);
        let found: Option<Vec<DomainChoice>> = crate::values::words(text).map(find).collect();
        let mut found = found?.into_iter();
        let domains = Domains { first: found.next()?, beside: found.collect() };
        (domains.beside.is_empty() || domains.is_product()).then_some(domains)
    }

    fn is_product(&self) -> bool {
        let fits = self.first.uses().leads && self.beside.iter().all(|domain| domain.uses().joins);
        // Ways are followed from state to state, and what else stands beside them would be merged.
        let fits = fits && (self.beside.len() < 2 || !self.beside.contains(&DomainChoice::Predicate));
        fits && self.beside.iter().enumerate().all(|(index, domain)| !self.beside[..index].contains(domain))
    }

    /// All products, each in one order, as options have them.
    pub fn products() -> Vec<String> {
        let joining: Vec<DomainChoice> = DomainChoice::ALL.iter().copied().filter(|domain| domain.uses().joins).collect();
        let mut found = Vec::new();
        for &first in DomainChoice::ALL {
            for chosen in 1usize..1 << joining.len() {
                let beside = joining.iter().enumerate().filter(|(index, _)| chosen >> index & 1 == 1);
                let domains = Domains { first, beside: beside.map(|(_, &domain)| domain).collect() };
                if domains.is_product() {
                    found.push(domains.all().map(DomainChoice::name).collect::<Vec<_>>().join("+"));
                }
            }
        }
        found
    }

    /// What `parse` takes, in words.
    pub fn describe() -> String {
        let names = |selected: fn(Uses) -> bool| -> Vec<&str> {
            let chosen = DomainChoice::ALL.iter().filter(|domain| selected(domain.uses()));
            chosen.map(|domain| domain.name()).collect()
        };
        let (leading, joining) = (names(|uses| uses.leads), names(|uses| uses.joins));
        let all = names(|_| true).join(", ");
        format!(
            "{all}; or a product: {} with {} beside it, the first two of these also both, as `[\"{}\", \"{}\"]` or `{}+{}`",
            leading.join(" or "),
            joining.join(", "),
            leading[0],
            joining[0],
            leading[0],
            joining[0]
        )
    }

    /// All of them.
    pub fn all(&self) -> impl Iterator<Item = DomainChoice> {
        std::iter::once(self.first).chain(self.beside.iter().copied())
    }

    /// Whether the domain is among them.
    pub fn has(&self, domain: DomainChoice) -> bool {
        self.all().any(|other| other == domain)
    }

    /// Whether this is one domain alone.
    pub fn is(&self, domain: DomainChoice) -> bool {
        self.first == domain && self.beside.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_are_read_and_checked() {
        let both = Domains { first: DomainChoice::Value, beside: vec![DomainChoice::Interval] };
        for text in ["value+interval", "[\"value\", \"interval\"]", "value, interval"] {
            assert_eq!(Domains::parse(text).as_ref(), Some(&both), "{text}");
        }
        assert!(Domains::parse("symbolic+interval+bdd").is_some());
        let products = Domains::products();
        assert!(products.iter().all(|text| Domains::parse(text).is_some()), "{products:?}");
        for text in ["value+interval", "symbolic+predicate", "value+interval+bdd"] {
            assert!(products.iter().any(|product| product == text), "{text}: {products:?}");
        }
        for text in ["", "valu", "interval+value", "value+value", "value+interval+interval", "value+interval+predicate", "induction+bdd"] {
            assert_eq!(Domains::parse(text), None, "{text}");
        }
        assert!(DomainChoice::ALL.iter().all(|domain| Domains::parse(domain.name()).is_some_and(|domains| domains.is(*domain))));
    }
}
