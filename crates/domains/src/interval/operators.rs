//! What each operator makes of ranges. Operands are taken apart into pieces, on which arithmetic is monotone, and the
//! results of all pairs are joined; what is not modelled gives every value.

use super::range::{Piece, Range, half};
use assay_term::{Bits, Node, Op, eval};

/// The range of an operator's result. `operands` are those of the node; `None` stands for an operand of which nothing
/// can be said (an array, or wider than 128 bits). The result is `None` under the same condition.
pub(super) fn apply(node: &Node, operands: &[Option<Range>]) -> Option<Range> {
    let width = node.width();
    if node.sort.is_array() || width > Bits::MAX_WIDTH {
        return None;
    }
    let mut points = [Bits::FALSE; 3];
    let mut all = true;
    for (slot, operand) in points.iter_mut().zip(operands) {
        match operand.as_ref().and_then(Range::as_point) {
            Some(point) => *slot = point,
            None => all = false,
        }
    }
    if all && !operands.is_empty() {
        return Some(eval::apply(node, &points[..operands.len()]).map_or(Range::top(width), Range::point));
    }
    let result = match *operands {
        [Some(a)] => unary(node, a),
        [Some(a), Some(b)] => binary(node, a, b),
        [Some(c), a, b] if node.op == Op::Ite => match c.as_point() {
            Some(c) => return if c.is_true() { a } else { b },
            None => a.and_then(|a| Some(a.join(b?))),
        },
        _ => None,
    };
    Some(result.unwrap_or(Range::top(width)))
}

fn unary(node: &Node, a: Range) -> Option<Range> {
    let width = node.width();
    let each = |f: &dyn Fn(Piece) -> Range| a.pieces().map(f).reduce(Range::join);
    match node.op {
        Op::Not => each(&|(l, h)| Range::wrapped(width, !h, h - l)),
        Op::Neg => each(&|(l, h)| Range::wrapped(width, h.wrapping_neg(), h - l)),
        Op::ZeroExtend => each(&|(l, h)| Range::unsigned(width, l, h)),
        Op::SignExtend => {
            let extend = |value: u128| Bits::new(width, Bits::new(a.width(), value).signed() as u128).value();
            each(&|(l, h)| Range::unsigned(width, extend(l), extend(h)))
        }
        Op::Extract => each(&|(l, h)| {
            let (l, h) = (l >> node.low(), h >> node.low());
            Range::wrapped(width, l, h - l)
        }),
        _ => None,
    }
}

fn binary(node: &Node, a: Range, b: Range) -> Option<Range> {
    match node.op {
        Op::Eq => return Some(truth(a.meet(b).is_some(), a.as_point().is_none() || a != b)),
        Op::UnsignedLess => return Some(truth(a.unsigned_min() < b.unsigned_max(), a.unsigned_max() >= b.unsigned_min())),
        Op::SignedLess => return Some(truth(a.signed_min() < b.signed_max(), a.signed_max() >= b.signed_min())),
        _ => {}
    }
    let width = node.width();
    let mut result: Option<Range> = None;
    for x in a.pieces() {
        for y in b.pieces() {
            let part = pair(node, width, a.width(), b.width(), x, y)?;
            result = Some(result.map_or(part, |r| r.join(part)));
        }
    }
    result
}

fn truth(can_hold: bool, can_fail: bool) -> Range {
    match (can_hold, can_fail) {
        (true, false) => Range::truth(true),
        (false, true) => Range::truth(false),
        _ => Range::top(1),
    }
}

