//! States as few bytes: what a state has in common with the one before it is left out.

use std::io::{Error, ErrorKind};

/// A file is not what was written.
pub(crate) fn damaged(what: &str) -> Error {
    Error::new(ErrorKind::InvalidData, format!("it is damaged: {what}"))
}

/// A number in as many bytes as it needs, seven bits in each.
#[inline]
pub(crate) fn put_number(out: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

/// Such a number; `None` where there is none.
#[inline]
pub(crate) fn get_number(bytes: &[u8], at: &mut usize) -> Option<u64> {
    let first = *bytes.get(*at)?;
    *at += 1;
    if first < 0x80 {
        return Some(u64::from(first));
    }
    let (mut number, mut shift) = (u64::from(first & 0x7f), 7);
    loop {
        let byte = *bytes.get(*at)?;
        *at += 1;
        if shift > 63 || (shift == 63 && byte > 1) {
            return None;
        }
        number |= u64::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            return Some(number);
        }
        shift += 7;
    }
}

/// A state by what differs from the one before it: the first word that does, as a difference, and the bytes of later words that do.
/// `None` where it is not greater.
#[inline]
pub(crate) fn put_state(out: &mut Vec<u8>, before: &[u64], state: &[u64]) -> Option<()> {
    if let ([before], [word]) = (before, state) {
        put_number(out, word.checked_sub(*before).filter(|more| *more > 0)?);
        return Some(());
    }
    let first = before.iter().zip(state).position(|(a, b)| a != b)?;
    put_number(out, first as u64);
    put_number(out, state[first].checked_sub(before[first])?);
    for (old, new) in before.iter().zip(state).skip(first + 1) {
        let differing = (old ^ new).to_le_bytes();
        let mask = differing.iter().enumerate().map(|(bit, byte)| u8::from(*byte != 0) << bit).sum();
        out.push(mask);
        out.extend(differing.into_iter().filter(|byte| *byte != 0));
    }
    Some(())
}

/// Makes a state of the one before it; `None` where the bytes make no sense.
#[inline]
pub(crate) fn get_state(bytes: &[u8], at: &mut usize, state: &mut [u64]) -> Option<()> {
    if let [word] = state {
        let more = get_number(bytes, at).filter(|more| *more > 0)?;
        *word = word.checked_add(more)?;
        return Some(());
    }
    let first = usize::try_from(get_number(bytes, at)?).ok()?;
    let more = get_number(bytes, at).filter(|more| *more > 0)?;
    let word = state.get_mut(first)?;
    *word = word.checked_add(more)?;
    for word in &mut state[first + 1..] {
        let mask = *bytes.get(*at)?;
        *at += 1;
        let mut differing = [0; 8];
        for (bit, byte) in differing.iter_mut().enumerate() {
            if mask >> bit & 1 == 1 {
                *byte = *bytes.get(*at)?;
                *at += 1;
            }
        }
        *word ^= u64::from_le_bytes(differing);
    }
    Some(())
}

/// A number made of all bytes, and of what was before them. It tells damage, not malice.
pub(crate) fn checksum(before: u64, bytes: &[u8]) -> u64 {
    const MULTIPLIER: u64 = 0x9e37_79b9_7f4a_7c15;
    let mix = |sum: u64, word: u64| {
        let product = u128::from(sum ^ word) * u128::from(MULTIPLIER);
        (product as u64 ^ (product >> 64) as u64).wrapping_add(word.rotate_left(23))
    };
    let (words, rest) = bytes.as_chunks::<8>();
    let mut last = [0; 8];
    last[..rest.len()].copy_from_slice(rest);
    let sum = words.iter().fold(before ^ MULTIPLIER, |sum, word| mix(sum, u64::from_le_bytes(*word)));
    mix(mix(sum, u64::from_le_bytes(last)), bytes.len() as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_states_come_back() {
        let numbers = [0, 1, 127, 128, 300, u64::from(u32::MAX), u64::MAX - 1, u64::MAX];
        let mut bytes = Vec::new();
        numbers.iter().for_each(|number| put_number(&mut bytes, *number));
        let mut at = 0;
        assert!(numbers.iter().all(|number| get_number(&bytes, &mut at) == Some(*number)));
        assert_eq!(get_number(&bytes, &mut at), None);
        assert_eq!(get_number(&[0xff; 10], &mut 0), None, "a number too large");

        let mut states: Vec<Vec<u64>> = Vec::new();
        for a in [0, 1, u64::MAX] {
            for b in [0, 7 << 40, u64::MAX] {
                states.extend([0, 255, 1 << 63].map(|c| vec![a, b, c]));
            }
        }
        let mut bytes = Vec::new();
        states.windows(2).for_each(|pair| put_state(&mut bytes, &pair[0], &pair[1]).unwrap());
        let (mut at, mut state) = (0, states[0].clone());
        for expected in &states[1..] {
            get_state(&bytes, &mut at, &mut state).unwrap();
            assert_eq!(state, *expected);
        }
        assert_eq!(put_state(&mut bytes, &[1, 2], &[1, 2]), None);
        assert_eq!(put_state(&mut bytes, &[1, 2], &[0, 3]), None);
        assert_eq!(put_state(&mut bytes, &[2], &[2]), None);
    }

    #[test]
    fn a_checksum_tells_every_flipped_bit_and_every_cut() {
        let bytes: Vec<u8> = (0..99_u8).collect();
        let whole = checksum(1, &bytes);
        for index in 0..bytes.len() {
            assert_ne!(checksum(1, &bytes[..index]), whole);
            for bit in 0..8 {
                let mut other = bytes.clone();
                other[index] ^= 1 << bit;
                assert_ne!(checksum(1, &other), whole);
            }
        }
        assert_ne!(checksum(2, &bytes), whole);
    }
}
