//! Bit-vector arithmetic as circuits. Words are slices of literals, the lowest bit first.

use super::circuit::Circuit;
use super::lit::Lit;

pub(super) type Word = Vec<Lit>;

pub(super) fn constant(width: u32, value: u128) -> Word {
    (0..width).map(|i| Lit::of_bool(i < 128 && value >> i & 1 == 1)).collect()
}

pub(super) fn zeros(width: usize) -> Word {
    vec![Lit::FALSE; width]
}

/// The value of a word of constants.
pub(super) fn as_constant(word: &[Lit]) -> Option<u128> {
    if word.len() > 128 {
        return None;
    }
    word.iter().enumerate().try_fold(0u128, |sum, (i, l)| match *l {
        Lit::TRUE => Some(sum | 1 << i),
        Lit::FALSE => Some(sum),
        _ => None,
    })
}

pub(super) fn zero_extend(word: &[Lit], width: usize) -> Word {
    let mut result = word.to_vec();
    result.resize(width, Lit::FALSE);
    result
}

pub(super) fn sign_extend(word: &[Lit], width: usize) -> Word {
    let mut result = word.to_vec();
    let sign = word[word.len() - 1];
    result.resize(width, sign);
    result
}

impl Circuit {
    pub(crate) fn not_word(&mut self, a: &[Lit]) -> Word {
        a.iter().map(|&l| !l).collect()
    }
    pub(crate) fn and_word(&mut self, a: &[Lit], b: &[Lit]) -> Word {
        a.iter().zip(b).map(|(&x, &y)| self.and(x, y)).collect()
    }
    pub(crate) fn or_word(&mut self, a: &[Lit], b: &[Lit]) -> Word {
        a.iter().zip(b).map(|(&x, &y)| self.or(x, y)).collect()
    }
    pub(crate) fn xor_word(&mut self, a: &[Lit], b: &[Lit]) -> Word {
        a.iter().zip(b).map(|(&x, &y)| self.xor(x, y)).collect()
    }
    pub(crate) fn mux_word(&mut self, condition: Lit, a: &[Lit], b: &[Lit]) -> Word {
        debug_assert_eq!(a.len(), b.len());
        a.iter().zip(b).map(|(&x, &y)| self.mux(condition, x, y)).collect()
    }
    /// Every bit of the word, and `bit`.
    pub(crate) fn mask_word(&mut self, a: &[Lit], bit: Lit) -> Word {
        a.iter().map(|&x| self.and(x, bit)).collect()
    }

    /// The sum, and the carry out.
    pub(crate) fn add_carry(&mut self, a: &[Lit], b: &[Lit], carry_in: Lit) -> (Word, Lit) {
        debug_assert_eq!(a.len(), b.len());
        let mut carry = carry_in;
        let mut sum = Vec::with_capacity(a.len());
        for (&x, &y) in a.iter().zip(b) {
            sum.push(self.xor3(x, y, carry));
            carry = self.majority(x, y, carry);
        }
        (sum, carry)
    }
    pub(crate) fn add(&mut self, a: &[Lit], b: &[Lit]) -> Word {
        debug_assert_eq!(a.len(), b.len());
        let mut carry = Lit::FALSE;
        let mut sum = Vec::with_capacity(a.len());
        for (i, (&x, &y)) in a.iter().zip(b).enumerate() {
            sum.push(self.xor3(x, y, carry));
            if i + 1 < a.len() {
                carry = self.majority(x, y, carry);
            }
        }
        sum
    }
    pub(crate) fn sub(&mut self, a: &[Lit], b: &[Lit]) -> Word {
        let negated = self.not_word(b);
        self.add_carry(a, &negated, Lit::TRUE).0
    }
    /// The difference, and whether `a >= b` (unsigned).
    pub(crate) fn sub_borrow(&mut self, a: &[Lit], b: &[Lit]) -> (Word, Lit) {
        let negated = self.not_word(b);
        self.add_carry(a, &negated, Lit::TRUE)
    }
    pub(crate) fn neg(&mut self, a: &[Lit]) -> Word {
        let negated = self.not_word(a);
        self.increment(&negated, Lit::TRUE).0
    }
    /// `a + bit`, and the carry out.
    pub(crate) fn increment(&mut self, a: &[Lit], bit: Lit) -> (Word, Lit) {
        let mut carry = bit;
        let mut sum = Vec::with_capacity(a.len());
        for &x in a {
            sum.push(self.xor(x, carry));
            carry = self.and(x, carry);
        }
        (sum, carry)
    }

    pub(crate) fn equal_words(&mut self, a: &[Lit], b: &[Lit]) -> Lit {
        debug_assert_eq!(a.len(), b.len());
        let bits: Word = a.iter().zip(b).map(|(&x, &y)| self.equal(x, y)).collect();
        self.and_all(&bits)
    }
    pub(crate) fn is_zero(&mut self, a: &[Lit]) -> Lit {
        !self.or_all(a)
    }
    /// Unsigned `a < b`.
    pub(crate) fn less(&mut self, a: &[Lit], b: &[Lit]) -> Lit {
        debug_assert_eq!(a.len(), b.len());
        let mut less = Lit::FALSE;
        for (&x, &y) in a.iter().zip(b) {
            less = self.majority(!x, y, less);
        }
        less
    }
    pub(crate) fn less_signed(&mut self, a: &[Lit], b: &[Lit]) -> Lit {
        let top = a.len() - 1;
        let less = self.less(&a[..top], &b[..top]);
        // With the sign bit the roles are swapped.
        self.majority(a[top], !b[top], less)
    }

