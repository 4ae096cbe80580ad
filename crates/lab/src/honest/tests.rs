//! The judgement of decisions against cards dealt out one by one, and the promises of the test: mean zero, mean one, and
//! who is found.

use super::*;

fn book(id: &str) -> Rulebook {
    rulebook::embedded().into_iter().find(|book| book.id == id).expect("a book")
}

fn dealt<const N: usize>(stream: &mut Stream) -> [Card; N] {
    let mut cards = [Card::from_index(0).expect("a card"); N];
    cards::shuffle::deal(&mut cards, || stream.word());
    cards
}

/// Hold'em: with nothing hidden known, the gains are those of the lab's advice; with it known, those of the lab's advice to
/// a Player who knows it.
#[test]
fn holdem_gains_are_those_of_advice() {
    let (lab, book, question) = (Lab::new(), book("megalink-holdem-v9"), Question::default());
    let mut stream = Stream::new(20, 10);
    for case in 0..6 {
        let cards: [Card; 9] = dealt(&mut stream);
        let (own, community, dealer) = (&cards[..2], cards[2..7].iter(), &cards[7..]);
        let community: Vec<Option<Card>> = community.copied().map(Some).collect();
        let dealer: Vec<Option<Card>> = dealer.iter().copied().map(Some).collect();
        let actions = [Action::Bet, Action::Check, Action::Bet];
        let hand = Hand { own, community: &community, dealer: &dealer, actions: &actions };
        let judged = judge(&lab, &book, &question, &hand).expect("a hand");
        assert_eq!(judged.choices.len(), 3);
        for (decision, board) in [(0, 0), (1, 3), (2, 4)] {
            let situation = crate::advice::Situation::of(own).with_community(&cards[2..2 + board]);
            let advice = crate::advice::advise(&lab, &book, &question, &situation).expect("advice");
            let gain = advice.choices[0].net.minus(advice.choices[1].net);
            assert_eq!(judged.choices[decision].gain, gain, "case {case}, decision {decision}");
            let is_best = actions[decision] == advice.best;
            assert_eq!(judged.choices[decision].cost_cents == Fraction::ZERO, is_best);
        }
        let kinds: Vec<Kind> = judged.hidden.iter().map(|hidden| hidden.kind).collect();
        let wanted =
            [Kind::DealerCard(0), Kind::DealerCard(1), Kind::TurnCard, Kind::RiverCard, Kind::Outcome];
        // Before the flop hidden cards are tested with weak hole cards alone.
        assert!(kinds == wanted || (kinds.len() == 12 && kinds[7..] == wanted), "{kinds:?}");
        for hidden in &judged.hidden {
            let weights: f64 = hidden.cases.iter().map(|case| case.weight).sum();
            assert!((weights - 1.0).abs() < 1e-12, "{hidden:?}");
            let known: Vec<Card> = match hidden.kind {
                Kind::DealerCard(place) => vec![cards[7 + usize::from(place)]],
                _ => continue,
            };
            for (decision, board) in [(1, 3), (2, 4)] {
                let mut situation = crate::advice::Situation::of(own).with_community(&cards[2..2 + board]);
                situation.dealer.clone_from(&known);
                let advice = crate::advice::advise_knowing(&lab, &book, &question, &situation, &[]);
                let advice = advice.expect("advice");
                let gain = advice.choices[0].net.minus(advice.choices[1].net).value();
                let found = hidden.cases[hidden.actual].gains[decision];
                assert!((gain - found).abs() < 1e-12, "{gain} and {found}: {:?} at {decision}", hidden.kind);
            }
        }
        // The turn card known is the situation after it.
        let turn = judged.hidden.iter().find(|hidden| hidden.kind == Kind::TurnCard).expect("a turn");
        assert!((turn.cases[turn.actual].gains[1] - judged.choices[2].gain.value()).abs() < 1e-12);
    }
}