/// One operator on one pair of pieces; `None` where every value is possible or nothing is known.
fn pair(node: &Node, width: u32, a_width: u32, b_width: u32, x: Piece, y: Piece) -> Option<Range> {
    let mask = Bits::mask(width);
    let signed = |w: u32, p: Piece| (Bits::new(w, p.0).signed(), Bits::new(w, p.1).signed());
    Some(match node.op {
        Op::Add => Range::wrapped(width, x.0.wrapping_add(y.0), (x.1 - x.0).checked_add(y.1 - y.0)?),
        Op::Mul => {
            let (p, q) = (signed(width, x), signed(width, y));
            corners([p.0.checked_mul(q.0)?, p.0.checked_mul(q.1)?, p.1.checked_mul(q.0)?, p.1.checked_mul(q.1)?], width)
        }
        Op::UnsignedDiv => {
            let by_zero = (y.0 == 0).then(|| Range::unsigned(width, mask, mask));
            let rest = (y.1 > 0).then(|| Range::unsigned(width, x.0 / y.1, x.1 / y.0.max(1)));
            by_zero.into_iter().chain(rest).reduce(Range::join)?
        }
        Op::UnsignedRem => {
            let by_zero = (y.0 == 0).then(|| Range::unsigned(width, x.0, x.1));
            let rest = (y.1 > 0).then(|| {
                let (least, greatest) = (y.0.max(1), y.1);
                if x.1 < least {
                    Range::unsigned(width, x.0, x.1)
                } else if least == greatest && x.0 / least == x.1 / least {
                    Range::unsigned(width, x.0 % least, x.1 % least)
                } else {
                    Range::unsigned(width, 0, x.1.min(greatest - 1))
                }
            });
            by_zero.into_iter().chain(rest).reduce(Range::join)?
        }
        Op::SignedDiv => signed_division(width, signed(width, x), signed(width, y))?,
        Op::SignedRem => signed_remainder(width, signed(width, x), signed(width, y))?,
        Op::ShiftLeft => shift_left(width, x, y)?,
        Op::ShiftRight => {
            let shift = |value: u128, by: u128| if by >= width as u128 { 0 } else { value >> by };
            Range::unsigned(width, shift(x.0, y.1), shift(x.1, y.0))
        }
        Op::ShiftRightSigned => {
            let (least, greatest) = signed(width, x);
            let cut = |by: u128| by.min(width as u128 - 1);
            let ends = [least >> cut(y.0), least >> cut(y.1), greatest >> cut(y.0), greatest >> cut(y.1)];
            corners(ends, width)
        }
        Op::Or => Range::unsigned(width, min_or(width, x, y), max_or(width, x, y)),
        Op::And => {
            let (x, y) = (flip(mask, x), flip(mask, y));
            Range::unsigned(width, mask & !max_or(width, x, y), mask & !min_or(width, x, y))
        }
        Op::Xor => Range::unsigned(width, min_xor(width, x, y), max_xor(width, x, y)),
        Op::Concat if a_width + b_width <= Bits::MAX_WIDTH => Range::unsigned(width, x.0 << b_width | y.0, x.1 << b_width | y.1),
        _ => return None,
    })
}

fn corners(ends: [i128; 4], width: u32) -> Range {
    let least = ends.into_iter().fold(i128::MAX, i128::min);
    let greatest = ends.into_iter().fold(i128::MIN, i128::max);
    Range::wrapped(width, least as u128, greatest.wrapping_sub(least) as u128)
}

/// Both operands have one sign each, so that the quotient is monotone in each of them.
fn signed_division(width: u32, x: (i128, i128), y: (i128, i128)) -> Option<Range> {
    let by_zero = (y.0 == 0).then(|| {
        let value = if x.0 < 0 { 1 } else { Bits::mask(width) };
        Range::unsigned(width, value, value)
    });
    // A piece that contains zero begins with it.
    let divisor = if y.0 == 0 { (1, y.1) } else { y };
    let rest = if divisor.0 <= divisor.1 {
        let ends = [x.0.checked_div(divisor.0)?, x.0.checked_div(divisor.1)?, x.1.checked_div(divisor.0)?, x.1.checked_div(divisor.1)?];
        Some(corners(ends, width))
    } else {
        None
    };
    by_zero.into_iter().chain(rest).reduce(Range::join)
}

