//! A file: what programs read, what is durable, and what lies between.

use std::collections::BTreeMap;

use crate::node_load::Dice;

/// What is written as a whole or not at all.
pub(super) const SECTOR: usize = 512;

/// The state of a sector.
type Sector = Box<[u8; SECTOR]>;

/// Counts everything that is not durable at once, over all files and the folder, in the order it was done.
pub(super) type Tick = u64;

/// What a power cut leaves of what was not synced.
#[derive(Debug)]
pub(super) struct Survival {
    pattern: Pattern,
    dice: Dice,
}

#[derive(Clone, Copy, Debug)]
enum Pattern {
    Nothing,
    Everything,
    /// Everything up to a tick.
    UpTo(Tick),
    /// Each for itself, so many times in 256; and what a file grew by may hold anything.
    Each {
        in_256: u64,
        garbage: bool,
    },
}

impl Survival {
    /// Drawn from a seed, for ticks from the first to the last that is not synced.
    pub(super) fn draw(seed: u64, first: Tick, last: Tick) -> Survival {
        let mut dice = Dice(seed);
        let pattern = match dice.roll(8) {
            0 => Pattern::Nothing,
            1 => Pattern::Everything,
            2 | 3 => Pattern::UpTo(first + dice.roll(last.saturating_sub(first) + 1)),
            _ => Pattern::Each { in_256: 1 + dice.roll(255), garbage: dice.roll(4) == 0 },
        };
        Survival { pattern, dice }
    }

    /// Whether what was done at a tick is kept.
    pub(super) fn keeps(&mut self, tick: Tick) -> bool {
        match self.pattern {
            Pattern::Nothing => false,
            Pattern::Everything => true,
            Pattern::UpTo(last) => tick <= last,
            Pattern::Each { in_256, .. } => self.dice.roll(256) < in_256,
        }
    }

    /// What is where a file grew and nothing was kept.
    fn fill(&mut self, bytes: &mut [u8]) {
        if let Pattern::Each { garbage: true, .. } = self.pattern {
            for part in bytes.chunks_mut(8) {
                let roll = self.dice.roll(u64::MAX).to_le_bytes();
                part.copy_from_slice(&roll[..part.len()]);
            }
        }
    }
}

#[derive(Clone, Debug, Default)]
pub(super) struct File {
    cached: Vec<u8>,
    durable: Vec<u8>,
    /// The states of each sector since the last sync, oldest first.
    sectors: BTreeMap<usize, Vec<(Tick, Sector)>>,
    /// The lengths since the last sync, oldest first.
    lengths: Vec<(Tick, usize)>,
    /// A sync failed: what is read is not all durable any more, though nothing waits to be written.
    sync_failed: bool,
}

impl File {
    pub(super) fn len(&self) -> usize {
        self.cached.len()
    }

    /// The first thing done to it that is not durable.
    pub(super) fn first_unsynced(&self) -> Option<Tick> {
        let sectors = self.sectors.values().filter_map(|states| states.first().map(|(tick, _)| *tick));
        sectors.chain(self.lengths.first().map(|(tick, _)| *tick)).min()
    }

    /// Whether a power cut leaves it as it is.
    pub(super) fn is_durable(&self) -> bool {
        self.first_unsynced().is_none() && !self.sync_failed
    }

    /// Fills as much as there is, and says how much that was.
    pub(super) fn read(&self, offset: usize, into: &mut [u8]) -> usize {
        let there = self.cached.get(offset..).unwrap_or_default();
        let count = there.len().min(into.len());
        into[..count].copy_from_slice(&there[..count]);
        count
    }

    pub(super) fn write(&mut self, tick: &mut Tick, offset: usize, data: &[u8]) {
        let end = offset + data.len();
        if self.cached.len() < end {
            self.set_length(tick, end);
        }
        self.cached[offset..end].copy_from_slice(data);
        self.record_sectors(tick, offset, end);
    }

    pub(super) fn truncate(&mut self, tick: &mut Tick, length: usize) {
        let before = self.cached.len();
        if length < before {
            // What is cut off is nought should the file grow again.
            self.cached[length..].fill(0);
            self.record_sectors(tick, length, before);
        }
        self.set_length(tick, length);
    }

    fn set_length(&mut self, tick: &mut Tick, length: usize) {
        *tick += 1;
        self.cached.resize(length, 0);
        self.lengths.push((*tick, length));
    }

