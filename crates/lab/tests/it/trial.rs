//! Players of every kind, honest and not, dealt to by the tables' shuffle: what the decision test says of them. The tests run
//! a little of it; the example `honest` runs all of it.

use cards::Card;
use lab::advice::{Situation, casual_player_wagers};
use lab::exact::{Action, Lab, Question};
use lab::honest::{Evidence, Habit, Hand, Judged, Kind, judge, neighbour, step, together};
use lab::simulate::Stream;
use rulebook::Rulebook;

/// How a Player decides by what lies open.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Style {
    Perfect,
    NeverFolds,
    /// Wagers only where it gains much.
    Timid,
    Random,
    /// By a short list of rules.
    Rules,
}

pub(crate) const STYLES: [Style; 5] =
    [Style::Perfect, Style::NeverFolds, Style::Timid, Style::Random, Style::Rules];

/// What a Player knows besides.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Knows {
    Nothing,
    /// The Dealer's first card, in this share of rounds.
    DealerCard(f64),
    /// Hold'em: the same in every round, used only to fold or not before the flop.
    DealerCardBeforeFlop,
    /// The neighbour's hand, always.
    Neighbour,
}

/// A Player, round by round.
pub(crate) struct Trial<'a> {
    lab: &'a Lab,
    book: &'a Rulebook,
    style: Style,
    knows: Knows,
    stream: Stream,
    draw: Stream,
    habit: Habit,
    pub(crate) kinds: Vec<(Kind, Evidence)>,
    pub(crate) pair: Evidence,
    pub(crate) rounds: u64,
}

impl<'a> Trial<'a> {
    pub(crate) fn new(lab: &'a Lab, book: &'a Rulebook, style: Style, knows: Knows, seed: u64) -> Trial<'a> {
        Trial {
            lab,
            book,
            style,
            knows,
            stream: Stream::new(seed, 0),
            draw: Stream::new(seed, 1),
            habit: Habit::default(),
            kinds: Vec::new(),
            pair: Evidence::default(),
            rounds: 0,
        }
    }

    fn chance(&mut self) -> f64 {
        f64::from(self.stream.word()) / 4_294_967_296.0
    }

    fn wagers(&mut self, gain: f64, situation: &Situation) -> bool {
        match self.style {
            Style::Perfect => 0.0 < gain,
            Style::NeverFolds => true,
            Style::Timid => 0.3 < gain,
            Style::Random => self.chance() < 0.5,
            Style::Rules => casual_player_wagers(self.book, situation).unwrap_or(true),
        }
    }

    /// One round.
    pub(crate) fn play(&mut self) {
        self.rounds += 1;
        let (own, community) = (self.book.hand_cards(), self.book.community_cards());
        let dealer = if community == 0 { 5 } else { 2 };
        let mut dealt = vec![Card::from_index(0).expect("a card"); 2 * own + community + dealer];
        cards::shuffle::deal(&mut dealt, || self.stream.word());
        let (hand, rest) = dealt.split_at(own);
        let (neighbours, rest) = rest.split_at(own);
        let board: Vec<Option<Card>> = rest[..community].iter().copied().map(Some).collect();
        let theirs: Vec<Option<Card>> = rest[community..].iter().copied().map(Some).collect();
        let actions = [Action::Bet, Action::Check, Action::Check];
        let actions = if community == 0 { &actions[..1] } else { &actions[..] };
        let played = Hand { own: hand, community: &board, dealer: &theirs, actions };
        let judge = |hand: &Hand<'_>| judge(self.lab, self.book, &Question::default(), hand).expect("a hand");
        let mut judged = judge(&played);
        let situation = |decision: usize| {
            let of = Situation::of(hand);
            match (community, decision) {
                (0, _) => of.with_up_card(rest[4]),
                (_, 0) => of,
                (_, street) => of.with_community(&rest[..2 + street]),
            }
        };
        let is_looking = match self.knows {
            Knows::DealerCard(share) => self.chance() < share,
            Knows::DealerCardBeforeFlop => true,
            Knows::Nothing | Knows::Neighbour => false,
        };
        let near = neighbour(self.lab, self.book, &played, &judged, neighbours, &mut self.draw);
        let shared = near.as_ref().filter(|_| self.knows == Knows::Neighbour).map(|near| near.cases[0].gains);
        let of_kind = |kind: Kind| {
            let hidden = judged.hidden.iter().find(|hidden| hidden.kind == kind).filter(|_| is_looking);
            hidden.map(|hidden| hidden.cases[hidden.actual].gains)
        };
        let (before_flop, seen) = (of_kind(Kind::FoldDealerCard(0)), of_kind(Kind::DealerCard(0)));
        let seen = seen.filter(|_| self.knows != Knows::DealerCardBeforeFlop);
        for decision in 0..judged.choices.len() {
            let gain = judged.choices[decision].gain.value();
            // In hold'em a neighbour's hand says little before the flop, and a card nothing with most hole cards.
            let known = if community != 0 && decision == 0 { before_flop } else { seen.or(shared) };
            judged.choices[decision].wagered = match known {
                Some(gains) => 0.0 < gains[decision],
                None => self.wagers(gain, &situation(decision)),
            };
        }
        if community != 0 && !judged.choices[0].wagered {
            judged = judge(&Hand { actions: &[Action::Fold], ..played });
            self.note(&judged, None);
            return;
        }
        self.note(&judged, near.as_ref());
    }

    fn note(&mut self, judged: &Judged, near: Option<&lab::honest::Hidden>) {
        for hidden in &judged.hidden {
            let step = step(judged, hidden, &self.habit);
            if self.kinds.iter().all(|(kind, _)| *kind != hidden.kind) {
                self.kinds.push((hidden.kind, Evidence::default()));
            }
            let kept = self.kinds.iter_mut().filter(|(kind, _)| *kind == hidden.kind);
            kept.for_each(|(_, evidence)| evidence.add(&step));
        }
        if let Some(hidden) = near {
            self.pair.add(&step(judged, hidden, &self.habit));
        }
        for (decision, choice) in judged.choices.iter().enumerate() {
            self.habit.note(decision, choice.gain.value(), choice.wagered);
        }
    }

    /// The evidence of all kinds together, as a natural logarithm.
    pub(crate) fn ln(&self) -> f64 {
        together(&self.kinds.iter().map(|(_, evidence)| evidence.ln()).collect::<Vec<f64>>())
    }

    /// The evidence about one kind.
    pub(crate) fn of(&self, kind: Kind) -> Evidence {
        self.kinds.iter().find(|(other, _)| *other == kind).map(|(_, evidence)| *evidence).unwrap_or_default()
    }
}