/// The remainder has the sign of the dividend and is smaller than the divisor.
fn signed_remainder(width: u32, x: (i128, i128), y: (i128, i128)) -> Option<Range> {
    let whole = Range::signed(width, x.0, x.1);
    let by_zero = (y.0 == 0).then_some(whole);
    let (least, greatest) = (y.0.unsigned_abs().min(y.1.unsigned_abs()).max(1), y.0.unsigned_abs().max(y.1.unsigned_abs()));
    let rest = (greatest > 0).then(|| {
        let largest = x.0.unsigned_abs().max(x.1.unsigned_abs());
        if largest < least {
            return whole;
        }
        if least == greatest && least <= i128::MAX as u128 {
            let k = least as i128;
            if x.0 / k == x.1 / k {
                return Range::signed(width, x.0 % k, x.1 % k);
            }
        }
        let bound = largest.min(greatest - 1) as i128;
        if x.0 < 0 { Range::signed(width, -bound, 0) } else { Range::signed(width, 0, bound) }
    });
    by_zero.into_iter().chain(rest).reduce(Range::join)
}

fn shift_left(width: u32, x: Piece, y: Piece) -> Option<Range> {
    let limit = width as u128;
    let zero = (y.1 >= limit).then(|| Range::unsigned(width, 0, 0));
    let rest = if y.0 < limit {
        let (least, greatest) = (y.0 as u32, y.1.min(limit - 1) as u32);
        let fits = |value: u128, by: u32| value == 0 || by <= value.leading_zeros() - (Bits::MAX_WIDTH - width);
        if fits(x.1, greatest) {
            Some(Range::unsigned(width, x.0 << least, x.1 << greatest))
        } else if least == greatest && (x.1 - x.0).leading_zeros() > least {
            Some(Range::wrapped(width, x.0 << least, (x.1 - x.0) << least))
        } else {
            return None;
        }
    } else {
        None
    };
    zero.into_iter().chain(rest).reduce(Range::join)
}

fn flip(mask: u128, x: Piece) -> Piece {
    (mask & !x.1, mask & !x.0)
}

/// The least and greatest results of bitwise operators on intervals, after Warren's "Hacker's Delight": walk down the
/// bits and raise (or lower) an operand where that decides the result.
fn min_or(width: u32, mut x: Piece, mut y: Piece) -> u128 {
    let mut bit = half(width);
    while bit != 0 {
        if !x.0 & y.0 & bit != 0 {
            let raised = (x.0 | bit) & bit.wrapping_neg();
            if raised <= x.1 {
                x.0 = raised;
                break;
            }
        } else if x.0 & !y.0 & bit != 0 {
            let raised = (y.0 | bit) & bit.wrapping_neg();
            if raised <= y.1 {
                y.0 = raised;
                break;
            }
        }
        bit >>= 1;
    }
    x.0 | y.0
}

fn max_or(width: u32, mut x: Piece, mut y: Piece) -> u128 {
    let mut bit = half(width);
    while bit != 0 {
        if x.1 & y.1 & bit != 0 {
            let lowered = (x.1 - bit) | (bit - 1);
            if lowered >= x.0 {
                x.1 = lowered;
                break;
            }
            let lowered = (y.1 - bit) | (bit - 1);
            if lowered >= y.0 {
                y.1 = lowered;
                break;
            }
        }
        bit >>= 1;
    }
    x.1 | y.1
}

fn min_xor(width: u32, mut x: Piece, mut y: Piece) -> u128 {
    let mut bit = half(width);
    while bit != 0 {
        if !x.0 & y.0 & bit != 0 {
            let raised = (x.0 | bit) & bit.wrapping_neg();
            if raised <= x.1 {
                x.0 = raised;
            }
        } else if x.0 & !y.0 & bit != 0 {
            let raised = (y.0 | bit) & bit.wrapping_neg();
            if raised <= y.1 {
                y.0 = raised;
            }
        }
        bit >>= 1;
    }
    x.0 ^ y.0
}

fn max_xor(width: u32, mut x: Piece, mut y: Piece) -> u128 {
    let mut bit = half(width);
    while bit != 0 {
        if x.1 & y.1 & bit != 0 {
            let lowered = (x.1 - bit) | (bit - 1);
            if lowered >= x.0 {
                x.1 = lowered;
            } else {
                let lowered = (y.1 - bit) | (bit - 1);
                if lowered >= y.0 {
                    y.1 = lowered;
                }
            }
        }
        bit >>= 1;
    }
    x.1 ^ y.1
}
