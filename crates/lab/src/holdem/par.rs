//! Hold'em's rows of a PAR sheet.

use rulebook::HoldemRules;

pub(super) fn rules_in_words(rules: &HoldemRules) -> Vec<(&'static str, String)> {
    let from = rules.ante_pays_from.to_string().to_lowercase();
    vec![
        (
            "Ante",
            format!(
                "{} if the hand wins with a {from} or better, else a won hand leaves it standing off",
                rules.ante
            ),
        ),
        ("Flop, Turn, River", format!("{}, {}, {} if the hand wins", rules.flop, rules.turn, rules.river)),
        ("Equal hands", "every wager stands off".to_owned()),
    ]
}
