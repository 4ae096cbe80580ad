//! What the lab says of a change of rules: the house's edge before and after, and the PAR sheet of the book after it.

use journal::{EdgeChange, Hash, LabCheck};
use lab::exact::{Exact, Fraction, Lab, Question};
use lab::par::{Options, sheet};
use rulebook::Rulebook;

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
