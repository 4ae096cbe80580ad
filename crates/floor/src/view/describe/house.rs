//! What happened to the house: for the staff, and to each Player what is their own.

use journal::HouseEvent;
use money::Money;
use round::PlayerId;
use rulebook::Office;

use super::Described;
use crate::view::Viewer;
use crate::view::desk::proposal_in_words;
use crate::view::feed::Facts;
use crate::view::house::kind_name;
use crate::view::slip::office_name;

/// What an event of the house says.
pub(crate) fn of_house(event: &HouseEvent, viewer: &Viewer) -> Option<Described> {
    let own = |player: &PlayerId| viewer.may_know_of(player).then_some(());
    let staff = || viewer.is_staff().then_some(());
    let said = match event {
        HouseEvent::Opened { name, .. } => {
            Described::new("house_opened", format!("{name} opens."), Facts::default())
        }
        HouseEvent::Appointed { person, office } => {
            staff()?;
            appointed("appointed", person, Some(*office), format!("{person} is {office} from here on."))
        }
        HouseEvent::Dismissed { person } => {
            staff()?;
            appointed("dismissed", person, None, format!("{person} holds no office any more."))
        }
        HouseEvent::PlayerRegistered { player, kind } => {
            own(player)?;
            let sentence = format!("{player} is known as a {}.", kind_name(*kind));
            Described::new("player_registered", sentence, of_player(player, None))
        }
        HouseEvent::BoughtIn { player, amount, identity, .. } => {
            own(player)?;
            money("bought_in", player, *amount, format!("{player} buys in {amount}."), identity.as_ref())
        }
        HouseEvent::CreditsGranted { player, amount } => {
            own(player)?;
            money("credits_granted", player, *amount, format!("{player} is given {amount} to play."), None)
        }
        HouseEvent::CashedOut { player, amount, identity, .. } => {
            own(player)?;
            money("cashed_out", player, *amount, format!("{player} cashes out {amount}."), identity.as_ref())
        }
        HouseEvent::DebtRepaid { player, amount } => {
            own(player)?;
            money("debt_repaid", player, *amount, format!("{player} gives back {amount}."), None)
        }
        HouseEvent::PlayerProhibited { player, at } => {
            own(player)?;
            let facts = Facts { table: Some(at.to_string()), ..of_player(player, None) };
            Described::new("player_prohibited", format!("{player} is prohibited at every table."), facts)
        }
        HouseEvent::PlayerReadmitted { player, at } => {
            own(player)?;
            let facts = Facts { table: Some(at.to_string()), ..of_player(player, None) };
            Described::new("player_readmitted", format!("{player} is admitted again at every table."), facts)
        }
        HouseEvent::Proposed { number, proposal, by } => {
            staff()?;
            let (_, sentence) = proposal_in_words(proposal);
            numbered("proposed", *number, by, format!("Proposal {number}: {sentence}"))
        }
        HouseEvent::Confirmed { number, by } => {
            staff()?;
            numbered("confirmed", *number, by, format!("Proposal {number} is confirmed."))
        }
        HouseEvent::Withdrawn { number, by } => {
            staff()?;
            numbered("withdrawn", *number, by, format!("Proposal {number} is withdrawn."))
        }
    };
    Some(said)
}

fn of_player(player: &PlayerId, amount: Option<Money>) -> Facts {
    Facts { player: Some(player.to_string()), amount: amount.map(Into::into), ..Facts::default() }
}

fn money(
    kind: &'static str,
    player: &PlayerId,
    amount: Money,
    sentence: String,
    identity: Option<&String>,
) -> Described {
    Described::new(kind, sentence, Facts { words: identity.cloned(), ..of_player(player, Some(amount)) })
}

fn appointed(
    kind: &'static str,
    person: &jackpot::Person,
    office: Option<Office>,
    sentence: String,
) -> Described {
    let facts =
        Facts { person: Some(person.to_string()), office: office.map(office_name), ..Facts::default() };
    Described::new(kind, sentence, facts)
}

fn numbered(kind: &'static str, number: u64, by: &jackpot::Signature, sentence: String) -> Described {
    let facts = Facts {
        number: Some(number),
        person: Some(by.person.to_string()),
        office: Some(office_name(by.office)),
        ..Facts::default()
    };
    Described::new(kind, sentence, facts)
}