    /// Remembers the states of the sectors that bytes stand in.
    fn record_sectors(&mut self, tick: &mut Tick, from: usize, to: usize) {
        for sector in from / SECTOR..to.div_ceil(SECTOR) {
            *tick += 1;
            let there = &self.cached[sector * SECTOR..self.cached.len().min((sector + 1) * SECTOR)];
            let is_durable = self.durable.get(sector * SECTOR..sector * SECTOR + there.len()) == Some(there);
            if is_durable && there.len() == SECTOR && !self.sectors.contains_key(&sector) {
                // Kept or not, it is the same.
                continue;
            }
            let mut state = Box::new([0; SECTOR]);
            state[..there.len()].copy_from_slice(there);
            self.sectors.entry(sector).or_default().push((*tick, state));
        }
    }

    pub(super) fn sync(&mut self) {
        self.durable.resize(self.cached.len(), 0);
        for (sector, states) in std::mem::take(&mut self.sectors) {
            if let Some((_, state)) = states.last() {
                place(&mut self.durable, sector, state);
            }
        }
        self.lengths.clear();
    }

    /// A sync that fails: some of what was written is durable, and the rest is forgotten by the next sync too.
    pub(super) fn sync_some(&mut self, survival: &mut Survival) {
        self.sync_failed = true;
        let kept = self.lengths.iter().rev().find(|(tick, _)| survival.keeps(*tick));
        if let Some((_, length)) = kept {
            let before = self.durable.len().min(*length);
            self.durable.resize(*length, 0);
            survival.fill(&mut self.durable[before..]);
        }
        for (sector, states) in std::mem::take(&mut self.sectors) {
            if let Some((_, state)) = states.iter().rev().find(|(tick, _)| survival.keeps(*tick)) {
                place(&mut self.durable, sector, state);
            }
        }
        self.lengths.clear();
    }

    /// What a power cut leaves.
    pub(super) fn after_power_cut(&self, survival: &mut Survival) -> File {
        let mut left = self.clone();
        left.sync_some(survival);
        left.cached.clone_from(&left.durable);
        left.sync_failed = false;
        left
    }
}

/// Puts a sector in its place, as far as the file reaches.
fn place(bytes: &mut [u8], sector: usize, state: &[u8; SECTOR]) {
    let start = sector * SECTOR;
    if start < bytes.len() {
        let end = bytes.len().min(start + SECTOR);
        bytes[start..end].copy_from_slice(&state[..end - start]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(file: &File, pattern: Pattern) -> Vec<u8> {
        file.after_power_cut(&mut Survival { pattern, dice: Dice(1) }).cached
    }

    #[test]
    fn only_what_was_synced_is_sure_to_stay() {
        let (mut file, mut tick) = (File::default(), 0);
        file.write(&mut tick, 0, &[1; 1024]);
        assert!(cut(&file, Pattern::Nothing).is_empty());
        assert_eq!(cut(&file, Pattern::Everything), [1; 1024]);
        file.sync();
        assert_eq!(cut(&file, Pattern::Nothing), [1; 1024]);
        file.write(&mut tick, 500, &[2; 24]);
        let torn = cut(&file, Pattern::UpTo(tick - 1));
        assert_eq!((torn[511], torn[512]), (2, 1), "the first sector was written, the second was not");
        file.sync();
        file.write(&mut tick, 0, &cut(&file, Pattern::Nothing));
        assert!(file.is_durable(), "what was there already");
        file.truncate(&mut tick, 0);
        assert_eq!((cut(&file, Pattern::Nothing).len(), cut(&file, Pattern::Everything).len()), (1024, 0));
        file.write(&mut tick, 600, &[3]);
        file.sync();
        let grown = cut(&file, Pattern::Nothing);
        assert_eq!((grown.len(), grown[0], grown[512], grown[600]), (601, 0, 0, 3));
    }

    #[test]
    fn what_a_failed_sync_forgot_the_next_does_not_write() {
        let (mut file, mut tick) = (File::default(), 0);
        file.write(&mut tick, 0, &[1; 512]);
        file.sync_some(&mut Survival { pattern: Pattern::Nothing, dice: Dice(1) });
        file.sync();
        assert_eq!(file.cached, [1; 512], "whoever reads does not notice");
        assert_eq!(cut(&file, Pattern::Everything), [0; 512]);
    }
}