/// Before the flop: the gain with a card of the Dealer known is that of the lab's advice to a Player who knows it, for a fold as
/// for a wager; nothing is hidden where no card changes the choice, or where the book has other wagers.
#[test]
fn gains_before_the_flop_are_those_of_advice() {
    let (lab, book, question) = (Lab::new(), book("megalink-holdem-v9"), Question::default());
    let cards = |text: &str| -> Vec<Card> { text.split(' ').filter_map(|card| card.parse().ok()).collect() };
    let (weak, strong) = (cards("7c 2d"), cards("Ac Kd"));
    let community: Vec<Option<Card>> = cards("2h 9s Jd 7h 3c").into_iter().map(Some).collect();
    let dealer: Vec<Option<Card>> = cards("8d Qs").into_iter().map(Some).collect();
    let judged_as = |own: &[Card], actions: &[Action]| {
        let hand = Hand { own, community: &community, dealer: &dealer, actions };
        judge(&lab, &book, &question, &hand).expect("a hand")
    };
    let folded = judged_as(&weak, &[Action::Fold]);
    let kinds: Vec<Kind> = folded.hidden.iter().map(|hidden| hidden.kind).collect();
    let flop = [0, 1, 2].map(Kind::FoldFlopCard);
    let wanted = [&[Kind::FoldDealerCard(0), Kind::FoldDealerCard(1)][..], &flop];
    assert_eq!(kinds, [&wanted.concat()[..], &[Kind::FoldTurnCard, Kind::FoldRiverCard]].concat());
    assert!(folded.hidden.iter().all(|hidden| hidden.cases.len() == 50));
    let mut situation = crate::advice::Situation::of(&weak);
    situation.dealer = vec![dealer[0].expect("a card")];
    let advice = crate::advice::advise_knowing(&lab, &book, &question, &situation, &[]).expect("advice");
    let gain = advice.choices[0].net.minus(advice.choices[1].net).value();
    let found = &folded.hidden[0];
    assert!((found.cases[found.actual].gains[0] - gain).abs() < 1e-12, "{gain} {found:?}");
    // The same whatever was decided.
    let played = judged_as(&weak, &[Action::Bet, Action::Check, Action::Check]);
    assert_eq!(played.hidden[..7], folded.hidden[..]);
    assert_eq!(judged_as(&strong, &[Action::Fold]).hidden, []);
    let text = rulebook::embedded_text("megalink-holdem-v9").expect("a book");
    let changes = ["holdem.ante_pays_from=flush".parse().expect("a change")];
    let other = crate::what_if::scenario("other", text, &[], &changes, question).expect("a book").book;
    let hand = Hand { own: &weak, community: &community, dealer: &dealer, actions: &[Action::Fold] };
    assert_eq!(judge(&lab, &other, &question, &hand).expect("a hand").hidden, []);
}

/// Stud: by the lab's advice, and with one more card of the Dealer by its advice to a Player who knows it.
#[test]
fn stud_gains_are_those_of_advice() {
    let (lab, book, question) = (Lab::new(), book("megalink-stud-v9"), Question::default());
    let mut stream = Stream::new(20, 11);
    for _ in 0..4 {
        let cards: [Card; 15] = dealt(&mut stream);
        let (own, dealer) = (&cards[..5], &cards[5..10]);
        let known: Vec<Option<Card>> = dealer.iter().copied().map(Some).collect();
        let hand = Hand { own, community: &[], dealer: &known, actions: &[Action::Fold] };
        let judged = judge(&lab, &book, &question, &hand).expect("a hand");
        let situation = crate::advice::Situation::of(own).with_up_card(dealer[4]);
        let advice = crate::advice::advise(&lab, &book, &question, &situation).expect("advice");
        let gain = advice.choices[0].net.minus(advice.choices[1].net);
        assert_eq!(judged.choices[0].gain, gain);
        assert_eq!(judged.hidden.len(), 5);
        for hidden in &judged.hidden {
            let mean: f64 = hidden.cases.iter().map(|case| case.weight * case.gains[0]).sum();
            assert!((mean - gain.value()).abs() < 1e-9, "{:?}: {mean} and {gain:?}", hidden.kind);
        }
        let mut situation = situation;
        situation.dealer = vec![dealer[4], dealer[2]];
        let advice = crate::advice::advise_knowing(&lab, &book, &question, &situation, &[]).expect("advice");
        let knowing = advice.choices[0].net.minus(advice.choices[1].net).value();
        let third = &judged.hidden[2];
        assert!((third.cases[third.actual].gains[0] - knowing).abs() < 1e-12);
        // A neighbour's hand.
        situation.dealer = vec![dealer[4]];
        let dead = &cards[10..];
        let advice = crate::advice::advise_knowing(&lab, &book, &question, &situation, dead).expect("advice");
        let knowing = advice.choices[0].net.minus(advice.choices[1].net).value();
        let case = Case { lab: &lab, book: &book, question: &question };
        let found = game_of(&book).gains_without(case, &hand, dead).expect("gains")[0];
        assert!((found - knowing).abs() < 1e-12);
    }
}
