//! Values of constant expressions: integers of all types, and floats.

use super::Globals;
use super::random::Random;
use assay_cfa::DataModel;

#[derive(Clone, Copy, PartialEq, Eq)]
struct Integer {
    name: &'static str,
    width: u32,
    signed: bool,
    rank: u8,
}

fn integers_of(model: DataModel) -> [Integer; 11] {
    let long = if model == DataModel::Ilp32 { 32 } else { 64 };
    let ty = |name, width, signed, rank| Integer { name, width, signed, rank };
    [
        ty("int", 32, true, 3),
        ty("unsigned", 32, false, 3),
        ty("long", long, true, 4),
        ty("unsigned long", long, false, 4),
        ty("long long", 64, true, 5),
        ty("unsigned long long", 64, false, 5),
        ty("char", 8, true, 1),
        ty("signed char", 8, true, 1),
        ty("unsigned char", 8, false, 1),
        ty("short", 16, true, 2),
        ty("unsigned short", 16, false, 2),
    ]
}

impl Integer {
    fn wrap(self, value: i128) -> i128 {
        let low = value & ((1i128 << self.width) - 1);
        if self.signed && low >> (self.width - 1) != 0 { low - (1i128 << self.width) } else { low }
    }
    fn holds(self, value: i128) -> bool {
        self.wrap(value) == value
    }
}

/// A constant expression with its type and value, so that undefined operations can be avoided.
#[derive(Clone)]
struct Constant {
    text: String,
    ty: Integer,
    value: i128,
}

struct Generator<'a> {
    random: &'a mut Random,
    types: [Integer; 11],
}

/// Objects whose values are constant expressions over integers.
pub(crate) fn integers(random: &mut Random, model: DataModel, globals: &mut Globals) {
    let mut generator = Generator { random, types: integers_of(model) };
    for _ in 0..120 {
        let constant = generator.expression(4);
        let ty = *generator.random.pick(&generator.types);
        globals.object(&format!("{} $ = {};", ty.name, constant.text));
        globals.object(&format!("long long $ = {};", constant.text));
        // As the size of an array and as an enumerator, where only integer constant expressions are allowed.
        globals.object(&format!("char $[1 + ({} & 15)];", constant.text));
    }
}

impl Generator<'_> {
    fn leaf(&mut self) -> Constant {
        let ty = *self.random.pick(&self.types);
        let raw = match self.random.below(4) {
            0 => self.random.below(4) as i128,
            1 => 1i128 << self.random.below(ty.width as usize),
            2 => i128::from(self.random.bits() as i64),
            _ => -(self.random.below(300) as i128),
        };
        let value = ty.wrap(raw);
        let text = if self.random.one_in(2) {
            format!("({})0x{:x}ull", ty.name, value & ((1i128 << ty.width) - 1))
        } else if (0..1 << 31).contains(&value) && self.random.one_in(2) {
            // A plain literal is an `int`.
            return Constant { text: format!("{value}"), ty: self.types[0], value };
        } else {
            format!("({})({value})", ty.name).replace("-9223372036854775808", "-9223372036854775807 - 1")
        };
        Constant { text, ty, value }
    }

    fn promote(&self, ty: Integer) -> Integer {
        if ty.rank < 3 { self.types[0] } else { ty }
    }

    fn common(&self, a: Integer, b: Integer) -> Integer {
        let (a, b) = (self.promote(a), self.promote(b));
        let (high, low) = if a.rank >= b.rank { (a, b) } else { (b, a) };
        if a.signed == b.signed {
            return high;
        }
        let (unsigned, signed) = if a.signed { (b, a) } else { (a, b) };
        if unsigned.rank >= signed.rank {
            unsigned
        } else if signed.width > unsigned.width {
            signed
        } else {
            let _ = low;
            *self.types.iter().find(|ty| ty.rank == signed.rank && !ty.signed).unwrap_or(&high)
        }
    }

    fn expression(&mut self, depth: u32) -> Constant {
        if depth == 0 || self.random.one_in(6) {
            return self.leaf();
        }
        let a = self.expression(depth - 1);
        match self.random.below(8) {
            0 => {
                let ty = *self.random.pick(&self.types);
                Constant { text: format!("({})({})", ty.name, a.text), ty, value: ty.wrap(a.value) }
            }
            1 => self.unary(a),
            2 => {
                let (b, c) = (self.expression(depth - 1), self.expression(depth - 1));
                let ty = self.common(b.ty, c.ty);
                let value = ty.wrap(if a.value != 0 { b.value } else { c.value });
                Constant { text: format!("(({}) ? ({}) : ({}))", a.text, b.text, c.text), ty, value }
            }
            _ => {
                let b = self.expression(depth - 1);
                self.binary(a, b)
            }
        }
    }

    fn unary(&mut self, a: Constant) -> Constant {
        let ty = self.promote(a.ty);
        let operator = *self.random.pick(&["-", "~", "!", "+"]);
        let text = format!("({operator}({}))", a.text);
        match operator {
            "!" => Constant { text, ty: self.types[0], value: i128::from(a.value == 0) },
            "~" => Constant { text, ty, value: ty.wrap(!a.value) },
            "-" if ty.signed && !ty.holds(-a.value) => a,
            "-" => Constant { text, ty, value: ty.wrap(-a.value) },
            _ => Constant { text, ty, value: ty.wrap(a.value) },
        }
    }

    /// The operation, or its left side where the operation would be undefined.
    fn binary(&mut self, a: Constant, b: Constant) -> Constant {
        let operator = *self.random.pick(&["+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>", "<", "<=", "==", "!=", "&&", "||"]);
        let text = format!("(({}) {operator} ({}))", a.text, b.text);
        let shift = matches!(operator, "<<" | ">>");
        let ty = if shift { self.promote(a.ty) } else { self.common(a.ty, b.ty) };
        let (x, y) = (ty.wrap(a.value), if shift { b.value } else { ty.wrap(b.value) });
        if shift && !(0..i128::from(ty.width)).contains(&y) || matches!(operator, "/" | "%") && y == 0 {
            return a;
        }
        let truth = |value: bool| (self.types[0], i128::from(value));
        let (result, exact) = match operator {
            "<" => truth(x < y),
            "<=" => truth(x <= y),
            "==" => truth(x == y),
            "!=" => truth(x != y),
            "&&" => truth(a.value != 0 && b.value != 0),
            "||" => truth(a.value != 0 || b.value != 0),
            "+" => (ty, x + y),
            "-" => (ty, x - y),
            "*" => (ty, x.wrapping_mul(y)),
            "/" => (ty, x / y),
            "%" => (ty, x % y),
            "&" => (ty, x & y),
            "|" => (ty, x | y),
            "^" => (ty, x ^ y),
            // A negative number or one that does not fit afterwards must not be shifted to the left.
            "<<" if ty.signed && (x < 0 || !ty.holds(x << y)) => return a,
            "<<" => (ty, x << y),
            _ => (ty, x >> y),
        };
        let undefined = result.signed && !result.holds(exact) || operator == "%" && ty.signed && !ty.holds(x / y);
        if undefined { a } else { Constant { text, ty: result, value: result.wrap(exact) } }
    }
}

