//! A file: what programs read, what is durable, and the writes in between.

use std::collections::BTreeMap;

use crate::node_load::Dice;

/// The unit that is written completely or not at all.
pub(super) const SECTOR: usize = 512;

type Sector = Box<[u8; SECTOR]>;

/// Numbers every change that is not durable yet, over all files and the folder, in order.
pub(super) type Tick = u64;

/// Which changes survive a power cut.
#[derive(Debug)]
pub(super) struct Survival {
    pattern: Pattern,
    dice: Dice,
}

#[derive(Clone, Copy, Debug)]
enum Pattern {
    Nothing,
    Everything,
    /// Every change up to a tick.
    UpTo(Tick),
    /// Each change with a chance of `in_256` in 256. Where a file grew, it may contain garbage.
    Each {
        in_256: u64,
        garbage: bool,
    },
}

impl Survival {
    /// Drawn from a seed, for the ticks from the first to the last that is not synced.
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

    /// Whether the change of a tick survives.
    pub(super) fn keeps(&mut self, tick: Tick) -> bool {
        match self.pattern {
            Pattern::Nothing => false,
            Pattern::Everything => true,
            Pattern::UpTo(last) => tick <= last,
            Pattern::Each { in_256, .. } => self.dice.roll(256) < in_256,
        }
    }

    /// Fills the part where a file grew and no write survived.
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
    /// A sync failed: what programs read is not all durable, although no write is pending.
    sync_failed: bool,
}

impl File {
    pub(super) fn len(&self) -> usize {
        self.cached.len()
    }

    /// The first change that is not durable.
    pub(super) fn first_unsynced(&self) -> Option<Tick> {
        let sectors = self.sectors.values().filter_map(|states| states.first().map(|(tick, _)| *tick));
        sectors.chain(self.lengths.first().map(|(tick, _)| *tick)).min()
    }

    /// Whether a power cut leaves it unchanged.
    pub(super) fn is_durable(&self) -> bool {
        self.first_unsynced().is_none() && !self.sync_failed
    }

    /// Reads as many bytes as there are. Returns how many.
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
            // If the file grows again, the part that is cut off now reads as zero.
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

    /// Records the states of the sectors that contain some bytes.
    fn record_sectors(&mut self, tick: &mut Tick, from: usize, to: usize) {
        for sector in from / SECTOR..to.div_ceil(SECTOR) {
            *tick += 1;
            let there = &self.cached[sector * SECTOR..self.cached.len().min((sector + 1) * SECTOR)];
            let is_durable = self.durable.get(sector * SECTOR..sector * SECTOR + there.len()) == Some(there);
            if is_durable && there.len() == SECTOR && !self.sectors.contains_key(&sector) {
                // The sector is the same whether this write survives or not.
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

    /// A sync that fails: some writes become durable, and the next sync does not write the rest.
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

    /// The file after a power cut.
    pub(super) fn after_power_cut(&self, survival: &mut Survival) -> File {
        let mut left = self.clone();
        left.sync_some(survival);
        left.cached.clone_from(&left.durable);
        left.sync_failed = false;
        left
    }
}

/// Puts a sector into the file, up to the end of the file.
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
    fn only_synced_writes_are_sure_to_survive() {
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
        assert!(file.is_durable(), "the same content was durable already");
        file.truncate(&mut tick, 0);
        assert_eq!((cut(&file, Pattern::Nothing).len(), cut(&file, Pattern::Everything).len()), (1024, 0));
        file.write(&mut tick, 600, &[3]);
        file.sync();
        let grown = cut(&file, Pattern::Nothing);
        assert_eq!((grown.len(), grown[0], grown[512], grown[600]), (601, 0, 0, 3));
    }

    #[test]
    fn a_later_sync_does_not_write_what_a_failed_sync_lost() {
        let (mut file, mut tick) = (File::default(), 0);
        file.write(&mut tick, 0, &[1; 512]);
        file.sync_some(&mut Survival { pattern: Pattern::Nothing, dice: Dice(1) });
        file.sync();
        assert_eq!(file.cached, [1; 512], "reads do not show it");
        assert_eq!(cut(&file, Pattern::Everything), [0; 512]);
    }
}
