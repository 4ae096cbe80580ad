//! What the lab says of a change of rules: the house's edge before and after, and the PAR sheet of the book after it. Of a
//! change of a link's settings: what the house keeps of a Jackpot wager, and at which meter a Player loses nothing by it.

use jackpot::Settings;
use journal::{EdgeChange, Hash, JackpotCheck, JackpotFigures, LabCheck};
use lab::exact::{Exact, Fraction, Lab, LabError, Question};
use lab::par::{Options, sheet};
use money::Rate;
use rulebook::{Pays, Rulebook};

/// Both books counted. Where the one after the change is not counted, the check says why and has no PAR sheet.
pub fn lab_check(lab: &Lab, before: &Rulebook, after: &Rulebook) -> LabCheck {
    let question = Question::default();
    let (earlier, later) = (lab.exact(before, &question), lab.exact(after, &question));
    let (par, uncounted) = match sheet(lab, after, &Options::default()) {
        Ok(sheet) => {
            let text = serde_json::to_string(&sheet).expect("a sheet contains only what JSON can represent");
            (Some(Hash::of([PAR, &text])), None)
        }
        Err(error) => (None, Some(error.to_string())),
    };
    let edges = edges(earlier.as_ref().ok(), later.as_ref().ok());
    LabCheck { edges, par, uncounted }
}

/// Names the purpose of the digest of a PAR sheet.
const PAR: &str = "megalink.par.1";

/// The net of one wager, as a fraction of it.
type Net<'a> = &'a dyn Fn(&Exact) -> Option<Fraction>;

/// The edges on the wagers that either book has.
fn edges(before: Option<&Exact>, after: Option<&Exact>) -> Vec<EdgeChange> {
    let bonus = |exact: &Exact| exact.bonus.as_ref().map(|bonus| bonus.net);
    let jackpot = |exact: &Exact| {
        let wager = Fraction::whole(exact.jackpot.wager_cents);
        let net = exact.jackpot.fixed_return.cents.minus(wager);
        net.divided_by(wager)
    };
    let of: [(&str, Net<'_>); 3] =
        [("Ante", &|exact| Some(exact.base.net)), ("Bonus", &bonus), ("Jackpot without its meter", &jackpot)];
    let edge = |net: Fraction| net.thousand_millionths().checked_neg();
    let change = |(wager, net): (&str, Net<'_>)| EdgeChange {
        wager: wager.to_owned(),
        before: before.and_then(net).and_then(edge),
        after: after.and_then(net).and_then(edge),
    };
    of.into_iter().map(change).filter(|edge| edge.before.is_some() || edge.after.is_some()).collect()
}

/// The Jackpot wager of each book of a link, counted with the settings before a change and after it.
pub fn jackpot_check<'a>(
    lab: &Lab,
    books: impl IntoIterator<Item = &'a Rulebook>,
    before: &Settings,
    after: &Settings,
) -> Vec<JackpotCheck> {
    let check = |book: &Rulebook| {
        let (earlier, later) = (jackpot_figures(lab, book, before), jackpot_figures(lab, book, after));
        let uncounted = later.as_ref().err().map(LabError::to_string);
        JackpotCheck { rulebook: book.id.clone(), before: earlier.ok(), after: later.ok(), uncounted }
    };
    books.into_iter().map(check).collect()
}

/// What a minimum Jackpot wager comes to. In the long run what goes into the meter comes out of it, and each award of all of the
/// meter brings a reset. The reserve pays for resets as far as it goes, and what it has beyond them is never the house's: the house
/// keeps the wager less fixed prizes, contribution, and the larger of resets and reserve.
fn jackpot_figures(lab: &Lab, book: &Rulebook, settings: &Settings) -> Result<JackpotFigures, LabError> {
    let parameters = settings.parameters();
    let cents = parameters.minimum_wager.cents();
    let exact = lab.exact(book, &Question { jackpot_wager_cents: cents, ..Question::default() })?;
    let wager = Fraction::whole(cents);
    let is_all = |pays: Pays| matches!(pays, Pays::Share(percent) if percent.value() == 100);
    let restarts = exact.jackpot.lines.iter().filter(|line| is_all(line.pays));
    let chance =
        restarts.fold(Fraction::ZERO, |sum, line| sum.plus(Fraction::new(line.deals.into(), exact.deals)));
    let resets = chance.times(Fraction::whole(parameters.reset.cents()));
    let part = |rate: Rate| Fraction::new(u64::from(rate).into(), 10_000).times(wager);
    let (contribution, reserve) =
        (part(parameters.contribution), part(parameters.reserve.unwrap_or_default()));
    let resets = if resets < reserve { reserve } else { resets };
    let kept = wager.minus(exact.jackpot.fixed_return.cents).minus(contribution).minus(resets);
    let hold = kept.divided_by(wager).unwrap_or(Fraction::ZERO).thousand_millionths();
    Ok(JackpotFigures { hold, break_even: exact.jackpot.break_even_meter })
}
