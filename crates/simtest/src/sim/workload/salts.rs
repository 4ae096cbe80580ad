//! Players' own salts: chains that can be computed again, opened, opened wrongly and withheld; and lost seeds.

use floor::{OwnCommand, Table, TableCommand, dealing};
use jackpot::TableId;
use journal::Hash;
use round::{CardFault, Command, PlayerId};

use super::Workload;

/// How many rounds a chain serves, and how many chains a Player has at a table.
const LINKS: usize = 64;
const CHAINS: u8 = 3;

/// A Player's chain, the anchor last.
fn chain(table: &TableId, player: &PlayerId, which: u8) -> Vec<Hash> {
    let secret = Hash::of([table.name().as_bytes(), player.name().as_bytes(), &[which]]);
    std::iter::successors(Some(secret), |salt| Some(dealing::link(table, player, *salt)))
        .take(LINKS)
        .collect()
}

/// The next salt of a Player's chain.
fn next_salt(table: &Table, player: &PlayerId) -> Option<Hash> {
    let anchor = table.anchor(player)?;
    let chains = (0..CHAINS).flat_map(|which| chain(table.id(), player, which));
    chains.into_iter().find(|salt| dealing::link(table.id(), player, *salt) == anchor)
}

impl Workload {
    /// A Player commits to one of their chains.
    pub(super) fn commit_salts(&mut self, table: &Table, player: PlayerId) -> TableCommand {
        let which = u8::try_from(self.dice.below(u64::from(CHAINS))).expect("few");
        let anchor = *chain(table.id(), &player, which).last().expect("a chain has links");
        TableCommand::Own(OwnCommand::CommitSalts { player, anchor })
    }

    /// While salts are awaited: mostly one is opened, sometimes a wrong one, or the Dealer goes on without.
    pub(super) fn salt(&mut self, table: &Table) -> Option<TableCommand> {
        let player = self.dice.any(&table.awaited())?;
        // In every third round somebody withholds a salt until the Dealer goes on.
        if table.number().is_multiple_of(3) && table.awaited().first() == Some(&player) {
            return Some(TableCommand::Own(OwnCommand::DropSalts {}));
        }
        Some(TableCommand::Own(match self.dice.below(10) {
            0 => OwnCommand::OpenSalt { player, salt: Hash([0; 32]) },
            1..=3 => OwnCommand::DropSalts {},
            4 => OwnCommand::DealAll {},
            _ => match next_salt(table, &player) {
                Some(salt) => OwnCommand::OpenSalt { player, salt },
                None => OwnCommand::DropSalts {},
            },
        }))
    }

    /// The salt that brings the round nearer to its end.
    pub(super) fn due_salt(table: &Table) -> Option<TableCommand> {
        let player = table.awaited().into_iter().next()?;
        let salt = next_salt(table, &player);
        Some(TableCommand::Own(
            salt.map_or(OwnCommand::DropSalts {}, |salt| OwnCommand::OpenSalt { player, salt }),
        ))
    }

    /// A round whose seed is lost can only be void.
    pub(super) fn give_up_lost(&self, table: &Table) -> Option<TableCommand> {
        let lost = self.lost.contains(&(table.id().clone(), table.number()));
        let missing = Command::DeclareBadCards { fault: CardFault::Missing };
        (lost && table.round().stage().is_in_play()).then_some(TableCommand::Round(missing))
    }
}
