//! The house as a viewer sees it: who runs it, who plays there.

use std::collections::BTreeMap;

use journal::{Amount, PlayerKind};
use round::PlayerId;
use serde::Serialize;

use super::slip::office_name;
use super::{Fine, Viewer};
use crate::house::House;

/// Somebody of the staff.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct StaffMember {
    /// Who.
    pub person: String,
    /// In which office.
    pub office: &'static str,
}

/// A Player of the house.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct KnownPlayer {
    /// Who.
    pub player: String,
    /// `member`, `guest` or `house`.
    pub kind: &'static str,
    /// Their credits: their own, or for the staff.
    pub balance: Option<Fine>,
    /// Whether they are prohibited from play: of themselves, or for the staff.
    pub prohibited: bool,
}

/// The house.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct HouseView {
    /// Its name.
    pub name: Option<String>,
    /// Who holds an office. For the staff.
    pub staff: Vec<StaffMember>,
    /// The Players: all of them for the staff, oneself for a Player.
    pub players: Vec<KnownPlayer>,
}

impl HouseView {
    /// The house as a viewer sees it; `wallets` are the Players' credits as far as they were looked up.
    pub fn of(house: &House, wallets: &BTreeMap<PlayerId, Amount>, viewer: &Viewer) -> HouseView {
        let staff = house.staff().filter(|_| viewer.is_staff());
        let member = |(person, office): (&jackpot::Person, rulebook::Office)| StaffMember {
            person: person.name().to_owned(),
            office: office_name(office),
        };
        let players = house.players().filter(|(player, _)| viewer.may_know_of(player));
        let known = |(player, kind): (&PlayerId, PlayerKind)| KnownPlayer {
            player: player.name().to_owned(),
            kind: kind_name(kind),
            balance: wallets.get(player).copied().map(Fine::from),
            prohibited: house.is_prohibited(player),
        };
        HouseView {
            name: house.name().map(str::to_owned),
            staff: staff.map(member).collect(),
            players: players.map(known).collect(),
        }
    }
}

/// What kind of Player, in a word.
pub(super) const fn kind_name(kind: PlayerKind) -> &'static str {
    match kind {
        PlayerKind::Member => "member",
        PlayerKind::Guest => "guest",
        PlayerKind::House => "house",
    }
}