    /// The product, cut to `width` bits.
    pub(crate) fn multiply(&mut self, a: &[Lit], b: &[Lit], width: usize) -> Word {
        let constants = |w: &[Lit]| w.iter().filter(|l| l.is_constant()).count();
        let (a, b) = if constants(a) > constants(b) { (b, a) } else { (a, b) };
        if let Some(value) = as_constant(b) {
            return self.multiply_constant(a, value, width);
        }
        let mut sum = zeros(width);
        for (i, &bit) in b.iter().enumerate().take(width) {
            if bit == Lit::FALSE {
                continue;
            }
            let take = a.len().min(width - i);
            let row = self.mask_word(&a[..take], bit);
            // Bits above the row can only receive its carry, and above what was summed so far only zeros.
            let end = width.min(i + a.len() + 1);
            let padded = zero_extend(&row, end - i);
            let part = self.add(&sum[i..end], &padded);
            sum[i..end].copy_from_slice(&part);
        }
        sum
    }

    /// Multiplication by a constant in its non-adjacent form: the fewest additions and subtractions.
    fn multiply_constant(&mut self, a: &[Lit], value: u128, width: usize) -> Word {
        let mut sum = zeros(width);
        let mut rest = value;
        let mut shift = 0;
        while rest != 0 && shift < width {
            if rest & 1 == 1 {
                let mut row = zero_extend(&a[..a.len().min(width - shift)], width - shift);
                row.truncate(width - shift);
                // A digit -1 where a run of ones begins.
                if rest & 3 == 3 {
                    let part = self.sub(&sum[shift..], &row);
                    sum[shift..].copy_from_slice(&part);
                    rest = match rest.checked_add(1) {
                        Some(next) => next,
                        // All ones up to bit 127: what remains is one digit at 2^128.
                        None => {
                            let left = 128usize;
                            if shift + left < width {
                                let at = shift + left;
                                let row = zero_extend(&a[..a.len().min(width - at)], width - at);
                                let part = self.add(&sum[at..], &row);
                                sum[at..].copy_from_slice(&part);
                            }
                            return sum;
                        }
                    };
                } else {
                    let part = self.add(&sum[shift..], &row);
                    sum[shift..].copy_from_slice(&part);
                    rest -= 1;
                }
            }
            rest >>= 1;
            shift += 1;
        }
        sum
    }

    /// Unsigned quotient and remainder; by zero all ones and the dividend.
    pub(crate) fn divide(&mut self, a: &[Lit], b: &[Lit]) -> (Word, Word) {
        let width = a.len();
        let mut quotient = zeros(width);
        // The remainder is smaller than a divisor that cannot be zero, so it needs no more bits than that has.
        let significant = b.iter().rposition(|&l| l != Lit::FALSE).map_or(0, |i| i + 1);
        let bound = if b.contains(&Lit::TRUE) { significant } else { width };
        let mut rest: Word = Vec::with_capacity(width + 1);
        for i in (0..width).rev() {
            rest.insert(0, a[i]);
            // rest >= b, where b may have bits above those of rest, or the other way round.
            let bits = rest.len().min(width);
            let high_zero = self.is_zero(&b[bits..]);
            let narrow_b = zero_extend(&b[..bits], rest.len());
            let (difference, not_less) = self.sub_borrow(&rest, &narrow_b);
            let bit = self.and(not_less, high_zero);
            quotient[i] = bit;
            rest = self.mux_word(bit, &difference, &rest);
            rest.truncate(bound);
        }
        let rest = zero_extend(&rest, width);
        if b.iter().any(|l| !l.is_constant()) {
            let zero = self.is_zero(b);
            let smaller = self.less(&rest, b);
            self.add_fact([zero, smaller]);
        }
        (quotient, rest)
    }

    pub(crate) fn absolute(&mut self, a: &[Lit]) -> Word {
        let sign = a[a.len() - 1];
        let negated = self.neg(a);
        self.mux_word(sign, &negated, a)
    }
    pub(crate) fn negate_if(&mut self, condition: Lit, a: &[Lit]) -> Word {
        let flipped: Word = a.iter().map(|&x| self.xor(x, condition)).collect();
        self.increment(&flipped, condition).0
    }

    /// Shifts to the left by an amount of any width; past the width gives `fill` everywhere.
    pub(crate) fn shift_left(&mut self, a: &[Lit], amount: &[Lit]) -> Word {
        let reversed: Word = a.iter().rev().copied().collect();
        let mut result = self.shift_right(&reversed, amount, Lit::FALSE);
        result.reverse();
        result
    }
    /// Shifts to the right, filling with `fill`.
    pub(crate) fn shift_right(&mut self, a: &[Lit], amount: &[Lit], fill: Lit) -> Word {
        let width = a.len();
        let mut result = a.to_vec();
        let mut over = Vec::new();
        for (k, &bit) in amount.iter().enumerate() {
            if k >= 31 || 1usize << k >= width {
                over.push(bit);
                continue;
            }
            let step = 1 << k;
            result = (0..width)
                .map(|i| {
                    let from = if i + step < width { result[i + step] } else { fill };
                    self.mux(bit, from, result[i])
                })
                .collect();
        }
        let over = self.or_all(&over);
        result.iter().map(|&bit| self.mux(over, fill, bit)).collect()
    }
}
