//! Packs a sparse map into a dense array by overlapping its rows.
//!
//! Keys with the same low bits form a row, and the bits above are columns. Each row goes to the first place in
//! the array where all its values fall into free slots, so the array needs hardly more slots than there are
//! values. A value is found again at its column plus the offset of its row.

use std::cmp::Reverse;
use std::collections::BTreeMap;

/// The rows' offsets, to be added to a column modulo 2^32, and the slots they lead to.
pub(crate) struct Displaced {
    pub(crate) offsets: Vec<u32>,
    pub(crate) slots: Vec<u16>,
}

/// Packs `map` into `1 << row_bits` rows.
pub(crate) fn pack(map: &BTreeMap<u32, u16>, row_bits: u32) -> Displaced {
    let mut rows: Vec<Vec<(u32, u16)>> = vec![Vec::new(); 1 << row_bits];
    for (&key, &value) in map {
        let row = key as usize % rows.len();
        rows[row].push((key >> row_bits, value));
    }

    // The fullest rows go first, while there is room; the short ones fill the gaps.
    let mut fullest_first: Vec<usize> = (0..rows.len()).filter(|&row| !rows[row].is_empty()).collect();
    fullest_first.sort_by_key(|&row| Reverse(rows[row].len()));

    let mut taken = Taken::default();
    let mut offsets = vec![0; rows.len()];
    let mut slots = Vec::new();
    for row in fullest_first {
        let first = rows[row][0].0;
        let distances: Vec<usize> = rows[row].iter().map(|&(column, _)| (column - first) as usize).collect();
        let place = taken.first_fit(&distances);
        offsets[row] = u32::try_from(place).expect("few slots").wrapping_sub(first);
        for (distance, &(_, value)) in distances.iter().zip(&rows[row]) {
            let slot = place + distance;
            taken.take(slot);
            slots.resize(slots.len().max(slot + 1), 0);
            slots[slot] = value;
        }
    }
    Displaced { offsets, slots }
}

/// Which slots are taken, one bit each.
#[derive(Default)]
struct Taken {
    words: Vec<u64>,
    /// Every slot before this word is taken.
    full: usize,
}

impl Taken {
    /// The first place from which all of these distances lead to free slots. Tries 64 places at a time.
    fn first_fit(&self, distances: &[usize]) -> usize {
        (self.full..)
            .find_map(|word| {
                let start = word * 64;
                let mut blocked = 0;
                for distance in distances {
                    blocked |= self.window(start + distance);
                    if blocked == u64::MAX {
                        return None;
                    }
                }
                Some(start + (!blocked).trailing_zeros() as usize)
            })
            .expect("the slots never run out")
    }

    fn take(&mut self, slot: usize) {
        if self.words.len() <= slot / 64 {
            self.words.resize(slot / 64 + 1, 0);
        }
        self.words[slot / 64] |= 1 << (slot % 64);
        while self.word(self.full) == u64::MAX {
            self.full += 1;
        }
    }

    /// The 64 bits from `slot` on.
    fn window(&self, slot: usize) -> u64 {
        let (word, bit) = (slot / 64, slot % 64);
        let low = self.word(word) >> bit;
        if bit == 0 { low } else { low | self.word(word + 1) << (64 - bit) }
    }

    fn word(&self, word: usize) -> u64 {
        self.words.get(word).copied().unwrap_or(0)
    }
}