/// Objects whose values are constant expressions over floats.
pub(crate) fn floats(random: &mut Random, _: DataModel, globals: &mut Globals) {
    for _ in 0..120 {
        let text = float(random, 3);
        let ty = *random.pick(&["float", "double"]);
        globals.object(&format!("{ty} $ = {text};"));
        let other = float(random, 2);
        globals.object(&format!("unsigned char $[] = {{ {text} < {other}, {text} == {other}, {text} != {other}, !({text}) }};"));
        // Small enough for every integer type.
        let small = format!("{}.{}{}", random.below(120), random.below(1000), random.pick(&["", "f", "l"]));
        let integer = *random.pick(&["int", "unsigned char", "long long", "short", "_Bool", "unsigned long"]);
        globals.object(&format!("{integer} $ = ({integer})({small} * 1.0);"));
    }
    for special in ["1.0 / 0.0", "-1.0 / 0.0", "0.0 * -1.0", "1e308 * 10", "1e-320", "0x1.fffffep127f", "1e-45f", "0x1p-1074", "3.5e38f"] {
        globals.object(&format!("double $ = {special};"));
        globals.object(&format!("float $ = (float)({special});"));
    }
}

fn float(random: &mut Random, depth: u32) -> String {
    if depth == 0 || random.one_in(4) {
        return match random.below(5) {
            0 => format!("{}.{}f", random.below(1000), random.below(100_000)),
            1 => format!("{}.{}e{}", random.below(10), random.bits(), random.below(40) as i64 - 20),
            2 => format!("0x{:x}.{:x}p{}", random.below(16), random.below(1 << 20), random.below(40) as i64 - 20),
            3 => format!("{}", random.below(100_000)),
            _ => format!("({}){}", random.pick(&["float", "double"]), random.bits() >> 1),
        };
    }
    let (a, b) = (float(random, depth - 1), float(random, depth - 1));
    match random.below(6) {
        0 => format!("({})({a})", random.pick(&["float", "double"])),
        1 => format!("(-({a}))"),
        // Division of two integers is another operation, and may be one by zero.
        2 => format!("(({a}) / (0.5 + ({b})))"),
        n => format!("(({a}) {} (double)({b}))", ["+", "-", "*"][n - 3]),
    }
}
